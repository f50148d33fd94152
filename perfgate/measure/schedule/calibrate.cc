// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/calibrate.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace perfgate::measure {
namespace {

constexpr double kSetupShare = 0.20;
constexpr double kLongestSliceS = 0.2;
constexpr double kShortestLimitS = 10;
constexpr double kLongestLimitS = 60;
constexpr double kLimitFactor = 50;
constexpr double kLargestGrowth = 100;
constexpr int kSetupSlices = 5;  // more slices where set-up looks large, the least counts
constexpr std::int64_t kMostIterations = 1'000'000'000'000;

Fault calibration_fault(const SliceResult& result, std::size_t case_index, int arm) {
  return {case_index, arm, -1, *result.fault, result.detail};
}

std::int64_t whole_multiple(double iterations, std::int64_t fixed) {
  const auto count =
      static_cast<std::int64_t>(std::clamp(iterations, 1.0, static_cast<double>(kMostIterations)));
  if (fixed <= 0) return count;
  return fixed * std::max<std::int64_t>(1, (count + fixed - 1) / fixed);
}

// Time spent in the timed loop. Manual time may count device work that outlasts or undercuts the
// loop, so it is derived from the gated time itself.
double timed_seconds(const SliceResult& result) {
  return result.real_s * static_cast<double>(result.iterations);
}

// The first arm that has the case and is not optional; -1 where there is none.
int calibrating_arm(const Context& context, std::size_t case_index) {
  const auto& ids = context.matched.ids[case_index];
  for (std::size_t arm = 0; arm < ids.size(); ++arm) {
    if (ids[arm] && static_cast<int>(arm) != context.plan.optional_arm)
      return static_cast<int>(arm);
  }
  return -1;
}

void try_other_arms(Stage& stage, const Context& context, std::size_t case_index, double limit_s,
                    Calibrated& calibrated) {
  const auto& ids = context.matched.ids[case_index];
  for (std::size_t arm = 0; arm < ids.size(); ++arm) {
    const bool tried =
        std::any_of(calibrated.faults.begin(), calibrated.faults.end(),
                    [&](const Fault& fault) { return fault.arm == static_cast<int>(arm); });
    if (!ids[arm] || tried) continue;
    const SliceRequest request{
        *ids[arm], whole_multiple(1, context.listings[arm].cases[*ids[arm]].fixed_iterations),
        context.plan.policy.slice_s, limit_s};
    int voided = 0;
    const SliceResult result = stage.slice(static_cast<int>(arm), request, &voided);
    if (result.fault) {
      calibrated.faults.push_back(calibration_fault(result, case_index, static_cast<int>(arm)));
    }
  }
}

double own_seconds(const SliceResult& result) {
  const bool is_said = result.own_wall_s > 0 && result.own_wall_s < result.wall_s;
  return is_said ? result.own_wall_s : result.wall_s;
}

// Wall time of a slice that is not timed. The least of several slices is taken: what others did to
// the machine only adds, and so does what a benchmark does between its timed iterations, of which
// the first, shortest slice has least.
double setup_seconds(const SliceResult& result) {
  return std::max(0.0, own_seconds(result) - std::max(result.total_s, timed_seconds(result)));
}

// request_s: what a slice takes beside what the arm itself sees of it.
void finish(const SliceResult& last, double setup_s, double request_s, double slice_s,
            CaseInfo& info, Calibrated& calibrated) {
  const double wanted = std::clamp(setup_s * (1 - kSetupShare) / kSetupShare, slice_s,
                                   std::max(slice_s, kLongestSliceS));
  info.iterations = whole_multiple(wanted / last.real_s, info.fixed_iterations);
  const auto iterations = static_cast<double>(info.iterations);
  info.slice_s = last.real_s * iterations;
  info.setup_share = setup_s / (setup_s + info.slice_s);
  // An iteration may take more of the wall than it is timed for, and longer slices have more of it.
  const double wall_per_iteration_s =
      std::max(last.real_s, (own_seconds(last) - setup_s) / static_cast<double>(last.iterations));
  info.wall_s = request_s + setup_s + iterations * wall_per_iteration_s;
  calibrated.limit_s = std::max(kShortestLimitS, kLimitFactor * info.wall_s);
  calibrated.usable = true;
}

// Finds the iterations of one arm, or its fault.
void calibrate_on(Stage& stage, const Context& context, std::size_t case_index, int arm,
                  double limit_s, CaseInfo& info, Calibrated& calibrated) {
  const double slice_s = context.plan.policy.slice_s;
  const auto at = static_cast<std::size_t>(arm);
  SliceRequest request{*context.matched.ids[case_index][at],
                       whole_multiple(1, info.fixed_iterations), slice_s, limit_s};
  if (!context.listings[at].fixed_counts) request.iterations = 0;
  int voided = 0;
  double setup_s = std::numeric_limits<double>::infinity();
  double request_s = std::numeric_limits<double>::infinity();
  int known_after = std::numeric_limits<int>::max();
  for (int slices = 1;; ++slices) {
    const SliceResult result = stage.slice(arm, request, &voided);
    if (result.fault) {
      calibrated.faults.push_back(calibration_fault(result, case_index, arm));
      break;
    }
    setup_s = std::min(setup_s, setup_seconds(result));
    request_s = std::min(request_s, result.wall_s - own_seconds(result));
    const double timed = timed_seconds(result);
    const bool long_enough =
        timed >= 0.5 * slice_s || request.iterations == 0 || result.iterations >= kMostIterations;
    // The first slice of a process may also have made data that later ones find, and what others
    // did to the machine looks like set-up: ask again before slices are lengthened for it.
    const bool little = setup_s < kSetupShare * std::max(slice_s, timed);
    if (long_enough && (little || slices >= known_after)) {
      finish(result, setup_s, request_s, slice_s, info, calibrated);
      break;
    }
    if (long_enough) {
      const int more = result.wall_s > kLongestSliceS ? 1 : kSetupSlices;
      known_after = std::min(known_after, slices + more);
      continue;
    }
    const double growth = std::clamp(slice_s / timed, 2.0, kLargestGrowth);
    request.iterations =
        whole_multiple(static_cast<double>(request.iterations) * growth, info.fixed_iterations);
  }
  if (request.iterations == 0) info.iterations = 0;
}

// Alternatives may differ a thousandfold: every arm has iterations of its own. What is planned with
// is the mean over arms, and the limit of a slice the longest.
Calibrated calibrate_each(Stage& stage, const Context& context, std::size_t case_index,
                          double limit_s, CaseInfo& info) {
  Calibrated all;
  CaseInfo sum = info;
  int usable = 0;
  sum.arm_iterations.assign(context.listings.size(), 0);
  sum.slice_s = sum.wall_s = sum.setup_share = 0;
  for (std::size_t arm = 0; arm < context.listings.size(); ++arm) {
    if (!context.matched.ids[case_index][arm]) continue;
    CaseInfo own = info;
    Calibrated one;
    calibrate_on(stage, context, case_index, static_cast<int>(arm), limit_s, own, one);
    all.faults.insert(all.faults.end(), one.faults.begin(), one.faults.end());
    if (!one.usable) continue;
    if (usable++ == 0) sum.iterations = own.iterations;
    sum.arm_iterations[arm] = own.iterations;
    sum.slice_s += own.slice_s;
    sum.wall_s += own.wall_s;
    sum.setup_share = std::max(sum.setup_share, own.setup_share);
    all.limit_s = std::max(all.limit_s, one.limit_s);
  }
  if (usable == 0) return all;
  sum.slice_s /= usable;
  sum.wall_s /= usable;
  info = sum;
  all.usable = true;
  return all;
}

// The cases that no arm before served. alone: no other arm may serve them after this one.
void calibrate_suite_on(Stage& stage, const Context& context, std::size_t arm, bool alone,
                        std::vector<CaseInfo>& cases, std::vector<Calibrated>& calibrated) {
  std::vector<SliceRequest> requests;
  std::vector<std::size_t> indices;
  const double limit_s = kShortestLimitS + context.listings[arm].startup_s * kLimitFactor;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    if (!context.matched.ids[c][arm] || calibrated[c].usable) continue;
    indices.push_back(c);
    requests.push_back({*context.matched.ids[c][arm], 0, context.plan.policy.slice_s, limit_s});
  }
  if (requests.empty()) return;
  const std::vector<SliceResult> results = stage.suite_slice(static_cast<int>(arm), requests);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t c = indices[i];
    if (!results[i].fault) {
      finish(results[i], 0, 0, context.plan.policy.slice_s, cases[c], calibrated[c]);
      cases[c].iterations = 0;
      cases[c].wall_s = 2 * cases[c].slice_s;  // by time: the library feels its way up
      continue;
    }
    calibrated[c].faults.push_back(calibration_fault(results[i], c, static_cast<int>(arm)));
    if (alone) try_other_arms(stage, context, c, limit_s, calibrated[c]);
  }
}

}  // namespace

