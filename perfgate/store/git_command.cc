// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/git_command.h"

#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/os/process.h"

namespace perfgate::store {
namespace {

Answer Ask(SpawnOptions options, std::vector<std::string> arguments) {
  constexpr double kLimitS = 3600;  // a working tree may be huge and its disk slow
  options.path = "/usr/bin/env";    // finds git as a shell does
  options.args = {"git"};
  options.args.insert(options.args.end(), arguments.begin(), arguments.end());
  options.separate_stdout = true;
  ChildProcess git(options);
  const bool ended = git.wait_exit(Deadline::in(kLimitS));
  Answer answer{ended && git.status().ok(), git.standard_output(), git.output_tail()};
  if (answer.out.size() >= kStdoutLimit) throw Error(Exit::kData, "git prints more than 64 MiB");
  return answer;
}

}  // namespace

Answer AskGit(std::vector<std::string> arguments, Complaints complaints) {
  SpawnOptions options;
  options.share_stderr = complaints == Complaints::kShown;
  return Ask(std::move(options), std::move(arguments));
}

Answer AskRepository(const std::string& repo, std::vector<std::string> arguments,
                     const std::string& index, const std::string& input) {
  SpawnOptions options;
  options.input = input;
  if (!index.empty()) options.variables.emplace_back("GIT_INDEX_FILE", index);
  arguments.insert(arguments.begin(), {"-C", repo});
  return Ask(std::move(options), std::move(arguments));
}

void RequireRevision(const std::string& revision) {
  if (revision.empty() || revision.front() == '-') {
    throw Error(Exit::kUsage, "\"" + revision + "\" is no revision of git");
  }
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace perfgate::store
