// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/driver.h"

#include <fmt/format.h>

#include <algorithm>
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

void RefuseContradictions(const CaseInfo& info, SliceResult& result) {
  constexpr double kRelative = 1e-6;  // of sums formed in another order
  constexpr double kAbsoluteS = 1e-9;
  constexpr double kClockError = 1.001;
  constexpr double kClockErrorS = 1e-3;
  if (result.fault) return;
  const std::int64_t iterations = result.ran > 0 ? result.ran : result.iterations;
  const auto n = static_cast<double>(iterations);
  const double product_s = result.real_s * n;
  std::string found;
  if (std::min(result.real_s, result.total_s / n) <= kShortestIterationS) {
    found = fmt::format(
        "below_floor: it reports {:.3g} s per iteration and {:.3g} s for {} iterations, and no "
        "processor does an iteration in {:g} s; time work that is really done",
        result.real_s, result.total_s, iterations, kShortestIterationS);
  } else if (std::abs(product_s - result.total_s) >
             kRelative * std::max(product_s, result.total_s) + kAbsoluteS) {
    found = fmt::format(
        "second_clock: it reports {:.6g} s per iteration, which is {:.6g} s for {} iterations, and "
        "a total of {:.6g} s",
        result.real_s, product_s, iterations, result.total_s);
  } else if (info.time != "manual" && result.has_wall &&
             result.total_s > result.wall_s * kClockError + kClockErrorS) {
    found =
        fmt::format("second_clock: it reports {:.6g} s of timed work in a slice that took {:.6g} s",
                    result.total_s, result.wall_s);
  }
  if (found.empty()) return;
  result.fault = FaultKind::kInvalid;
  result.detail = std::move(found);
}

}  // namespace perfgate::measure
