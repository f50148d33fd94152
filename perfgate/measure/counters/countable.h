// SPDX-License-Identifier: Apache-2.0
// countable.h: which of the counts that were asked for this machine and these arms can give.
#pragma once

#include <string>
#include <vector>

#include "perfgate/measure/counters/event_counters.h"

namespace perfgate::measure {

struct Countable {
  std::vector<std::string> names;     // in the order in which they were asked for
  std::vector<std::string> warnings;  // one for each reason why others are missing
};

// asked: names of evidence/metrics/counted_metrics.h. Nothing fails because of what cannot be
// counted.
Countable FindCountable(const std::vector<std::string>& asked,
                        const OpenEvent& open = OpenSystemEvent);

}  // namespace perfgate::measure
