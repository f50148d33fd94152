// SPDX-License-Identifier: Apache-2.0
// verdict_file.h: verdicts out of files, never better than what stands in their columns.
#pragma once

#include <string>

#include "perfgate/base/io/key_file.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::inline verdict {

// What a verdict has to be about; empty: anything.
struct VerdictAsked {
  std::string repository{};
  std::string change{};
  std::string suite{};
};

// Reads a verdict and concludes again from its columns. Error(kData) as evidence/files/files.h;
// Error(kInvalid) where its exit or summary is another (conclusion_check.h), with a key where the
// file is not signed by it, and where the verdict is about something else than was asked.
SuiteVerdict ReadVerdict(const std::string& path, const SecretKey* key,
                         const VerdictAsked& asked = {});

SuiteVerdict read_verdict(const std::string& path);

// With the key in this file (key_file.h).
SuiteVerdict read_verdict(const std::string& path, const std::string& key_file);

}  // namespace perfgate::inline verdict
