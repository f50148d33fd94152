// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/gate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "perfgate/base/text/format_number.h"
#include "perfgate/gate/attempts.h"
#include "perfgate/gate/policy_request.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/gate/recorded/results.h"
#include "perfgate/gate/recorded/store_folder.h"
#include "perfgate/gate/recorded/stored.h"
#include "perfgate/measure/identity/identity.h"
#include "perfgate/measure/identity/one_library.h"
#include "perfgate/stats/design/looks.h"
#include "perfgate/verdict/comparability.h"
#include "perfgate/verdict/gate/experiment.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/look_plan.h"
#include "perfgate/verdict/gate/suite_verdict.h"

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

void PlanLooks(double left_s, const Attempts& attempts, Session& session, GateDisplay& display) {
  attempts.RequireSameCases(session);
  if (build_mismatch(session.arms[0], session.arms[1])) return;  // nothing to measure
  const Policy& policy = session.policy;
  const int rounds = affordable_rounds(policy, session.schedule.round_s, left_s);
  const std::optional<Session>& before = attempts.before();
  const std::vector<stats::Look> looks =
      before ? looks_after(*before, policy, rounds) : looks_within(policy, rounds);
  ScheduleLooks(looks, before ? static_cast<int>(before->rounds.size()) : 0, session);
  if (stats::can_fail(looks)) return;
  Warn(before ? "earlier attempts on these executables have used up alpha: this one can only pass "
                "or stay inconclusive."
              : CannotFailWarning(policy, rounds, session.schedule.round_s),
       session, display);
}

// Looks over the rounds of all attempts.
Decider DecideWithAttempts(Attempts& attempts, GateDisplay& display) {
  return {[&](Session& session, double left_s) {
            PlanLooks(left_s, attempts, session, display);
            attempts.Start(session);
          },
          [&](const Session& session) {
            const Session pooled = attempts.Pooled(session);
            attempts.KeepLook(pooled);
            return open_cases(pooled);
          }};
}

measure::MeasurePlan PlanPair(const GateRequest& request, const Policy& policy) {
  measure::ArmPlan baseline = ExecutableArm("baseline", request.baseline);
  measure::ArmPlan candidate = {"candidate", baseline.executable};
  if (request.candidate != request.baseline) {
    candidate = ExecutableArm("candidate", request.candidate);
  }
  const bool same_digest = baseline.executable.digest == candidate.executable.digest;
  if (request.aa && !same_digest) {
    throw Error(Exit::kUsage,
                "--aa measures an executable against itself, but these two differ: drop --aa, or "
                "give the same one twice");
  }
  measure::MeasurePlan plan =
      PlanMeasurement(request.measure, policy, {std::move(baseline), std::move(candidate)});
  return plan;
}

// What two arms of one digest are, proven or not. The cache of executables also holds what
// is known of their maps.
measure::Identity IdentityOf(const GateRequest& request, const measure::MeasurePlan& plan) {
  const measure::Executable& baseline = plan.arms[0].executable;
  const measure::Executable& candidate = plan.arms[1].executable;
  if (request.aa) return {};
  if (const auto library = measure::OneLibraryForBoth(baseline, candidate)) {
    throw Error(Exit::kNotComparable, *library);
  }
  if (baseline.digest != candidate.digest) return {};
  measure::Identity identity = measure::ProveIdentical(plan, request.store.cache + "/mapped");
  if (!identity.one_library.empty()) throw Error(Exit::kNotComparable, identity.one_library);
  return identity;
}

// A suite that the base does not know yet: nothing to compare, said plainly.
void AcceptNewSuite(SuiteVerdict& verdict) {
  const bool all_new =
      std::all_of(verdict.columns.begin(), verdict.columns.end(), [](const ColumnVerdict& c) {
        return c.verdict == Verdict::kNew || c.verdict == Verdict::kSkipped;
      });
  if (verdict.exit != Exit::kNotComparable || !all_new || verdict.columns.empty()) return;
  verdict.exit = Exit::kPass;
  verdict.warnings.emplace_back("bootstrap: every case is new, nothing was compared");
}

