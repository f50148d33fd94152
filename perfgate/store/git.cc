// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/git.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/os/process.h"
#include "perfgate/base/text/hex.h"

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;

// What git says is for the user, or it is one of the questions that may be answered by "no".
enum class Complaints { kShown, kHidden };

struct Answer {
  bool ok = false;
  std::string out;
};

// Runs git with these arguments and reads what it prints.
Answer ask_git(std::vector<std::string> arguments, Complaints complaints) {
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

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::optional<WorkingTree> working_tree(const std::vector<std::string>& except) {
  const Answer commit = ask_git({"rev-parse", "--verify", "HEAD"}, Complaints::kHidden);
  if (!commit.ok) return std::nullopt;
  WorkingTree tree{first_line(commit.out), {}};
  std::vector<std::string> ask = {"status", "--porcelain", "--untracked-files=all", "--", ":/"};
  for (const std::string& path : except) {
    // git refuses to exclude what lies outside of the repository, which it does not list anyway.
    const fs::path relative = fs::path(path).lexically_relative(".");
    if (!relative.empty() && *relative.begin() != "..") {
      ask.push_back(":(exclude)" + relative.string());
    }
  }
  const Answer status = ask_git(std::move(ask), Complaints::kHidden);
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
      ask_git({"rev-parse", "--verify", revision + "^{commit}"}, Complaints::kHidden);
  const std::string commit = first_line(answer.out);
  if (!answer.ok || !IsFullCommit(commit)) {
    throw Error(Exit::kData, "git does not know the commit " + revision +
                                 " here; fetch it, or check what --trusted names");
  }
  return commit;
}

std::optional<std::string> RepositoryName() {
  const Answer remote = ask_git({"remote", "get-url", "origin"}, Complaints::kHidden);
  if (remote.ok && !first_line(remote.out).empty()) return WithoutUser(first_line(remote.out));
  const Answer root = ask_git({"rev-list", "--max-parents=0", "HEAD"}, Complaints::kHidden);
  if (root.ok && !first_line(root.out).empty()) return "root:" + first_line(root.out);
  return std::nullopt;
}

std::size_t export_tree(const std::string& ref, const std::string& path,
                        const std::string& target) {
  RequireRevision(ref);
  const Answer list = ask_git(
      {"ls-tree", "-r", "-z", "--name-only", "--full-tree", ref, "--", path}, Complaints::kShown);
  if (!list.ok) {
    throw Error(Exit::kData, "git:" + ref + ":" + path + ": git does not know this revision here");
  }
  std::istringstream names(list.out);
  std::size_t files = 0;
  for (std::string name; std::getline(names, name, '\0'); ++files) {
    const Answer blob =
        ask_git({"cat-file", "blob", fmt::format("{}:{}", ref, name)}, Complaints::kShown);
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
