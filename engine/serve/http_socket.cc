// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/http_socket.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

namespace engine {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLinger{500};
constexpr std::size_t kChunkOverhead = 4096;  // of a body that comes in chunks

// What happened to the socket before that many milliseconds passed; 0 for nothing.
short PollFor(int socket, short events, milliseconds patience) {
  pollfd entry{socket, events, 0};
  const auto wait = static_cast<int>(std::max<std::int64_t>(patience.count(), 0));
  return ::poll(&entry, 1, wait) > 0 ? entry.revents : short{0};
}

milliseconds Until(std::chrono::steady_clock::time_point deadline) {
  return std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now());
}

}  // namespace

HttpSocket::HttpSocket(int socket, const HttpLimits& limits)
    : socket_(socket),
      write_(limits.write),
      deadline_(Clock::now() + limits.read),
      budget_(limits.header_bytes + limits.body_bytes + kChunkOverhead) {}

bool HttpSocket::gone() const {
  return (PollFor(socket_, POLLRDHUP, {}) & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

bool HttpSocket::Receive(std::string& to) {
  std::array<char, 4096> buffer;
  while (budget_ > 0) {
    const ssize_t count =
        ::recv(socket_, buffer.data(), std::min(buffer.size(), budget_), MSG_DONTWAIT);
    if (count > 0) {
      to.append(buffer.data(), static_cast<std::size_t>(count));
      budget_ -= static_cast<std::size_t>(count);
      return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      return false;
    }
    const milliseconds left = Until(deadline_);
    if (left.count() <= 0) {
      return false;
    }
    PollFor(socket_, POLLIN, left);
  }
  return false;
}

bool HttpSocket::Send(std::string_view data) const {
  while (!data.empty()) {
    const ssize_t count = ::send(socket_, data.data(), data.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0) {
      data.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      if ((PollFor(socket_, POLLOUT, write_) & POLLOUT) == 0) {
        return false;
      }
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

void HttpSocket::Linger() const {
  ::shutdown(socket_, SHUT_WR);
  const Clock::time_point deadline = Clock::now() + kLinger;
  std::array<char, 4096> ignored;
  while (PollFor(socket_, POLLIN, Until(deadline)) != 0 &&
         ::recv(socket_, ignored.data(), ignored.size(), MSG_DONTWAIT) > 0) {
  }
}

}  // namespace engine
