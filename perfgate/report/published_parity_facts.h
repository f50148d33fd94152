// SPDX-License-Identifier: Apache-2.0
// published_parity_facts.h: what is said of published values as a whole: the views with their
// counts, why items are left out, failures, retries and devices.
#pragma once

#include <string>
#include <vector>

#include "perfgate/published/parity_views.h"
#include "perfgate/report/parts/context_lines.h"

namespace perfgate::report {

// Adds what is not there yet.
void add_unique(std::vector<std::string>& words, const std::vector<std::string>& more);

std::vector<Fact> published_facts(const published::PopulationReview& review);

}  // namespace perfgate::report
