// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/recorded/results.h"

#include "perfgate/base/error.h"
#include "perfgate/base/sha256.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/signature.h"
#include "perfgate/gate/recorded/result_cases.h"
#include "perfgate/gate/recorded/result_files.h"
#include "perfgate/verdict/recorded/imported_gate.h"

namespace perfgate::gate {

SuiteVerdict GateOnResults(const GateRequest& request, const Policy& policy) {
  for (const std::string& path : {request.baseline, request.candidate}) {
    if (!NamesResults(path)) {
      throw Error(Exit::kUsage, path +
                                    ": results can only be compared with results: give two "
                                    "executables, or two files that `perfgate import` reads");
    }
  }
  for (const ArmSettings& settings : {request.baseline_arm, request.candidate_arm}) {
    if (settings == ArmSettings{}) continue;
    throw Error(Exit::kUsage, "arguments and variables belong to executables; " + request.baseline +
                                  " is a file of results");
  }
  const bool same = sha256_hex(ReadInputFile(request.baseline, kResultFile)) ==
                    sha256_hex(ReadInputFile(request.candidate, kResultFile));
  if (same && request.cases.empty()) {
    throw Error(Exit::kInvalid,
                request.candidate + ": is the same file as the baseline, byte for byte");
  }
  for (const std::string& path : {request.baseline, request.candidate}) {
    RequireSignature(ReadInputFile(path, kResultFile), path, request.measure.signer());
  }
  const MetricRegistry registry = read_metrics(request.metrics);
  const auto read = [&](const std::string& path, const std::string& label) {
    return ReadResults(path, label, request.measure.suite, policy, registry);
  };
  Session baseline = read(request.baseline, "baseline");
  Session candidate = read(request.candidate, "candidate");
  if (!request.cases.empty()) SelectCases(request.cases, same, baseline, candidate);
  StoredEvidence evidence =
      evidence_of_files(baseline, candidate, policy, same ? Launches::kShared : Launches::kOwn);
  evidence.allowed = request.allow;
  SuiteVerdict verdict = decide_stored(evidence);
  if (same) {
    verdict.warnings.push_back(
        "both arms are cases of one file: what a launch had in common is in both, and the cases "
        "ran one after the other");
  }
  return verdict;
}

}  // namespace perfgate::gate
