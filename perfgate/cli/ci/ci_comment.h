// SPDX-License-Identifier: Apache-2.0
// ci_comment.h: `perfgate ci comment`, and the same at the end of `perfgate ci --comment`.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>

#include "perfgate/ci/ci_system.h"
#include "perfgate/cli/commands.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::cli {

inline constexpr const char* kPosting = "Posting";

// Text as typed; empty where the option was not given.
struct CommentOptions {
  std::string token_file;
  std::string host;
  std::string api;
  std::string project;
  std::string number;
  std::string head;
  std::string name;
  std::string author;
  std::string link;
  std::string patience = "60s";
};

void AddPostingOptions(CLI::App& app, CommentOptions& options);

Command AddComment(CLI::App& app);

// Posts the verdicts, or that there is none, and says on standard error what it did. Error(kUsage)
// for options that do not fit, Error(kData) where the host takes no comment.
void Post(const CommentOptions& options, const ci::CiSystem& system,
          std::span<const SuiteVerdict> verdicts);

}  // namespace perfgate::cli
