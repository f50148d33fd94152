// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/gate_files.h"

#include <cctype>
#include <filesystem>
#include <fstream>

#include "perfgate/error.h"
#include "perfgate/evidence/files.h"
#include "perfgate/evidence/sha256.h"
#include "perfgate/evidence/strict_json.h"
#include "perfgate/import/detect.h"
#include "perfgate/import/to_session.h"
#include "perfgate/verdict/imported_gate.h"

namespace perfgate::cli {
namespace {

bool is_session(const std::string& text) {
  constexpr std::size_t kHead = 200;
  return text.substr(0, kHead).find("\"perfgate-session\"") != std::string::npos;
}

Session read_results(const std::string& path, const std::string& label, const Policy& policy,
                     const std::string& suite) {
  if (is_session(read_file_text(path))) return read_session(path);
  foreign::SessionOptions options;
  options.arm = label;
  options.suite = suite;
  options.importer = "perfgate " PERFGATE_VERSION;
  options.policy = policy;
  const foreign::Document document = foreign::read_foreign(path);
  return foreign::to_session({&document, 1}, options);
}

}  // namespace

bool names_results(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  char first = '\0';
  while (file.get(first)) {
    if (std::isspace(static_cast<unsigned char>(first)) == 0) break;
  }
  return first == '{' || first == '[';
}

SuiteVerdict gate_on_files(const std::string& baseline, const std::string& candidate,
                           const Policy& policy, const std::vector<std::string>& allowed,
                           const std::string& suite) {
  for (const std::string& path : {baseline, candidate}) {
    if (!names_results(path)) {
      throw Error(Exit::kUsage, path +
                                    ": results can only be compared with results: give two "
                                    "executables, or two files that `perfgate import` reads");
    }
  }
  if (sha256_hex(read_file_text(baseline)) == sha256_hex(read_file_text(candidate))) {
    throw Error(Exit::kInvalid, candidate + ": is the same file as the baseline, byte for byte");
  }
  StoredEvidence evidence =
      evidence_of_files(read_results(baseline, "baseline", policy, suite),
                        read_results(candidate, "candidate", policy, suite), policy);
  evidence.allowed = allowed;
  return decide_stored(evidence);
}

}  // namespace perfgate::cli
