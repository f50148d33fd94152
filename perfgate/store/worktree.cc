// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/worktree.h"

#include <filesystem>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/store/git.h"
#include "perfgate/store/git_command.h"

namespace perfgate::store {

std::vector<Commit> CommitsBetween(const std::string& good, const std::string& bad) {
  const std::string first = ResolveCommit(good);
  const std::string last = ResolveCommit(bad);
  if (first == last) throw Error(Exit::kUsage, good + " and " + bad + " are one commit");
  const Answer answer =
      AskGit({"log", "--first-parent", "--reverse", "--format=%H %s", first + ".." + last},
             Complaints::kShown);
  if (!answer.ok) throw Error(Exit::kData, "git cannot list the commits " + good + ".." + bad);
  const Answer subject = AskGit({"log", "-1", "--format=%s", first}, Complaints::kHidden);
  std::vector<Commit> commits = {{first, FirstLine(subject.out)}};
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    commits.push_back({line.substr(0, space),
                       space == std::string::npos ? std::string() : line.substr(space + 1)});
  }
  const bool leads = commits.size() > 1 && commits.back().id == last &&
                     ResolveCommit(commits[1].id + "^") == first;
  if (!leads) {
    throw Error(Exit::kData, good + " does not lead to " + bad +
                                 " by first parents; name a commit before it as the good one");
  }
  return commits;
}

void Worktree::CheckOut(const std::string& commit) const {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(folder_ + "/.git", error) &&
      AskGit({"-C", folder_, "checkout", "--quiet", "--detach", "--force", commit},
             Complaints::kHidden)
          .ok) {
    return;
  }
  // New, or left by a git that was killed.
  Remove();
  fs::create_directories(fs::path(folder_).parent_path(), error);
  const bool added = AskGit({"worktree", "add", "--quiet", "--force", "--detach", folder_, commit},
                            Complaints::kShown)
                         .ok;
  if (!added) throw Error(Exit::kData, "git cannot check out " + commit + " in " + folder_);
}

void Worktree::Remove() const {
  std::error_code error;
  AskGit({"worktree", "remove", "--force", "--force", folder_}, Complaints::kHidden);
  std::filesystem::remove_all(folder_, error);
  AskGit({"worktree", "prune"}, Complaints::kHidden);
}

}  // namespace perfgate::store
