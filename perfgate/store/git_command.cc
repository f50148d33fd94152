// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/git_command.h"

#include "perfgate/base/error.h"
#include "perfgate/base/os/process.h"

namespace perfgate::store {

Answer AskGit(std::vector<std::string> arguments, Complaints complaints) {
  constexpr double kLimitS = 3600;  // a working tree may be huge and its disk slow
  SpawnOptions options;
  options.path = "/usr/bin/env";  // finds git as a shell does
  options.args = {"git"};
  options.args.insert(options.args.end(), arguments.begin(), arguments.end());
  options.separate_stdout = true;
  options.share_stderr = complaints == Complaints::kShown;
  ChildProcess git(options);
  const bool ended = git.wait_exit(Deadline::in(kLimitS));
  Answer answer{ended && git.status().ok(), git.standard_output()};
  if (answer.out.size() >= kStdoutLimit) throw Error(Exit::kData, "git prints more than 64 MiB");
  return answer;
}

void RequireRevision(const std::string& revision) {
  if (revision.empty() || revision.front() == '-') {
    throw Error(Exit::kUsage, "\"" + revision + "\" is no revision of git");
  }
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace perfgate::store
