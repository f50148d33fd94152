// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/roots/roots.h"

#include <filesystem>

#include "perfgate/base/error.h"
#include "perfgate/base/sha256.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/signature.h"
#include "perfgate/store/git.h"

namespace perfgate::gate {
namespace {

void RequireConsistent(const RootsRequest& roots, const std::string& ledger) {
  if (roots.change.empty() && !roots.repository.empty()) {
    throw Error(Exit::kUsage, "--repository says where a change is: give --change too");
  }
  if (ledger.empty() && !roots.ledger_head.empty()) {
    throw Error(Exit::kUsage, "--ledger-head is of a ledger: give --ledger too");
  }
}

}  // namespace

void ResolveRoots(GateRequest& request, GateDisplay& display) {
  RootsRequest& roots = request.roots;
  RequireConsistent(roots, request.ledger);
  if (!roots.change.empty() && roots.repository.empty()) {
    const auto name = store::RepositoryName();
    if (!name) {
      throw Error(Exit::kUsage,
                  "--change " + roots.change +
                      ": this folder is in no git repository, so name it with --repository TEXT");
    }
    roots.repository = *name;
  }
  std::string& trusted = request.store.trusted;
  if (trusted.empty()) return;
  roots.trusted_name = trusted;
  trusted = store::ResolveCommit(trusted);
  if (roots.trusted_name != trusted) {
    display.Say("perfgate: --trusted " + roots.trusted_name + " is the commit " + trusted);
  }
}

GateRequest WithHiddenFiles(GateRequest request) {
  std::vector<std::string>& hidden = request.measure.isolation.hidden;
  for (const std::string& path : {request.measure.session, request.measure.policy.file,
                                  request.ledger, request.store.cache, request.metrics}) {
    if (!path.empty()) hidden.push_back(path);
  }
  return request;
}

store::Pair LedgerPair(const GateRequest& request, const std::string& suite,
                       const std::string& baseline, const std::string& candidate,
                       const std::string& stage) {
  return {suite, baseline, candidate, request.roots.repository, request.roots.change, stage};
}

store::LedgerTrust LedgerTrustOf(const GateRequest& request) {
  return {request.measure.key, request.roots.ledger_head};
}

void EnterRoots(const GateRequest& request, SuiteVerdict& verdict) {
  const RootsRequest& roots = request.roots;
  verdict.repository = roots.repository;
  verdict.change = roots.change;
  verdict.trusted_commit = request.store.trusted;
  if (!roots.trusted_name.empty() && !store::IsFullCommit(roots.trusted_name)) {
    verdict.warnings.push_back(roots.trusted_name + " is a name that can move: it was " +
                               request.store.trusted + "; give the full commit id");
  }
  std::error_code error;
  const std::string& session = request.measure.session;
  // /dev/null and pipes take a session and keep none.
  if (!session.empty() && std::filesystem::is_regular_file(session, error)) {
    constexpr InputKind kWritten = {"session", 2048 * kMiB, LastLink::kFollowed};
    verdict.session_digest = sha256_digest(ReadInputFile(session, kWritten));
  }
}

std::string VerdictText(const SuiteVerdict& verdict, const SecretKey* key) {
  const std::string text = verdict_to_json(verdict);
  return key == nullptr ? text : WithSignature(text, "the verdict", *key);
}

}  // namespace perfgate::gate
