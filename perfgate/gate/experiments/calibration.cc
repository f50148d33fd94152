// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/calibration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/evidence/policy_check.h"
#include "perfgate/gate/exits.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/verdict/planning/calibration.h"

namespace perfgate::gate {
namespace {

constexpr int kMostRounds = 10000;  // as --rounds

// The policy of the gate that is calibrated for.
Policy GatePolicy(const CalibrationRequest& request) {
  return ResolvePolicy(request.measure.policy);
}

Policy MeasuringPolicy(const CalibrationRequest& request) {
  Policy policy = GatePolicy(request);
  policy.budget_s = request.budget_s;
  policy.rounds = request.rounds.value_or(0);
  if (request.rounds && *request.rounds < kLeastCalibrationRounds) {
    throw Error(Exit::kUsage, "--rounds " + std::to_string(*request.rounds) +
                                  " is too few: a calibration needs 6 rounds, and 20 to say much");
  }
  validate(policy);
  return policy;
}

// Every round is measured in full whatever the looks say; they are planned so that the session can
// be judged as a gate's can.
void PlanRounds(Session& session, double left_s, GateDisplay& display) {
  const Policy& policy = session.policy;
  const double round_s = session.schedule.round_s;
  int rounds = policy.rounds;
  if (rounds == 0) {
    rounds = round_s > 0 ? static_cast<int>(std::clamp(left_s / round_s, 0.0, 1.0 * kMostRounds))
                         : kWantedCalibrationRounds;
  }
  if (round_s > 0 && rounds < kLeastCalibrationRounds) {
    throw Error(Exit::kUsage,
                "the budget allows about " + std::to_string(rounds) + " round(s) of " +
                    std::to_string(std::lround(std::ceil(round_s))) +
                    " s; a calibration needs 6, and 20 to say much: raise --budget to about " +
                    std::to_string(std::lround(std::ceil(
                        policy.budget_s - left_s + (kWantedCalibrationRounds + 1) * round_s))) +
                    "s or narrow --filter");
  }
  if (rounds < kWantedCalibrationRounds) {
    display.Say("perfgate: " + std::to_string(rounds) +
                " rounds only: below 20 every figure of a calibration is rough");
  }
  ScheduleLooks(stats::plan_looks(policy.alpha, std::max(rounds, kLeastCalibrationRounds), true), 0,
                session);
}

// The reason stands in the session's faults; the first few are enough.
std::string FaultList(const Session& session) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, session.faults.size()); ++i) {
    const Fault& fault = session.faults[i];
    text += "\n  ";
    if (fault.case_index < session.cases.size()) {
      text += session.cases[fault.case_index].name + ": ";
    }
    text += std::string(to_string(fault.kind)) + (fault.detail.empty() ? "" : ": " + fault.detail);
  }
  return text;
}

}  // namespace

Session MeasureCalibration(const CalibrationRequest& request, GateDisplay& display) {
  measure::ArmPlan baseline = ExecutableArm(request.measure, "baseline", request.executable);
  measure::ArmPlan candidate = {"candidate", baseline.executable};
  const measure::MeasurePlan plan = PlanMeasurement(request.measure, MeasuringPolicy(request),
                                                    {std::move(baseline), std::move(candidate)});
  const Decider decider = {
      [&](Session& session, double left_s) { PlanRounds(session, left_s, display); },
      [](const Session& session) { return std::vector<bool>(session.cases.size(), true); }};
  Session session = measure::Measure(plan, HooksOf(decider, display));
  KeepSession(request.measure, session);
  return session;
}

CalibrationResult JudgeCalibration(const CalibrationRequest& request, const Session& session) {
  CalibrationResult result;
  try {
    result.calibration = calibrate_noise(session, GatePolicy(request));
  } catch (const Error& error) {
    const std::string message =
        session.cases.empty() ? "no case to calibrate: there is none, or the filter leaves none"
                              : error.what() + FaultList(session);
    throw Error(ExitWithoutCalibration(session, error), message);
  }
  const bool failed = std::any_of(session.faults.begin(), session.faults.end(), IsFailure);
  result.exit = failed ? Exit::kFailed : Exit::kPass;
  return result;
}

}  // namespace perfgate::gate
