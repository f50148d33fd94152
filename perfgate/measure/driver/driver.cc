// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/driver.h"

#include <cmath>

namespace perfgate::measure {
namespace {

std::string bad_time(const std::string& what, double seconds) {
  const std::string shown =
      std::isfinite(seconds) ? std::to_string(seconds) + " s" : "not a finite number";
  return what + " is " + shown + "; a time must be finite and positive";
}

}  // namespace

void RefuseBadTimes(SliceResult& result) {
  if (!(std::isfinite(result.real_s) && result.real_s > 0)) {
    result.fault = FaultKind::kBadValue;
    result.detail = bad_time("time per iteration", result.real_s);
  } else if (!(std::isfinite(result.total_s) && result.total_s >= 0)) {
    result.fault = FaultKind::kBadValue;
    result.detail = bad_time("total time", result.total_s);
  }
}

}  // namespace perfgate::measure
