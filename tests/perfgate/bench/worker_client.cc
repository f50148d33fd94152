// SPDX-License-Identifier: Apache-2.0
#include "tests/perfgate/bench/worker_client.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

namespace perfgate::bench {
namespace {

std::string Contents(int fd) {
  std::string text;
  std::array<char, 4096> chunk{};
  lseek(fd, 0, SEEK_SET);
  for (ssize_t got = 0; (got = read(fd, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  close(fd);
  return text;
}

// Forks and executes; `inherited` stays open in the child.
pid_t Start(const std::string& program, const std::vector<std::string>& arguments,
            const std::vector<std::string>& environment, int out, int err, int inherited) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (inherited >= 0) fcntl(inherited, F_SETFD, 0);
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  for (const std::string& setting : environment) putenv(strdup(setting.c_str()));
  execv(program.c_str(), argv.data());
  _exit(127);
}

int WaitFor(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Finished RunProgram(const std::string& program, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment) {
  const int out = memfd_create("out", MFD_CLOEXEC);
  const int err = memfd_create("err", MFD_CLOEXEC);
  const pid_t pid = Start(program, arguments, environment, out, err, -1);
  const int exit_code = WaitFor(pid);
  return {exit_code, Contents(out), Contents(err)};
}

WorkerClient::WorkerClient(const std::string& program, const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment)
    : out_(memfd_create("out", MFD_CLOEXEC)), err_(memfd_create("err", MFD_CLOEXEC)) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error("socketpair");
  }
  fd_ = ends[0];
  std::vector<std::string> words = {"--perfgate_worker=" + std::to_string(ends[1])};
  words.insert(words.end(), arguments.begin(), arguments.end());
  pid_ = Start(program, words, environment, out_, err_, ends[1]);
  close(ends[1]);
  hello_ = Receive().value_or(nullptr);
}

WorkerClient::~WorkerClient() {
  if (pid_ > 0) Wait();
}

void WorkerClient::SendRaw(const std::string& bytes) const {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t wrote = send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (wrote <= 0) return;
    sent += static_cast<std::size_t>(wrote);
  }
}

std::optional<nlohmann::json> WorkerClient::Receive() {
  for (;;) {
    const std::size_t end = received_.find('\n');
    if (end != std::string::npos) {
      const std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return nlohmann::json::parse(line);  // throws where the worker wrote something else
    }
    pollfd ready = {fd_, POLLIN, 0};
    if (poll(&ready, 1, 20'000) != 1) return std::nullopt;
    std::array<char, 65536> chunk{};
    const ssize_t got = recv(fd_, chunk.data(), chunk.size(), 0);
    if (got <= 0) return std::nullopt;
    received_.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

nlohmann::json WorkerClient::Ask(const nlohmann::json& request) {
  SendRaw(request.dump() + "\n");
  return Receive().value_or(nullptr);
}

nlohmann::json WorkerClient::Slice(int id, std::int64_t iterations) {
  return Ask({{"do", "slice"}, {"case", id}, {"iterations", iterations}});
}

const nlohmann::json& WorkerClient::list() {
  if (list_.is_null()) list_ = Ask({{"do", "list"}});
  return list_;
}

int WorkerClient::Find(const std::string& name) {
  const nlohmann::json& cases = list().at("cases");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].at("name") == name) return static_cast<int>(i);
  }
  return -1;
}

void WorkerClient::CloseSocket() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Finished WorkerClient::Wait() {
  CloseSocket();
  const int exit_code = WaitFor(pid_);
  pid_ = -1;
  return {exit_code, Contents(out_), Contents(err_)};
}

}  // namespace perfgate::bench
