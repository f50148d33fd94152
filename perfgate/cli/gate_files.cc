// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/gate_files.h"

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/sha256.h"
#include "perfgate/cli/result_files.h"
#include "perfgate/verdict/recorded/imported_gate.h"

namespace perfgate::cli {

SuiteVerdict gate_on_files(const GateFiles& files, const Policy& policy) {
  for (const std::string& path : {files.baseline, files.candidate}) {
    if (!names_results(path)) {
      throw Error(Exit::kUsage, path +
                                    ": results can only be compared with results: give two "
                                    "executables, or two files that `perfgate import` reads");
    }
  }
  if (sha256_hex(read_file_text(files.baseline)) == sha256_hex(read_file_text(files.candidate))) {
    throw Error(Exit::kInvalid,
                files.candidate + ": is the same file as the baseline, byte for byte");
  }
  const MetricRegistry registry = read_metrics(files.metrics);
  StoredEvidence evidence = evidence_of_files(
      read_results(files.baseline, "baseline", files.suite, policy, registry),
      read_results(files.candidate, "candidate", files.suite, policy, registry), policy);
  evidence.allowed = files.allowed;
  return decide_stored(evidence);
}

}  // namespace perfgate::cli
