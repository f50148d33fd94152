// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/inspect.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "perfgate/base/error.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"

namespace perfgate::measure {
namespace {

constexpr double kLimitS = 120;  // a profiler's first start takes seconds

struct Seen {
  int unchecked = 0;     // cases whose kernels could not be named
  std::string trouble;   // why the arm could not be inspected to the end
  double peak_mib = 0;   // most device memory that the arm's process held
  double free_mib = -1;  // device memory before it held any; negative: not known
};

bool declares_gpu_conditions(const Listing& listing) {
  return std::any_of(listing.metrics.begin(), listing.metrics.end(),
                     [](const Metric& metric) { return metric.name == kGpuCycles; });
}

double counter_of(const SliceResult& result, std::string_view name) {
  for (const auto& [key, value] : result.counters) {
    if (key == name) return value;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void account(const SliceResult& result, Seen& seen) {
  if (counter_of(result, kGpuKernelsChecked) == 0) ++seen.unchecked;
  const double peak = counter_of(result, kGpuPeakMemory);
  const double free = counter_of(result, kGpuFreeMemory);
  if (std::isfinite(peak)) seen.peak_mib = std::max(seen.peak_mib, peak);
  if (std::isfinite(free) && seen.free_mib < 0) seen.free_mib = free;
}

Seen inspect_arm(Context& context, std::size_t arm, Session& session, std::vector<bool>& open) {
  Seen seen;
  std::unique_ptr<Driver> driver;
  for (std::size_t c = 0; c < open.size(); ++c) {
    const auto& id = context.matched.ids[c][arm];
    if (!open[c] || !id || session.cases[c].time != "manual") continue;
    if (!driver || !driver->alive()) {
      try {
        driver = context.launcher.start({.arm = static_cast<int>(arm),
                                         .slot = static_cast<int>(arm),
                                         .driver = DriverKind::kWorker,
                                         .listing = &context.listings[arm],
                                         .nice = context.nice,
                                         .purpose = LaunchPurpose::kInspectKernels});
      } catch (const Error& error) {
        seen.trouble = error.what();
        return seen;
      }
    }
    SliceRequest request;
    request.case_id = *id;
    request.iterations = std::max<std::int64_t>(1, session.cases[c].fixed_iterations);
    request.limit_s = kLimitS;
    const SliceResult result = driver->slice(request);
    if (result.fault == FaultKind::kInvalid) {
      session.faults.push_back({c, static_cast<int>(arm), -1, FaultKind::kInvalid, result.detail});
      if (IsOptional(context.plan, static_cast<int>(arm))) {
        context.matched.ids[c][arm].reset();
      } else {
        open[c] = false;
      }
    } else if (result.fault) {
      // Whatever else goes wrong shows again, and is charged, where the case is measured.
      seen.trouble = result.detail;
      if (!driver->alive()) break;
    } else {
      account(result, seen);
    }
  }
  if (driver) driver->quit();
  return seen;
}

std::string mib(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f MiB", value);
  return text;
}

}  // namespace

void inspect_gpu_arms(Context& context, Session& session, std::vector<bool>& open) {
  double needed_mib = 0;
  double free_mib = std::numeric_limits<double>::infinity();
  bool known = false;
  for (std::size_t arm = 0; arm < context.listings.size(); ++arm) {
    const bool worker = context.drivers[arm] == DriverKind::kWorker;
    if (!worker || !declares_gpu_conditions(context.listings[arm])) continue;
    const Seen seen = inspect_arm(context, arm, session, open);
    const std::string& label = session.arms[arm].label;
    if (seen.unchecked > 0) {
      session.warnings.push_back(label + ": kernel names of " + std::to_string(seen.unchecked) +
                                 " case(s) not checked: no CUPTI");
    }
    if (!seen.trouble.empty()) {
      session.warnings.push_back(label + ": kernel names not checked: " + seen.trouble);
    }
    needed_mib += seen.peak_mib;
    if (seen.free_mib >= 0) {
      free_mib = std::min(free_mib, seen.free_mib);
      known = true;
    }
  }
  if (!known || needed_mib <= free_mib) return;
  context.one_at_a_time = true;
  session.grade = "paired_serial";
  session.warnings.push_back(
      "the arms need " + mib(needed_mib) + " of device memory together and " + mib(free_mib) +
      " are free: they take turns process by process, which pairs them less closely");
}

}  // namespace perfgate::measure
