// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/task/repository.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/store/git_command.h"

namespace perfgate::study {
namespace {

namespace fs = std::filesystem;

// A repository without a work tree of its own, as `git clone --bare` makes it, exports as well.
std::string WorkTree(const std::string& folder) { return "--work-tree=" + folder; }

// "<id> commit <size>"
std::string CommitIn(const std::string& line) {
  std::istringstream words(line);
  std::string id;
  std::string kind;
  words >> id >> kind;
  return kind == "commit" ? id : "";
}

}  // namespace

std::map<std::string, std::string> ResolveCommits(const std::string& repo,
                                                  const std::set<std::string>& names,
                                                  const std::string& scratch) {
  std::string questions;
  for (const std::string& name : names) questions += name + "^{commit}\n";
  write_file_atomically(scratch, questions);
  const store::Answer answer =
      store::AskRepository(repo, {"cat-file", "--batch-check"}, "", scratch);
  fs::remove(scratch);
  if (!answer.ok) {
    throw Error(Exit::kData, repo + " is no repository of git: " + answer.complaint);
  }
  std::map<std::string, std::string> commits;
  std::istringstream lines(answer.out);
  for (const std::string& name : names) {
    std::string line;
    if (!std::getline(lines, line)) break;
    const std::string commit = CommitIn(line);
    if (!commit.empty()) commits[name] = commit;
  }
  return commits;
}

// Not `git archive`: a change could keep files out of it by the attribute export-ignore.
void ExportCommit(const std::string& repo, const std::string& commit, const std::string& folder,
                  const std::string& scratch) {
  fs::create_directories(folder);
  const std::string index = fs::absolute(scratch).string();
  const std::string place = fs::absolute(folder).string();
  store::Answer answer = store::AskRepository(repo, {"read-tree", commit}, index);
  if (answer.ok) {
    answer = store::AskRepository(
        repo, {WorkTree(place), "checkout-index", "--all", "--prefix=" + place + "/"}, index);
  }
  std::error_code failed;
  fs::remove(index, failed);
  if (!answer.ok) {
    throw Error(Exit::kData, "cannot export " + commit + " of " + repo + ": " + answer.complaint);
  }
}

}  // namespace perfgate::study
