// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/looks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "perfgate/base/text/format_number.h"
#include "perfgate/measure/layout_draw.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/gate/experiment.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/look_plan.h"

namespace perfgate::gate {
namespace {

std::string CannotFailWarning(const Policy& policy, int rounds, double round_s) {
  const std::string consequence = "this gate can only pass or stay inconclusive. ";
  if (policy.rounds > 0) {
    return "in " + std::to_string(rounds) + " round(s) no regression can be shown at alpha " +
           format_number(policy.alpha) + ": " + consequence +
           (rounds < kFewestToFail ? "Raise --rounds to 10 or more."
                                   : "Raise --rounds or --alpha.");
  }
  char round_text[32];
  std::snprintf(round_text, sizeof round_text, round_s < 10 ? "%.2g" : "%.0f", round_s);
  return "the budget allows about " + std::to_string(std::max(rounds, 0)) + " round(s) of " +
         round_text + " s, and a regression needs 10: " + consequence + "Raise --budget to about " +
         std::to_string(std::lround(std::ceil((kFewestToFail + 1) * round_s))) +
         "s or narrow --filter.";
}

std::string TooFewLayoutsWarning(int layouts) {
  return "an arm has " + std::to_string(layouts) +
         " layout(s) that no round ran yet, and a regression needs 10: this gate can only pass or "
         "stay inconclusive. Link more of them (perfgate relink --count 40).";
}

void PlanLooks(double left_s, const measure::MeasurePlan& plan, const Attempts& attempts,
               Session& session, GateDisplay& display) {
  attempts.RequireSameCases(session);
  if (build_mismatch(session.arms[0], session.arms[1])) return;  // nothing to measure
  const Policy& policy = session.policy;
  const std::optional<int> layouts = measure::RoundsOfLayouts(plan);
  int rounds = affordable_rounds(policy, session.schedule.round_s, left_s);
  const bool too_few_layouts = layouts && *layouts < std::min(rounds, kFewestToFail);
  // A number of rounds that was asked for is refused where layouts do not reach (measure.h).
  if (layouts && policy.rounds == 0) rounds = std::min(rounds, *layouts);
  const std::optional<Session>& before = attempts.before();
  const std::vector<stats::Look> looks =
      before ? looks_after(*before, policy, rounds) : looks_within(policy, rounds);
  ScheduleLooks(looks, before ? static_cast<int>(before->rounds.size()) : 0, session);
  if (stats::can_fail(looks)) return;
  Warn(too_few_layouts ? TooFewLayoutsWarning(*layouts)
       : before
           ? "earlier attempts on these executables have used up alpha: this one can only pass "
             "or stay inconclusive."
           : CannotFailWarning(policy, rounds, session.schedule.round_s),
       session, display);
}

}  // namespace

Decider DecideWithAttempts(const measure::MeasurePlan& plan, Attempts& attempts,
                           GateDisplay& display) {
  return {.plan_looks =
              [&](Session& session, double left_s) {
                PlanLooks(left_s, plan, attempts, session, display);
                attempts.Start(session);
              },
          .open_cases =
              [&](const Session& session) {
                const Session pooled = attempts.Pooled(session);
                attempts.KeepLook(pooled);
                return open_cases(pooled);
              },
          // An attempt that goes on where others stopped may be short.
          .fits_rounds = !attempts.before().has_value()};
}

}  // namespace perfgate::gate
