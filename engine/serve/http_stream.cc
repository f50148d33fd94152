// SPDX-License-Identifier: Apache-2.0
#include "engine/serve/http_stream.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace engine {
namespace {

// What happened to the socket before that many milliseconds passed; 0 for nothing.
short PollFor(int socket, short events, std::chrono::milliseconds patience) {
  pollfd entry{socket, events, 0};
  const auto wait = static_cast<int>(std::max<std::int64_t>(patience.count(), 0));
  return ::poll(&entry, 1, wait) > 0 ? entry.revents : short{0};
}

}  // namespace

HttpStream::HttpStream(int socket, const HttpLimits& limits)
    : socket_(socket),
      limits_(limits),
      deadline_(Clock::now() + limits.read),
      budget_(limits.header_bytes) {}

bool HttpStream::gone() const {
  return (PollFor(socket_, POLLRDHUP, {}) & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

bool HttpStream::Fill() {
  for (;;) {
    const ssize_t count = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (count > 0) {
      begin_ = 0;
      end_ = static_cast<std::size_t>(count);
      return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      return false;
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    if (left.count() <= 0) {
      return false;
    }
    PollFor(socket_, POLLIN, left);
  }
}

ssize_t HttpStream::read(char* out, std::size_t size) {
  if (budget_ == 0 || (begin_ == end_ && !Fill())) {
    return -1;
  }
  const std::size_t count = std::min({size, end_ - begin_, budget_});
  std::copy_n(buffer_.data() + begin_, count, out);
  begin_ += count;
  budget_ -= count;
  return static_cast<ssize_t>(count);
}

ssize_t HttpStream::write(const char* data, std::size_t size) {
  for (;;) {
    const ssize_t count = ::send(socket_, data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0) {
      return count;
    }
    if (errno != EAGAIN && errno != EINTR) {
      return -1;
    }
    if ((PollFor(socket_, POLLOUT, limits_.write) & POLLOUT) == 0) {
      return -1;
    }
  }
}

}  // namespace engine