// Measures both executables side by side. base: what a store says of the first, or none.
GateResult GateExecutables(const GateRequest& request, const Policy& policy, const StoreBase* base,
                           GateDisplay& display) {
  measure::MeasurePlan plan = PlanPair(request, policy);
  const measure::Identity identity = IdentityOf(request, plan);
  plan.list_only = identity.proven;
  // The ledger knows executables by their digests, which do not tell these two apart.
  const bool with_ledger = !plan.list_only && !request.aa && identity.why_not.empty();
  Attempts attempts(with_ledger ? request.ledger : "",
                    {plan.suite, plan.arms[0].executable.digest, plan.arms[1].executable.digest},
                    display);
  const Decider decider = DecideWithAttempts(attempts, display);
  Session session = attempts.Decided(policy)
                        ? *attempts.before()
                        : attempts.Pooled(measure::Measure(plan, HooksOf(decider, display)));
  KeepSession(request.measure, session);
  SuiteVerdict verdict = plan.list_only ? decide_identical(session) : decide(session);
  verdict.aa = request.aa;
  if (request.bootstrap) AcceptNewSuite(verdict);
  if (!identity.why_not.empty()) {
    verdict.warnings.push_back("the executables have one digest and were measured all the same: " +
                               identity.why_not);
  }
  attempts.End(session, verdict);
  if (base != nullptr) {
    verdict.baseline_head = base->baseline.head;
    verdict.warnings.insert(verdict.warnings.end(), base->baseline.notes.begin(),
                            base->baseline.notes.end());
  }
  const Exit exit = verdict.exit;
  return {std::move(verdict), std::move(session), exit};
}

GateResult GateRecorded(SuiteVerdict verdict, Suspicion suspected) {
  const Exit exit = ExitOfGate(verdict, suspected);
  return {std::move(verdict), std::nullopt, exit};
}

GateResult GateAgainstStore(GateRequest request, GateDisplay& display) {
  RequireStoreRequest(request);
  const StoreBase base = OpenStore(request);
  if (request.measure.suite.empty()) request.measure.suite = base.baseline.suite;
  // The same executable needs neither a cache nor numbers to be no slower than itself.
  if (!request.store.numbers && IsAcceptedState(request.candidate, base)) {
    request.baseline = request.candidate;
    return GateExecutables(request, base.policy, &base, display);
  }
  if (base.executable) {
    request.baseline = *base.executable;
    return GateExecutables(request, base.policy, &base, display);
  }
  if (!request.measure.session.empty()) {
    throw Error(Exit::kUsage,
                "--session needs both executables; only numbers can be compared: " + base.why_not);
  }
  return GateRecorded(GateOnNumbers(base, request, display), request.suspected);
}

void ResolveArms(GateRequest& request) {
  std::string& baseline = request.baseline;
  std::string& candidate = request.candidate;
  if (baseline.empty() && candidate.empty()) {
    throw Error(Exit::kUsage,
                "name the executables: --baseline OLD --candidate NEW (or --aa --candidate EXE)");
  }
  if (baseline.empty() != candidate.empty() && !request.aa) {
    throw Error(Exit::kUsage, std::string("--") + (baseline.empty() ? "baseline" : "candidate") +
                                  " is missing; a gate compares two executables");
  }
  if (baseline.empty()) baseline = candidate;
  if (candidate.empty()) candidate = baseline;
}

}  // namespace

GateResult RunGate(const GateRequest& request, GateDisplay& display) {
  RequireForeign(request.metrics, {request.baseline, request.candidate});
  if (NamesStore(request.baseline)) return GateAgainstStore(request, display);
  if (!request.store.trusted.empty()) {
    throw Error(Exit::kUsage, "--trusted needs a store as --baseline");
  }
  GateRequest resolved = request;
  ResolveArms(resolved);
  const Policy policy = ResolvePolicy(resolved.measure.policy);
  if (NamesResults(resolved.baseline) || NamesResults(resolved.candidate)) {
    return GateRecorded(GateOnResults(resolved, policy), resolved.suspected);
  }
  return GateExecutables(resolved, policy, nullptr, display);
}

}  // namespace perfgate::gate
