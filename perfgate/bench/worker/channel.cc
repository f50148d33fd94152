// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/channel.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "perfgate/base/error.h"

namespace perfgate::bench {
namespace {

constexpr std::size_t kLongestLine = 1 << 20;

// For the fork handler, which takes no argument. -1 while there is no channel.
int& InheritedByChildren() {
  static int fd = -1;
  return fd;
}

void CloseInChild() {
  if (InheritedByChildren() >= 0) close(InheritedByChildren());
}

int SocketOption(int fd, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return getsockopt(fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

}  // namespace

Channel::Channel(int fd) : fd_(fd), owner_(getpid()) {
  if (SocketOption(fd, SO_DOMAIN) != AF_UNIX || SocketOption(fd, SO_TYPE) != SOCK_STREAM) {
    throw Error(Exit::kUsage, "--perfgate_worker=" + std::to_string(fd) + ": descriptor " +
                                  std::to_string(fd) +
                                  " is not an open AF_UNIX stream socket. perfgate passes this "
                                  "argument itself; run the benchmark without it.");
  }
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  InheritedByChildren() = fd;
  pthread_atfork(nullptr, nullptr, CloseInChild);
}

Channel::Event Channel::Read(std::string* line) {
  if (getpid() != owner_) _exit(0);
  bool dropping = false;
  std::size_t searched = 0;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      *line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return dropping || line->size() > kLongestLine ? Event::kTooLong : Event::kLine;
    }
    searched = buffer_.size();
    if (buffer_.size() > kLongestLine) {
      dropping = true;
      buffer_.clear();
      searched = 0;
    }
    std::array<char, 4096> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init): recv fills it
    const ssize_t got = recv(fd_, chunk.data(), chunk.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Event::kEnd;
    buffer_.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

bool Channel::Write(std::string line) const {
  if (getpid() != owner_) _exit(0);
  line += '\n';
  std::size_t sent = 0;
  while (sent < line.size()) {
    // MSG_NOSIGNAL: a gate that is gone must not kill the worker by SIGPIPE.
    const ssize_t wrote = send(fd_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    sent += static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace perfgate::bench
