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

// "timeout_3600s (results): timeout, at fault unknown, retry after_change, limit 3600 s".
std::string FailureText(const published::Failure& failure);

// Why pairs of an item do not compare, then what to know of those that do.
std::string ItemNote(const published::ItemAnswer& answer);

std::vector<Fact> published_facts(const published::PopulationReview& review);

}  // namespace perfgate::report
