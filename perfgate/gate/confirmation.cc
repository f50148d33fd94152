// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/confirmation.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/gate/layouts.h"
#include "perfgate/gate/looks.h"
#include "perfgate/gate/measuring.h"
#include "perfgate/gate/roots/roots.h"
#include "perfgate/layouts/layout_folder.h"
#include "perfgate/measure/measure.h"
#include "perfgate/verdict/gate/layout_stage.h"

namespace perfgate::gate {
namespace {

constexpr const char* kNotConfirmed =
    "not confirmed over layouts, so this verdict speaks of one link of each arm: ";

std::string LedgerOf(const GateRequest& request) { return request.aa ? "" : request.ledger; }

std::string LayoutsDigest(const measure::ArmPlan& arm) {
  return layouts::PopulationDigest(layouts::OpenLayouts(arm.layouts_folder).set);
}

std::set<int> SeedsRun(const std::optional<Session>& before, std::size_t arm) {
  std::set<int> seeds;
  if (!before || before->policy.reuse_layouts) return seeds;
  for (const RoundInfo& round : before->rounds) {
    if (arm < round.layouts.size()) seeds.insert(round.layouts[arm]);
  }
  return seeds;
}

std::string Named(const Session& session, const std::vector<std::size_t>& cases) {
  constexpr std::size_t kShown = 3;
  std::string names;
  for (std::size_t i = 0; i < cases.size() && i < kShown; ++i) {
    names += (i == 0 ? "" : ", ") + session.cases[cases[i]].name;
  }
  return cases.size() > kShown ? names + ", ..." : names;
}

}  // namespace

Confirmation::Confirmation(const GateRequest& request, const measure::MeasurePlan& plan,
                           GateDisplay& display)
    : request_(request),
      plan_(plan),
      display_(display),
      attempts_(LedgerOf(request),
                LedgerPair(request, plan.suite, LayoutsDigest(plan.arms[0]),
                           LayoutsDigest(plan.arms[1]), "layouts"),
                LedgerTrustOf(request), display) {}

bool Confirmation::HasLayouts(measure::MeasurePlan& plan, Session& session) const {
  try {
    for (std::size_t arm = 0; arm < plan.arms.size(); ++arm) {
      AddLayouts(SeedsRun(attempts_.before(), arm),
                 plan.isolation ? Linking::kNever : Linking::kAsNeeded, plan.arms[arm]);
    }
    return true;
  } catch (const Error& error) {
    Warn(kNotConfirmed + std::string(error.what()), session, display_);
    return false;
  }
}

std::optional<Session> Confirmation::MeasureStage(const measure::MeasurePlan& plan,
                                                  Session& session) {
  const Decider decider = DecideWithAttempts(plan, attempts_, display_);
  try {
    return attempts_.Pooled(measure::Measure(plan, HooksOf(decider, display_)));
  } catch (const Error& error) {
    if (error.exit() != Exit::kInconclusive) throw;
    Warn(kNotConfirmed + std::string(error.what()), session, display_);  // too small a budget
    return std::nullopt;
  }
}

void Confirmation::Confirm(const SuiteVerdict& first, Session& session) {
  const std::vector<std::size_t> cases = ScreenedCases(session, first);
  if (cases.empty() || !session.complete) return;
  measure::MeasurePlan plan = plan_;
  plan.only.emplace();
  for (const std::size_t c : cases) plan.only->push_back(session.cases[c].name);
  display_.Say("perfgate: " + std::to_string(cases.size()) +
               " case(s) to confirm over layouts: " + Named(session, cases));
  attempts_.GoOnFrom(session);
  if (!attempts_.Decided(plan.policy)) {
    if (!HasLayouts(plan, session)) return;
    std::optional<Session> stage = MeasureStage(plan, session);
    if (!stage) return;
    session.warnings.insert(session.warnings.end(), stage->warnings.begin(), stage->warnings.end());
    session.confirmation = {StageOf(session, *stage)};
  } else {
    session.confirmation = {StageOf(session, *attempts_.before())};
  }
}

void Confirmation::End(const Session& session, SuiteVerdict& verdict) {
  if (session.confirmation.empty()) return;
  attempts_.End(SessionOfStage(session, session.confirmation.front()), verdict);
}

}  // namespace perfgate::gate
