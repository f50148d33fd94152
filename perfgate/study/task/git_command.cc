// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/git_command.h"

#include "perfgate/base/os/process.h"

namespace perfgate::study {

GitAnswer AskRepository(const std::string& repo, std::vector<std::string> arguments,
                        const std::string& index, const std::string& input) {
  constexpr double kLimitS = 3600;  // a repository may be huge and its disk slow
  SpawnOptions options;
  options.path = "/usr/bin/env";  // finds git as a shell does
  options.args = {"git", "-C", repo};
  options.args.insert(options.args.end(), arguments.begin(), arguments.end());
  options.separate_stdout = true;
  options.input = input;
  if (!index.empty()) options.variables.emplace_back("GIT_INDEX_FILE", index);
  ChildProcess git(options);
  const bool ended = git.wait_exit(Deadline::in(kLimitS));
  return {ended && git.status().ok(), git.standard_output(), git.output_tail()};
}

}  // namespace perfgate::study
