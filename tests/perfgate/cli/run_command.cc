// SPDX-License-Identifier: Apache-2.0
#include "tests/perfgate/cli/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace perfgate::testing_command {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> merged_environment(const std::vector<std::string>& added) {
  std::vector<std::string> result = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& other : added) replaced = replaced || other.starts_with(name);
    if (!replaced) result.emplace_back(text);
  }
  return result;
}

// What can be read now; false at the end of the file.
bool drain(int fd, std::string& into) {
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got > 0) {
      into.append(buffer.data(), static_cast<std::size_t>(got));
    } else {
      return got < 0;
    }
  }
}

}  // namespace

Finished run_command(const Command& command) {
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = merged_environment(command.environment);
  const std::vector<char*> argv = pointers(arguments);
  const std::vector<char*> envp = pointers(environment);
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  const auto start = Clock::now();
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("no process");
  if (pid == 0) {
    setpgid(0, 0);
    int to = out[1];
    if (!command.stdout_path.empty())
      to = open(command.stdout_path.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(to, STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  fcntl(err[0], F_SETFL, O_NONBLOCK);

  Finished finished;
  int status = 0;
  for (;;) {
    std::array<pollfd, 2> wait = {pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
    poll(wait.data(), wait.size(), 20);
    const bool out_open = drain(out[0], finished.out);
    const bool open = drain(err[0], finished.err) || out_open;
    if (command.meanwhile) command.meanwhile(pid, finished);
    if (waitpid(pid, &status, WNOHANG) == pid) break;
    if (!open) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (seconds_since(start) > command.deadline_s) {
      finished.timed_out = true;
      kill(-pid, SIGKILL);
      waitpid(pid, &status, 0);
      break;
    }
  }
  drain(out[0], finished.out);
  drain(err[0], finished.err);
  close(out[0]);
  close(err[0]);
  finished.wall_s = seconds_since(start);
  if (WIFSIGNALED(status)) {
    finished.signal = WTERMSIG(status);
  } else {
    finished.exit_code = WEXITSTATUS(status);
  }
  return finished;
}

Finished run_program(const std::string& program, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program);
  Command command;
  command.arguments = std::move(arguments);
  return run_command(command);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "perfgate-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string unwrapped(const std::string& text) {
  std::string result;
  std::istringstream words(text);
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

std::string read_text(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<pid_t> processes_with(const std::string& entry, double grace_s) {
  const auto start = Clock::now();
  for (;;) {
    std::vector<pid_t> found;
    for (const auto& folder : std::filesystem::directory_iterator("/proc")) {
      const std::string name = folder.path().filename().string();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const pid_t pid = std::atoi(name.c_str());
      if (pid == getpid()) continue;
      // A zombie's environment is empty.
      const std::string environment = '\0' + read_text(folder.path().string() + "/environ");
      if (environment.find('\0' + entry + '\0') != std::string::npos) found.push_back(pid);
    }
    if (found.empty() || seconds_since(start) > grace_s) return found;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace perfgate::testing_command
