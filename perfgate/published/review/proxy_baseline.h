// SPDX-License-Identifier: Apache-2.0
// proxy_baseline.h: whether a baseline value from another run or commit may stand in for the own
// one.
#pragma once

#include <string>
#include <vector>

#include "perfgate/published/published_parity.h"

namespace perfgate::published {

// A proxy stands in only where both values state one model and one configuration. Empty: accepted.
// Else "proxy_other_model", "proxy_other_configuration" (another mode counts as one), and
// "proxy_unstated" where a model or a configuration is missing.
std::vector<std::string> ProxyProblems(const PublishedValue& proxy, const PublishedValue& other);

}  // namespace perfgate::published
