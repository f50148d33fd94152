// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/gate_store.h"

#include <algorithm>
#include <utility>

#include "perfgate/base/text/duration.h"
#include "perfgate/cli/options/store_options.h"
#include "perfgate/cli/record_sessions.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/store/executable_cache.h"
#include "perfgate/verdict/recorded/contract.h"
#include "perfgate/verdict/recorded/imported_gate.h"
#include "perfgate/verdict/recorded/qualification.h"
#include "perfgate/verdict/recorded/session_rows.h"
#include "perfgate/verdict/recorded/stored_gate.h"

namespace perfgate::cli {
namespace {

// The overrides of a trusted run: nothing that lets a larger slowdown pass.
void require_tighter(const Policy& trusted, const Policy& asked, const MeasureOptions& options,
                     const StoreGateOptions& store) {
  const auto refuse = [](const std::string& option, const std::string& what) {
    throw Error(Exit::kUsage,
                "with --trusted, " + option + " may only tighten the policy: " + what);
  };
  if (!options.policy_file.empty()) refuse("--policy", "the revision's own policy is used");
  if (asked.tolerance > trusted.tolerance) refuse("--tolerance", "it accepts a larger slowdown");
  if (asked.alpha < trusted.alpha) refuse("--alpha", "a smaller one fails less often");
  if (asked.hide_limit > trusted.hide_limit) refuse("--hide-limit", "it hides a larger slowdown");
  if (asked.filter != trusted.filter) refuse("--filter", "it leaves out cases");
  if (asked.rounds > 0 && asked.rounds < 10) refuse("--rounds", "fewer than 10 cannot fail");
  if (asked.rounds > 0 && asked.rounds < trusted.rounds) refuse("--rounds", "fewer find less");
  if (asked.rounds == 0 && asked.budget_s < trusted.budget_s) refuse("--budget", "less finds less");
  if (asked.slice_s < trusted.slice_s) refuse("--slice", "shorter slices find less");
  if (asked.pairs < trusted.pairs) refuse("--pairs", "fewer slices find less");
  if (asked.allow_oversubscription && !trusted.allow_oversubscription) {
    refuse("--oversubscribe", "the revision does not allow it");
  }
  if (!options.seed.empty()) refuse("--seed", "coins that are known before can be played to");
  if (!store.allow.empty()) refuse("--allow", "it compares what does not compare");
  if (store.numbers) refuse("--numbers", "both executables measured together say more");
}

std::string checked_executable(const std::string& folder, const std::string& digest,
                               std::string& why_not) {
  const auto cached = store::cached_executable(folder, digest);
  if (!cached) {
    why_not = "the executable of the baseline is not in " + folder +
              ": keep that folder between runs, or rebuild it with ci/gate";
    return {};
  }
  if (measure::inspect_executable(*cached).digest != digest) {
    why_not = *cached + " is not the executable that the baseline names (its digest differs)";
    return {};
  }
  return *cached;
}

// "baselines" at a revision.
std::string at_revision(const std::string& name, const std::string& trusted) {
  if (trusted.empty() || name.starts_with("git:")) return name;
  return "git:" + trusted + ":" + name;
}

}  // namespace

std::vector<std::string> all_reasons() {
  std::vector<std::string> reasons = contract_reasons();
  reasons.insert(reasons.end(), imported_reasons().begin(), imported_reasons().end());
  return reasons;
}

void add_store_options(CLI::App& app, StoreGateOptions& options) {
  options.cache = kDefaultCache;
  app.add_option("--cache", options.cache,
                 std::string("Folder of executables of accepted states [") + kDefaultCache + "]")
      ->check(not_empty());
  app.add_option("--trusted", options.trusted,
                 "Read store and policy from this git revision; options may only tighten")
      ->check(not_empty());
  app.add_flag("--numbers", options.numbers,
               "Compare with the recorded numbers even where the executable is at hand");
  app.add_option("--sessions", options.sessions,
                 "Sessions of the candidate when only numbers are compared [3]")
      ->check(CLI::Range(1, 1000));
  app.add_option("--session-gap", options.gap, "Pause between those sessions [30s]")
      ->check(not_empty());
  app.add_option("--allow", options.allow,
                 "Compare although this differs, e.g. toolchain_mismatch; caps the claim")
      ->check(CLI::IsMember(all_reasons()));
}

StoreBase open_store(const std::string& name, const StoreGateOptions& options,
                     const MeasureOptions& measure) {
  const StoreFolder folder(at_revision(name, options.trusted));
  StoreBase base;
  base.baseline = baseline_of_machine(folder, measure.suite, measure::probe_machine());
  const Policy own = base.baseline.policy.value_or(Policy{});
  base.policy = make_policy(measure, own);
  if (!options.trusted.empty()) require_tighter(own, base.policy, measure, options);
  if (options.numbers) {
    base.why_not = "--numbers was given";
    return base;
  }
  const std::string found = checked_executable(
      options.cache, base.baseline.sessions.back().session.executable.digest, base.why_not);
  if (!found.empty()) base.executable = found;
  return base;
}

SuiteVerdict gate_on_numbers(const StoreBase& base, const std::string& candidate,
                             const StoreGateOptions& options, const MeasureOptions& measure) {
  StoredEvidence evidence;
  std::vector<RecordedSession> all;
  for (const store::StoredFile& file : base.baseline.sessions) all.push_back(file.session);
  evidence.baseline = of_newest_executable(all);
  evidence.policy = base.policy;
  evidence.baseline_head = base.baseline.head;
  evidence.allowed = options.allow;
  const Qualification qualification = qualify(evidence.baseline, base.policy);
  evidence.qualified = qualification.qualified;
  evidence.qualification = qualification.text;

  RecordPlan plan;
  plan.executable = candidate;
  plan.label = "candidate";
  plan.suite = base.baseline.suite;
  plan.policy = base.policy;
  // As the baseline was measured: other plans have other noise, and other set-up shares.
  plan.policy.rounds = evidence.baseline.back().rounds;
  plan.policy.slice_s = evidence.baseline.back().slice_s;
  plan.policy.pairs = evidence.baseline.back().pairs;
  plan.cpus = measure.cpus;
  plan.sessions = options.sessions;
  plan.gap_s = parse_duration_s(options.gap, "--session-gap");
  evidence.candidate = record_sessions(plan);

  SuiteVerdict verdict = decide_stored(evidence);
  verdict.warnings.insert(verdict.warnings.begin(), "compared with numbers only: " + base.why_not);
  verdict.warnings.insert(verdict.warnings.end(), base.baseline.notes.begin(),
                          base.baseline.notes.end());
  return verdict;
}

}  // namespace perfgate::cli
