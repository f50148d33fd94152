// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/suite_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/evidence/policy_check.h"
#include "perfgate/stats/design/planning.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/planning/plan_reason.h"
#include "perfgate/verdict/planning/resampled_gates.h"
#include "perfgate/verdict/planning/rounds_to_pass.h"

namespace perfgate::inline verdict {
namespace {

constexpr int kMostRounds = 40;  // of a gate that is not told otherwise
// Tolerances beyond this would hide what a gate is for: the case is better watched than gated.
constexpr double kLargestTolerance = 0.5;

void check(const PlanRequest& request) {
  const auto refuse = [](const char* what, double value, const char* range) {
    throw Error(Exit::kUsage,
                std::string(what) + " is " + format_number(value) + "; expected " + range);
  };
  if (!(request.power >= 0.5 && request.power < 1)) {
    refuse("--power", request.power, "at least 50% and below 100%");
  }
  if (!(request.slowdown > 0 && request.slowdown <= 10)) {
    refuse("--slowdown", request.slowdown, "more than 0% and at most 1000%");
  }
  if (request.budget_s && !(*request.budget_s > 0)) {
    refuse("--budget", *request.budget_s, "more than 0s");
  }
  validate(request.policy);
}

std::vector<stats::Look> looks_of(const Calibration& calibration, const PlanRequest& request) {
  Policy policy = request.policy;
  if (!request.budget_s) {
    return looks_within(policy, policy.rounds > 0 ? policy.rounds : kMostRounds);
  }
  policy.rounds = 0;
  return looks_within(policy, affordable_rounds(policy, calibration.round_s,
                                                *request.budget_s - calibration.start_s));
}

// tau where the slowdown is to be found: times and rates that do not tolerate it.
std::vector<double> asked_shifts(const Calibration& calibration, const GateModel& model,
                                 double slowdown) {
  std::vector<double> shifts(model.rules.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const bool relative = is_relative(calibration.columns[model.columns[i]].metric.kind);
    const double shift = std::log1p(slowdown);
    if (relative && model.rules[i].tau < shift) shifts[i] = shift;
  }
  return shifts;
}

// Level that a column's failure is planned with: the last look's, over those open until then.
double planning_alpha(const GateModel& model, const UnchangedGates& unchanged) {
  if (model.looks.empty()) return 0;
  double open = 0;
  for (const int passed : unchanged.column_passed) {
    open += 1 - static_cast<double>(passed) / std::max(1, unchanged.gates);
  }
  return stats::column_alpha(model.looks.back().alpha,
                             std::max(1, static_cast<int>(std::lround(open))));
}

double mean_or_zero(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Worst first: the least likely to be decided.
bool is_worse(const PlannedColumn& a, const PlannedColumn& b) {
  const auto share = [](const PlannedColumn& c) {
    return std::min(c.pass_share, c.fail_share.value_or(1.0));
  };
  if (a.resolved != b.resolved) return b.resolved;
  if (share(a) != share(b)) return share(a) < share(b);
  return a.round_sd > b.round_sd;
}

// A rule per column that does not pass; the last rule that matches wins, so they go to the end.
void suggest_rules(const Calibration& calibration, SuitePlan& plan) {
  std::map<std::string, int> columns_of_case;
  for (const CalibratedColumn& column : calibration.columns) ++columns_of_case[column.case_name];
  for (const PlannedColumn& column : plan.columns) {
    if (!column.supported_tolerance) continue;
    CaseRule rule;
    rule.match = column.case_name;
    if (columns_of_case[column.case_name] > 1 || !is_relative(column.metric.kind)) {
      rule.metric = column.metric.name;
    }
    const double tolerance = rounder_tolerance(*column.supported_tolerance, column.metric.kind);
    if (is_relative(column.metric.kind) && tolerance > kLargestTolerance) {
      rule.gate = false;
    } else {
      rule.tolerance = tolerance;
    }
    plan.rules.push_back(rule);
  }
}

void add_warnings(const Calibration& calibration, const PlanRequest& request, SuitePlan& plan) {
  constexpr int kFew = 20;
  if (calibration.rounds < kFew) {
    plan.warnings.push_back("planned from " + std::to_string(calibration.rounds) +
                            " recorded rounds; below 20 every figure is rough");
  }
  if (request.policy.pairs != calibration.policy.pairs ||
      request.policy.slice_s != calibration.policy.slice_s) {
    plan.warnings.push_back("the policy has " + std::to_string(request.policy.pairs) +
                            " pairs of " + format_number(request.policy.slice_s) +
                            " s; planned for the " + std::to_string(calibration.policy.pairs) +
                            " of " + format_number(calibration.policy.slice_s) +
                            " s that were calibrated");
  }
  for (const LeftOut& left_out : calibration.left_out) {
    plan.warnings.push_back("not calibrated, so not planned: " + left_out.case_name + ": " +
                            left_out.reason);
  }
}

int gates_of(const PlanRequest& request, const GateModel& model) {
  return request.gates > 0 ? request.gates : affordable_gates(model.columns.size());
}

struct Resampled {
  UnchangedGates unchanged;
  std::vector<double> shifts;
  std::vector<SlowedGates> slowed;
  int gates = 0;
};

PlannedColumn planned(const Calibration& calibration, const GateModel& model,
                      const Resampled& resampled, const PlanRequest& request, const PlanGoal& goal,
                      std::size_t i, double alpha) {
  const CalibratedColumn& noise = calibration.columns[model.columns[i]];
  const stats::ColumnRule& rule = model.rules[i];
  PlannedColumn column;
  column.case_name = noise.case_name;
  column.metric = noise.metric;
  column.value = noise.value;
  column.tolerance = is_relative(noise.metric.kind)
                         ? column_policy(request.policy, noise.case_name, noise.metric).tolerance
                         : rule.tau;
  column.round_sd = noise.round_sd;
  column.rounds_to_pass = rounds_to_pass(noise.round_sd, rule, request.power);
  const double gates = std::max(1, resampled.unchanged.gates);
  column.pass_share = resampled.unchanged.column_passed[i] / gates;
  column.pass_rounds = resampled.unchanged.column_rounds[i];
  if (std::isfinite(resampled.shifts[i])) {
    column.rounds_to_fail =
        stats::rounds_needed(noise.round_sd, resampled.shifts[i] - rule.tau, alpha, request.power);
    column.fail_share =
        resampled.slowed[i].found / static_cast<double>(std::max(1, resampled.gates));
    column.fail_rounds = resampled.slowed[i].rounds;
  }
  if (is_relative(noise.metric.kind) && goal.can_fail) {
    column.detectable =
        stats::minimum_detectable(noise.round_sd, goal.last_look, rule.tau, alpha, request.power);
  }
  column.resolved = resampled.unchanged.gates > 0 && column.pass_share >= request.power &&
                    column.fail_share.value_or(1.0) >= request.power;
  if (column.pass_share < request.power && !model.looks.empty()) {
    const double tau = passing_tau(model, i, request.power, gates_of(request, model));
    const double tolerance = is_relative(noise.metric.kind) ? std::expm1(tau) : tau;
    column.supported_tolerance = std::max(column.tolerance, tolerance);
  }
  column.reason = plan_reason(noise, column, goal);
  return column;
}

std::string summary_of(const SuitePlan& plan) {
  const auto resolved = std::count_if(plan.columns.begin(), plan.columns.end(),
                                      [](const PlannedColumn& c) { return c.resolved; });
  return std::to_string(resolved) + " of " + std::to_string(plan.columns.size()) +
         (plan.columns.size() == 1 ? " case" : " cases") + " can be resolved";
}

}  // namespace

SuitePlan plan_suite(const Calibration& calibration, const PlanRequest& request) {
  check(request);
  SuitePlan plan;
  plan.session_id = calibration.session_id;
  plan.tool = request.tool;
  plan.started = calibration.started;
  plan.suite = calibration.suite;
  plan.recorded_rounds = calibration.rounds;
  plan.policy = request.policy;
  plan.policy.pairs = calibration.policy.pairs;
  plan.policy.slice_s = calibration.policy.slice_s;
  if (request.budget_s) plan.policy.budget_s = *request.budget_s;
  plan.power = request.power;
  plan.slowdown = request.slowdown;
  const GateModel model = gate_model(calibration, plan.policy, looks_of(calibration, request));
  if (model.columns.empty()) {
    throw Error(Exit::kData, "the calibration holds no case that the policy gates");
  }
  for (const stats::Look& look : model.looks) {
    plan.looks.push_back(look.rounds);
    plan.look_alpha.push_back(look.alpha);
  }

  Resampled resampled;
  plan.gates = gates_of(request, model);
  resampled.unchanged = resample_unchanged(model, plan.gates);
  resampled.shifts = asked_shifts(calibration, model, request.slowdown);
  resampled.gates = std::max(50, plan.gates / 4);  // each column has gates of its own
  resampled.slowed = resample_slowed(model, resampled.shifts, resampled.gates);

  const PlanGoal goal{.power = request.power,
                      .slowdown = request.slowdown,
                      .last_look = plan.looks.empty() ? 0 : plan.looks.back(),
                      .can_fail = stats::can_fail(model.looks),
                      .slice_s = plan.policy.slice_s};
  const double alpha = planning_alpha(model, resampled.unchanged);
  for (std::size_t i = 0; i < model.columns.size(); ++i) {
    plan.columns.push_back(planned(calibration, model, resampled, request, goal, i, alpha));
  }
  std::stable_sort(plan.columns.begin(), plan.columns.end(), is_worse);

  const UnchangedGates& unchanged = resampled.unchanged;
  const double gates = std::max(1, unchanged.gates);
  plan.gates = unchanged.gates;
  plan.pass_share = unchanged.passed / gates;
  plan.false_fail_share = unchanged.failed / gates;
  plan.rounds = unchanged.rounds;
  plan.wall_s = mean_or_zero(unchanged.wall_s);
  if (!unchanged.wall_s.empty()) {
    constexpr double kLong = 0.9;
    plan.wall_long_s = unchanged.wall_s[static_cast<std::size_t>(std::ceil(kLong * gates)) - 1];
  }
  suggest_rules(calibration, plan);
  add_warnings(calibration, request, plan);
  const bool all = std::all_of(plan.columns.begin(), plan.columns.end(),
                               [](const PlannedColumn& column) { return column.resolved; });
  plan.exit = all ? Exit::kPass : Exit::kInconclusive;
  plan.summary = summary_of(plan);
  return plan;
}

}  // namespace perfgate::inline verdict
