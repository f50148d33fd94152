// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/recorded/stored.h"

#include <algorithm>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/gate/experiments/recording.h"
#include "perfgate/gate/layouts.h"
#include "perfgate/gate/recorded/store_folder.h"
#include "perfgate/gate/recorded/trusted.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/store/executable_cache.h"
#include "perfgate/verdict/recorded/contract.h"
#include "perfgate/verdict/recorded/imported_gate.h"
#include "perfgate/verdict/recorded/qualification.h"
#include "perfgate/verdict/recorded/session_rows.h"
#include "perfgate/verdict/recorded/stored_gate.h"

namespace perfgate::gate {
namespace {

std::optional<std::string> CachedExecutable(const std::string& folder, const std::string& digest,
                                            std::string& why_not) {
  auto cached = store::cached_executable(folder, digest);
  if (!cached) {
    why_not = "the executable of the baseline is not in " + folder +
              ": keep that folder between runs, or rebuild it with ci/gate";
    return std::nullopt;
  }
  std::string found;
  try {
    found = DigestOfProgram(*cached);
  } catch (const Error& error) {
    why_not = std::string(error.what()) + " (kept without its libraries by an earlier release?)";
    return std::nullopt;
  }
  if (found != digest) {
    why_not = *cached +
              " is not the executable that the baseline names (its digest differs; "
              "libraries that it finds by an absolute path are not kept)";
    return std::nullopt;
  }
  return cached;
}

// "baselines" at a revision.
std::string AtRevision(const std::string& name, const std::string& trusted) {
  if (trusted.empty() || name.starts_with("git:")) return name;
  return "git:" + trusted + ":" + name;
}

// A commit id is the digest of all that it holds, so what lies there needs no other signature.
// Where it has one, that counts.
store::Baseline ReadBaseline(const StoreFolder& folder, const GateRequest& request) {
  const Machine machine = measure::probe_machine();
  const SecretKey* key = request.measure.signer();
  try {
    return BaselineOfMachine(folder, request.measure.suite, machine, key);
  } catch (const Error& error) {
    if (request.store.trusted.empty() || key == nullptr || error.exit() != Exit::kInvalid) throw;
    try {
      return BaselineOfMachine(folder, request.measure.suite, machine);
    } catch (const Error&) {
      throw error;
    }
  }
}

}  // namespace

std::vector<std::string> OverridableReasons() {
  std::vector<std::string> reasons = contract_reasons();
  reasons.insert(reasons.end(), imported_reasons().begin(), imported_reasons().end());
  return reasons;
}

void RequireStoreRequest(const GateRequest& request) {
  if (request.candidate.empty()) {
    throw Error(Exit::kUsage, "--candidate is missing; a gate compares two executables");
  }
  if (request.aa) throw Error(Exit::kUsage, "--aa takes an executable, not a store");
  const bool warns = request.suspected == Suspicion::kWarns;
  if (!request.store.trusted.empty() && (request.bootstrap || warns)) {
    throw Error(Exit::kUsage, std::string("with --trusted, ") +
                                  (request.bootstrap ? "--bootstrap" : "--suspected warn") +
                                  " is not allowed: it lets pass what would not");
  }
}

StoreBase OpenStore(const GateRequest& request) {
  const StoreFolder folder(AtRevision(request.baseline, request.store.trusted));
  StoreBase base;
  base.baseline = ReadBaseline(folder, request);
  const Policy own = base.baseline.policy.value_or(Policy{});
  base.policy = ResolvePolicy(request.measure.policy, own, request.measure.signer());
  if (!request.store.trusted.empty()) RequireTighter(own, base.policy, request);
  if (request.store.numbers) {
    base.why_not = "--numbers was given";
  } else {
    base.executable = CachedExecutable(
        request.store.cache, base.baseline.sessions.back().session.executable.digest, base.why_not);
  }
  return base;
}

bool IsAcceptedState(const std::string& executable, const StoreBase& base) {
  return DigestOfProgram(executable) == base.baseline.sessions.back().session.executable.digest;
}

SuiteVerdict GateOnNumbers(const StoreBase& base, const GateRequest& request,
                           GateDisplay& display) {
  StoredEvidence evidence;
  std::vector<RecordedSession> all;
  for (const store::StoredFile& file : base.baseline.sessions) all.push_back(file.session);
  evidence.baseline = of_newest_executable(all);
  evidence.policy = base.policy;
  evidence.baseline_head = base.baseline.head;
  evidence.allowed = request.allow;
  const Qualification qualification = qualify(evidence.baseline, base.policy);
  evidence.qualified = qualification.qualified;
  evidence.qualification = qualification.text;

  RecordRequest plan;
  plan.executable = request.candidate;
  plan.label = "candidate";
  plan.suite = base.baseline.suite;
  plan.policy = base.policy;
  // As the baseline was measured: other plans have other noise, and other set-up shares.
  plan.policy.rounds = evidence.baseline.back().rounds;
  plan.policy.slice_s = evidence.baseline.back().slice_s;
  plan.policy.pairs = evidence.baseline.back().pairs;
  plan.preload =
      request.measure.preload && evidence.baseline.back().executable.driver == DriverKind::kWorker;
  plan.cpus = request.measure.cpus;
  plan.isolation = request.measure.isolation;
  plan.sessions = request.store.sessions;
  plan.gap_s = request.store.session_gap_s;
  evidence.candidate = RecordSessions(plan, display);

  SuiteVerdict verdict = decide_stored(evidence);
  verdict.warnings.insert(verdict.warnings.begin(), "compared with numbers only: " + base.why_not);
  verdict.warnings.insert(verdict.warnings.end(), base.baseline.notes.begin(),
                          base.baseline.notes.end());
  return verdict;
}

}  // namespace perfgate::gate
