// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/verdict_file.h"

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/signature.h"
#include "perfgate/verdict/gate/conclusion_check.h"

namespace perfgate::inline verdict {
namespace {

void RequireAbout(const std::string& where, const std::string& field, const std::string& found,
                  const std::string& asked) {
  if (asked.empty() || found == asked) return;
  throw Error(Exit::kInvalid, where + ": /" + field + ": is \"" + found + "\", and \"" + asked +
                                  "\" was asked for: this is the verdict on something else");
}

}  // namespace

SuiteVerdict ReadVerdict(const std::string& path, const SecretKey* key, const VerdictAsked& asked) {
  const std::string text = ReadInputFile(path, kVerdictFile);
  RequireSignature(text, path, key);
  SuiteVerdict verdict = verdict_from_json(text, path);
  RequireOwnConclusion(verdict, path);
  RequireAbout(path, "repository", verdict.repository, asked.repository);
  RequireAbout(path, "change", verdict.change, asked.change);
  RequireAbout(path, "suite", verdict.suite, asked.suite);
  return verdict;
}

SuiteVerdict read_verdict(const std::string& path) { return ReadVerdict(path, nullptr); }

SuiteVerdict read_verdict(const std::string& path, const std::string& key_file) {
  const SecretKey key = ReadKeyFile(key_file);
  return ReadVerdict(path, &key);
}

}  // namespace perfgate::inline verdict
