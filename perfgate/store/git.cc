// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/git.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/text/hex.h"
#include "perfgate/store/git_command.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;

// "https://user:secret@host/path" as "https://host/path".
std::string WithoutUser(const std::string& address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string::npos) return address;
  const std::size_t begin = scheme + 3;
  const std::size_t host_end = std::min(address.find('/', begin), address.size());
  const std::size_t at = address.rfind('@', host_end);
  if (at == std::string::npos || at < begin) return address;
  return address.substr(0, begin) + address.substr(at + 1);
}

}  // namespace

std::optional<WorkingTree> working_tree(const std::vector<std::string>& except) {
  const Answer commit = AskGit({"rev-parse", "--verify", "HEAD"}, Complaints::kHidden);
  if (!commit.ok) return std::nullopt;
  WorkingTree tree{FirstLine(commit.out), {}};
  std::vector<std::string> ask = {"status", "--porcelain", "--untracked-files=all", "--", ":/"};
  for (const std::string& path : except) {
    // git refuses to exclude what lies outside of the repository, which it does not list anyway.
    const fs::path relative = fs::path(path).lexically_relative(".");
    if (!relative.empty() && *relative.begin() != "..") {
      ask.push_back(":(exclude)" + relative.string());
    }
  }
  const Answer status = AskGit(std::move(ask), Complaints::kHidden);
  if (!status.ok) throw Error(Exit::kData, "git status failed in this folder");
  std::istringstream lines(status.out);
  constexpr std::size_t kStateColumns = 3;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > kStateColumns) tree.changed.push_back(line.substr(kStateColumns));
  }
  return tree;
}

bool IsFullCommit(const std::string& revision) {
  constexpr std::size_t kSha1Digits = 40;
  constexpr std::size_t kSha256Digits = 64;
  return IsHex(revision, kSha1Digits) || IsHex(revision, kSha256Digits);
}

std::string ResolveCommit(const std::string& revision) {
  RequireRevision(revision);
  const Answer answer =
      AskGit({"rev-parse", "--verify", revision + "^{commit}"}, Complaints::kHidden);
  const std::string commit = FirstLine(answer.out);
  if (!answer.ok || !IsFullCommit(commit)) {
    throw Error(Exit::kData, "git does not know the commit " + revision +
                                 " here; fetch it, or check what --trusted names");
  }
  return commit;
}

std::optional<std::string> RepositoryName() {
  const Answer remote = AskGit({"remote", "get-url", "origin"}, Complaints::kHidden);
  if (remote.ok && !FirstLine(remote.out).empty()) return WithoutUser(FirstLine(remote.out));
  const Answer root = AskGit({"rev-list", "--max-parents=0", "HEAD"}, Complaints::kHidden);
  if (root.ok && !FirstLine(root.out).empty()) return "root:" + FirstLine(root.out);
  return std::nullopt;
}

std::vector<std::string> FirstParents(const std::string& revision) {
  const std::string commit = ResolveCommit(revision);
  const Answer answer =
      AskGit({"rev-list", "--first-parent", "--reverse", commit}, Complaints::kShown);
  if (!answer.ok) throw Error(Exit::kData, "git cannot list the commits before " + revision);
  std::vector<std::string> commits;
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);) commits.push_back(line);
  return commits;
}

std::optional<std::string> CommitThatAdded(const std::string& file) {
  const fs::path path(file);
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  const Answer answer = AskGit(
      {"-C", folder, "log", "-1", "--diff-filter=A", "--format=%H", "--", path.filename().string()},
      Complaints::kHidden);
  const std::string commit = FirstLine(answer.out);
  if (!answer.ok || !IsFullCommit(commit)) return std::nullopt;
  return commit;
}

std::size_t export_tree(const std::string& ref, const std::string& path,
                        const std::string& target) {
  RequireRevision(ref);
  const Answer list = AskGit({"ls-tree", "-r", "-z", "--name-only", "--full-tree", ref, "--", path},
                             Complaints::kShown);
  if (!list.ok) {
    throw Error(Exit::kData, "git:" + ref + ":" + path + ": git does not know this revision here");
  }
  std::istringstream names(list.out);
  std::size_t files = 0;
  for (std::string name; std::getline(names, name, '\0'); ++files) {
    const Answer blob =
        AskGit({"cat-file", "blob", fmt::format("{}:{}", ref, name)}, Complaints::kShown);
    if (!blob.ok) {
      throw Error(Exit::kData, fmt::format("git:{}:{}: cannot be read", ref, name));
    }
    const fs::path file = fs::path(target) / name;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    write_file_atomically(file.string(), blob.out);
  }
  if (files == 0) {
    throw Error(Exit::kData, "git:" + ref + ":" + path +
                                 ": there is nothing at this path; "
                                 "it is relative to the repository");
  }
  return files;
}

}  // namespace perfgate::store
