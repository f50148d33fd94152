// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/gate.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "perfgate/base/sha256.h"
#include "perfgate/gate/arm_settings.h"
#include "perfgate/gate/attempts.h"
#include "perfgate/gate/commands.h"
#include "perfgate/gate/confirmation.h"
#include "perfgate/gate/hot_code.h"
#include "perfgate/gate/layouts.h"
#include "perfgate/gate/looks.h"
#include "perfgate/gate/policy_request.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/gate/recorded/results.h"
#include "perfgate/gate/recorded/store_folder.h"
#include "perfgate/gate/recorded/stored.h"
#include "perfgate/gate/roots/roots.h"
#include "perfgate/measure/identity/identity.h"
#include "perfgate/measure/identity/one_library.h"
#include "perfgate/measure/measure.h"
#include "perfgate/verdict/gate/conclusion_check.h"
#include "perfgate/verdict/gate/suite_verdict.h"

namespace perfgate::gate {
namespace {

// What a ledger knows an arm by.
std::string LedgerDigest(const measure::ArmPlan& arm) {
  const std::string& digest = arm.layouts.empty() ? arm.executable.digest : arm.layouts_digest;
  const std::string settings = SettingsText(arm);
  return settings.empty() ? digest : sha256_digest(digest + "\n" + settings);
}

bool DifferInSettings(const GateRequest& request) {
  return !(request.baseline_arm == request.candidate_arm) || !request.cases.empty();
}

measure::MeasurePlan PlanPair(const GateRequest& request, const Policy& policy) {
  measure::ArmPlan baseline = ExecutableArm(request.measure, "baseline", request.baseline);
  measure::ArmPlan candidate = baseline;
  candidate.label = "candidate";
  if (request.candidate != request.baseline) {
    candidate = ExecutableArm(request.measure, "candidate", request.candidate);
  }
  ApplySettings(request.baseline_arm, baseline);
  ApplySettings(request.candidate_arm, candidate);
  ApplyCasePairs(request.cases, baseline, candidate);
  if (request.aa && DifferInSettings(request)) {
    throw Error(Exit::kUsage,
                "--aa measures an executable against itself, and here the arms are run differently "
                "or in different cases: drop --aa");
  }
  const bool same_digest = baseline.executable.digest == candidate.executable.digest;
  if (request.aa && !same_digest) {
    throw Error(Exit::kUsage,
                "--aa measures an executable against itself, but these two differ: drop --aa, or "
                "give the same one twice");
  }
  measure::MeasurePlan plan = PlanMeasurement(
      request.measure, policy, {std::move(baseline), std::move(candidate)}, OverLayouts::kNo);
  plan.alternatives = request.expect_different;
  const std::string one_sided = OneSidedLayouts(plan.arms);
  if (policy.layouts != LayoutUse::kOff && !one_sided.empty()) plan.warnings.push_back(one_sided);
  return plan;
}

// What two arms of one digest are, proven or not. The cache of executables also holds what
// is known of their maps.
measure::Identity IdentityOf(const GateRequest& request, const measure::MeasurePlan& plan) {
  const measure::Executable& baseline = plan.arms[0].executable;
  const measure::Executable& candidate = plan.arms[1].executable;
  if (request.aa) return {};
  if (baseline.digest == candidate.digest && DifferInSettings(request)) return {};
  if (const auto library = measure::OneLibraryForBoth(baseline, candidate)) {
    throw Error(Exit::kNotComparable, *library);
  }
  if (baseline.digest != candidate.digest) return {};
  measure::Identity identity = measure::ProveIdentical(plan, request.store.cache + "/mapped");
  if (!identity.one_library.empty()) throw Error(Exit::kNotComparable, identity.one_library);
  return identity;
}

// The experiment on one link of each arm, or over layouts where the plan has some.
Session MeasurePair(const GateRequest& request, const measure::MeasurePlan& plan,
                    Attempts& attempts, GateDisplay& display) {
  const Decider decider = DecideWithAttempts(plan, attempts, display);
  Session session = attempts.Decided(plan.policy)
                        ? *attempts.before()
                        : attempts.Pooled(measure::Measure(plan, HooksOf(decider, display)));
  KeepSession(request.measure, session);
  return session;
}

SuiteVerdict JudgePair(const measure::MeasurePlan& plan, const Session& session) {
  return plan.list_only ? decide_identical(session) : decide(session);
}

// Both stages: one link of each arm first, then over layouts what that would name.
std::pair<Session, SuiteVerdict> GateInTwoStages(const GateRequest& request,
                                                 const measure::MeasurePlan& plan,
                                                 Attempts& attempts, GateDisplay& display) {
  Confirmation confirmation(request, plan, display);
  std::optional<Session> session = confirmation.LinkStage();
  SuiteVerdict first;
  if (session) {
    first = decide(*session);
  } else {
    session = MeasurePair(request, plan, attempts, display);
    first = decide(*session);
    attempts.End(*session, first);
  }
  confirmation.Confirm(first, *session);
  if (session->confirmation.empty()) {
    // The ledger has that verdict already, and a regression there is final.
    if (request.ledger.empty()) ExplainCases(plan, request.hot_code, *session, display);
    if (!session->hot_code.empty()) {
      KeepSession(request.measure, *session);
      first = decide(*session);
    }
    first.warnings = session->warnings;
    return {std::move(*session), std::move(first)};
  }
  KeepSession(request.measure, *session);
  SuiteVerdict verdict = decide(*session);
  confirmation.End(*session, verdict);
  return {std::move(*session), std::move(verdict)};
}

// Measures both executables side by side. base: what a store says of the first, or none.
GateResult GateExecutables(const GateRequest& asked, const Policy& policy, const StoreBase* base,
                           GateDisplay& display) {
  const GateRequest request = WithHiddenFiles(asked);
  measure::MeasurePlan plan = PlanPair(request, policy);
  const measure::Identity identity = IdentityOf(request, plan);
  plan.list_only = identity.proven;
  const LayoutUse layouts = plan.list_only ? LayoutUse::kOff : LayoutsInUse(policy, plan.arms);
  if (layouts == LayoutUse::kAlways) {
    for (measure::ArmPlan& arm : plan.arms)
      AddLayouts({}, plan.isolation ? Linking::kNever : Linking::kAsNeeded, arm);
  }
  // The ledger knows executables by their digests, which do not tell two apart that load other
  // files.
  const bool with_ledger = !plan.list_only && !request.aa && identity.why_not.empty();
  Attempts attempts(
      with_ledger ? request.ledger : "",
      LedgerPair(request, plan.suite, LedgerDigest(plan.arms[0]), LedgerDigest(plan.arms[1])),
      LedgerTrustOf(request), display);
  Session session;
  SuiteVerdict verdict;
  if (layouts == LayoutUse::kConfirm) {
    std::tie(session, verdict) = GateInTwoStages(request, plan, attempts, display);
  } else {
    session = MeasurePair(request, plan, attempts, display);
    ExplainCases(plan, request.hot_code, session, display);
    if (!session.hot_code.empty()) KeepSession(request.measure, session);
    verdict = JudgePair(plan, session);
    attempts.End(session, verdict);
  }
  verdict.aa = request.aa;
  if (request.bootstrap) AcceptNewSuite(verdict);
  if (request.expect_different) AcceptDifference(verdict);
  if (!identity.why_not.empty()) {
    verdict.warnings.push_back("the executables have one digest and were measured all the same: " +
                               identity.why_not);
  }
  if (base != nullptr) {
    verdict.baseline_head = base->baseline.head;
    verdict.warnings.insert(verdict.warnings.end(), base->baseline.notes.begin(),
                            base->baseline.notes.end());
  }
  const Exit exit = verdict.exit;
  return {std::move(verdict), std::move(session), exit};
}

void RequireCommands(const GateRequest& request) {
  std::string odd;
  if (request.aa) odd = "--aa: give one command twice";
  if (!request.cases.empty()) odd = "cases of two names: a command is one case";
  if (!(request.baseline_arm.arguments + request.candidate_arm.arguments).empty()) {
    odd = "arguments of an arm: they stand in its command";
  }
  if (!request.store.trusted.empty()) odd = "--trusted";
  if (!odd.empty()) throw Error(Exit::kUsage, "--command does not go with " + odd);
}

GateResult GateCommands(const GateRequest& request, const Policy& policy, GateDisplay& display) {
  RequireCommands(request);
  measure::ArmPlan baseline = CommandArm("baseline", request.baseline, request.command);
  measure::ArmPlan candidate = CommandArm("candidate", request.candidate, request.command);
  ApplySettings(request.baseline_arm, baseline);
  ApplySettings(request.candidate_arm, candidate);
  measure::MeasurePlan plan =
      PlanMeasurement(request.measure, PolicyOfCommands(policy),
                      {std::move(baseline), std::move(candidate)}, OverLayouts::kNo);
  plan.alternatives = request.expect_different;
  Attempts attempts(
      request.ledger,
      LedgerPair(request, plan.suite, LedgerDigest(plan.arms[0]), LedgerDigest(plan.arms[1])),
      LedgerTrustOf(request), display);
  const CommandSurroundings surroundings(request.command);
  Session session = MeasurePair(request, plan, attempts, display);
  SuiteVerdict verdict = decide(session);
  attempts.End(session, verdict);
  verdict.aa = LedgerDigest(plan.arms[0]) == LedgerDigest(plan.arms[1]);
  if (request.expect_different) AcceptDifference(verdict);
  const Exit exit = verdict.exit;
  return {std::move(verdict), std::move(session), exit};
}

GateResult GateRecorded(SuiteVerdict verdict, Suspicion suspected) {
  const Exit exit = ExitOfGate(verdict, suspected);
  return {std::move(verdict), std::nullopt, exit};
}

// Of recorded sessions nobody knows the wall time, so a stranger's times cannot be checked.
void WithholdPass(const StoreBase& base, GateResult& result) {
  result.verdict.exit = result.exit = Exit::kInconclusive;
  result.verdict.warnings.emplace_back(std::string(kNumbersPassNoStranger) + ": " + base.why_not);
}

GateResult GateAgainstStore(GateRequest request, GateDisplay& display) {
  if (DifferInSettings(request) || !(request.baseline_arm == ArmSettings{})) {
    throw Error(Exit::kUsage,
                "arguments, variables and cases of an arm belong to two executables; " +
                    request.baseline + " is a store, whose state was recorded without them");
  }
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
  const GateRequest hidden = WithHiddenFiles(request);
  GateResult result = GateRecorded(GateOnNumbers(base, hidden, display), request.suspected);
  const bool is_strangers = request.measure.isolation.use != measure::IsolationUse::kNone;
  if (is_strangers && result.exit == Exit::kPass) WithholdPass(base, result);
  return result;
}

void ResolveArms(GateRequest& request) {
  std::string& baseline = request.baseline;
  std::string& candidate = request.candidate;
  if (baseline.empty() && candidate.empty()) {
    throw Error(Exit::kUsage,
                "name the executables: --baseline OLD --candidate NEW (or --aa --candidate EXE)");
  }
  if (candidate.empty() && DifferInSettings(request)) candidate = baseline;
  if (baseline.empty() != candidate.empty() && !request.aa) {
    throw Error(Exit::kUsage, std::string("--") + (baseline.empty() ? "baseline" : "candidate") +
                                  " is missing; a gate compares two executables");
  }
  if (baseline.empty()) baseline = candidate;
  if (candidate.empty()) candidate = baseline;
}

GateResult GateAsAsked(GateRequest resolved, GateDisplay& display) {
  if (!resolved.command.is_asked && NamesStore(resolved.baseline))
    return GateAgainstStore(resolved, display);
  ResolveArms(resolved);
  // The code of one program is the same whatever it is given, so that it is says nothing.
  if (DifferInSettings(resolved)) resolved.hot_code = HotCodeUse::kOff;
  const Policy policy = ResolvePolicy(resolved.measure.policy, {}, resolved.measure.signer());
  if (resolved.command.is_asked) return GateCommands(resolved, policy, display);
  if (NamesResults(resolved.baseline) || NamesResults(resolved.candidate)) {
    return GateRecorded(GateOnResults(resolved, policy), resolved.suspected);
  }
  return GateExecutables(resolved, policy, nullptr, display);
}

}  // namespace

GateResult RunGate(const GateRequest& request, GateDisplay& display) {
  RequireForeign(request.metrics, {request.baseline, request.candidate});
  const bool is_store = !request.command.is_asked && NamesStore(request.baseline);
  if (!request.store.trusted.empty() && !request.command.is_asked && !is_store) {
    throw Error(Exit::kUsage, "--trusted needs a store as --baseline");
  }
  GateRequest resolved = request;
  ResolveRoots(resolved, display);
  GateResult result = GateAsAsked(resolved, display);
  EnterRoots(resolved, result.verdict);
  return result;
}

}  // namespace perfgate::gate
