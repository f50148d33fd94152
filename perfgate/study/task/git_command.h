// SPDX-License-Identifier: Apache-2.0
// git_command.h: one question to git about a repository.
#pragma once

#include <string>
#include <vector>

namespace perfgate::study {

struct GitAnswer {
  bool ok = false;
  std::string out{};
  std::string complaint{};
};

// index: a file that takes the place of the repository's index; empty: its own.
GitAnswer AskRepository(const std::string& repo, std::vector<std::string> arguments,
                        const std::string& index = {}, const std::string& input = "/dev/null");

}  // namespace perfgate::study
