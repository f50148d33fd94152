// SPDX-License-Identifier: Apache-2.0
#include "perfgate/store/git.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "perfgate/base/error.h"
#include "perfgate/base/io/atomic_file.h"

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace perfgate::store {
namespace {

namespace fs = std::filesystem;

struct Answer {
  int status = -1;
  std::string out;
};

// Runs git with these arguments and reads what it prints. Its own messages go to standard error.
Answer ask_git(std::vector<std::string> arguments, bool quiet) {
  arguments.insert(arguments.begin(), "git");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    throw Error(Exit::kInternal, std::string("pipe: ") + std::strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  if (quiet) {
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, "git", &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  Answer answer;
  if (error == 0) {
    std::array<char, 65536> buffer{};
    for (;;) {
      const ssize_t got = ::read(pipe[0], buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      answer.out.append(buffer.data(), static_cast<std::size_t>(got));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  ::close(pipe[0]);
  return answer;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::optional<WorkingTree> working_tree(const std::vector<std::string>& except) {
  const Answer commit = ask_git({"rev-parse", "--verify", "HEAD"}, true);
  if (commit.status != 0) return std::nullopt;
  WorkingTree tree{first_line(commit.out), {}};
  std::vector<std::string> ask = {"status", "--porcelain", "--untracked-files=all", "--", ":/"};
  for (const std::string& path : except) {
    // git refuses to exclude what lies outside of the repository, which it does not list anyway.
    const fs::path relative = fs::path(path).lexically_relative(".");
    if (!relative.empty() && *relative.begin() != "..") {
      ask.push_back(":(exclude)" + relative.string());
    }
  }
  const Answer status = ask_git(std::move(ask), true);
  if (status.status != 0) throw Error(Exit::kData, "git status failed in this folder");
  std::istringstream lines(status.out);
  constexpr std::size_t kStateColumns = 3;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() > kStateColumns) tree.changed.push_back(line.substr(kStateColumns));
  }
  return tree;
}

std::size_t export_tree(const std::string& ref, const std::string& path,
                        const std::string& target) {
  if (ref.empty() || ref.front() == '-') {
    throw Error(Exit::kUsage, "\"" + ref + "\" is no revision of git");
  }
  const Answer list =
      ask_git({"ls-tree", "-r", "-z", "--name-only", "--full-tree", ref, "--", path}, false);
  if (list.status != 0) {
    throw Error(Exit::kData, "git:" + ref + ":" + path + ": git does not know this revision here");
  }
  std::istringstream names(list.out);
  std::size_t files = 0;
  for (std::string name; std::getline(names, name, '\0'); ++files) {
    const Answer blob = ask_git({"cat-file", "blob", ref + ":" + name}, false);
    if (blob.status != 0) throw Error(Exit::kData, "git:" + ref + ":" + name + ": cannot be read");
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
