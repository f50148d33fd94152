// SPDX-License-Identifier: Apache-2.0
// git_command.h: runs git and reads what it prints.
#pragma once

#include <string>
#include <vector>

namespace perfgate::store {

// What git says is for the user, or it is one of the questions that may be answered by "no".
enum class Complaints { kShown, kHidden };

struct Answer {
  bool ok = false;
  std::string out;
  std::string complaint{};  // what git said of it, where that is hidden
};

// In the current folder. Error(kData) where git prints more than 64 MiB.
Answer AskGit(std::vector<std::string> arguments, Complaints complaints);

// About any repository, with complaints hidden.
// index: a file that takes the place of the repository's index; empty: its own.
Answer AskRepository(const std::string& repo, std::vector<std::string> arguments,
                     const std::string& index = {}, const std::string& input = "/dev/null");

// Error(kUsage) for what cannot be a revision: nothing, or an option.
void RequireRevision(const std::string& revision);

std::string FirstLine(const std::string& text);

}  // namespace perfgate::store
