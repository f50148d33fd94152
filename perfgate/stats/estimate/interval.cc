// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/estimate/interval.h"

#include <limits>

namespace perfgate::stats {

Interval no_interval() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {kNone, kNone, 0.0, false};
}

}  // namespace perfgate::stats