Calibrated calibrate_case(Stage& stage, const Context& context, std::size_t case_index,
                          CaseInfo& info) {
  // Nothing is known of the case yet: a share of the budget, so that a hang cannot eat it whole.
  const double budget_s = context.plan.policy.budget_s;
  const double limit_s =
      budget_s > 0 ? std::clamp(budget_s / 4, kShortestLimitS, kLongestLimitS) : kLongestLimitS;
  if (context.plan.optional_arm == kEveryArm) {
    return calibrate_each(stage, context, case_index, limit_s, info);
  }
  Calibrated calibrated;
  const int first = calibrating_arm(context, case_index);
  if (first < 0) return calibrated;  // only the optional arm has it
  calibrate_on(stage, context, case_index, first, limit_s, info, calibrated);
  if (!calibrated.usable) try_other_arms(stage, context, case_index, limit_s, calibrated);
  return calibrated;
}

std::vector<Calibrated> calibrate_suite(Stage& stage, const Context& context,
                                        std::vector<CaseInfo>& cases) {
  std::vector<Calibrated> calibrated(cases.size());
  std::vector<std::size_t> arms = {0};
  if (context.plan.optional_arm == 0 && context.listings.size() > 1) arms = {1};
  if (context.plan.optional_arm == kEveryArm) {
    // The first that has a case and can run it serves: slices are measured by time.
    arms.resize(context.listings.size());
    std::iota(arms.begin(), arms.end(), std::size_t{0});
  }
  for (const std::size_t arm : arms) {
    calibrate_suite_on(stage, context, arm, arms.size() == 1, cases, calibrated);
  }
  return calibrated;
}

}  // namespace perfgate::measure
