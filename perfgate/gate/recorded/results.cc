// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/recorded/results.h"

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/base/sha256.h"
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
  if (sha256_hex(read_file_text(request.baseline)) ==
      sha256_hex(read_file_text(request.candidate))) {
    throw Error(Exit::kInvalid,
                request.candidate + ": is the same file as the baseline, byte for byte");
  }
  const MetricRegistry registry = read_metrics(request.metrics);
  StoredEvidence evidence = evidence_of_files(
      ReadResults(request.baseline, "baseline", request.measure.suite, policy, registry),
      ReadResults(request.candidate, "candidate", request.measure.suite, policy, registry), policy);
  evidence.allowed = request.allow;
  return decide_stored(evidence);
}

}  // namespace perfgate::gate
