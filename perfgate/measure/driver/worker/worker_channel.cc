// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/worker/worker_channel.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "perfgate/base/error.h"
#include "perfgate/base/os/system_reason.h"

namespace perfgate::measure {

WorkerChannel::WorkerChannel(UniqueFd* far_end) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw Error(Exit::kInternal, "cannot make a socket pair: " + SystemReason(errno));
  }
  socket_ = UniqueFd(ends[0]);
  *far_end = UniqueFd(ends[1]);
}

Receipt WorkerChannel::send_line(std::string_view line, ChildProcess& child, Deadline deadline) {
  std::string bytes(line);
  bytes += '\n';
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t wrote = ::send(socket_.get(), bytes.data() + sent, bytes.size() - sent,
                                 MSG_NOSIGNAL | MSG_DONTWAIT);
    if (wrote > 0) {
      sent += static_cast<std::size_t>(wrote);
    } else if (errno == EAGAIN) {
      if (!child.wait_fd(socket_.get(), POLLOUT, deadline)) return Receipt::kTimeout;
      if (child.status().exited) return Receipt::kClosed;
    } else if (errno != EINTR) {
      return Receipt::kClosed;
    }
  }
  return Receipt::kLine;
}

WorkerChannel::Intake WorkerChannel::take_in() {
  std::array<char, 65536> chunk;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  for (;;) {
    const ssize_t got = ::recv(socket_.get(), chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (got > 0) {
      buffer_.append(chunk.data(), static_cast<std::size_t>(got));
      return Intake::kBytes;
    }
    if (got < 0 && errno == EINTR) continue;
    return got < 0 && errno == EAGAIN ? Intake::kNothing : Intake::kEnd;
  }
}

Receipt WorkerChannel::read_line(std::string* line, ChildProcess& child, Deadline deadline) {
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      *line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      searched_ = 0;
      return Receipt::kLine;
    }
    searched_ = buffer_.size();
    if (buffer_.size() > kLineLimit) return Receipt::kTooLong;
    // The status first: what the worker sent before it ended is still to be read then.
    const bool ended = child.status().exited;
    switch (take_in()) {
      case Intake::kBytes:
        if (deadline.passed()) return Receipt::kTimeout;
        continue;
      case Intake::kEnd:
        return Receipt::kClosed;
      case Intake::kNothing:
        break;
    }
    // A descendant may hold the socket open after the worker's end.
    if (ended) return Receipt::kClosed;
    if (!child.wait_fd(socket_.get(), POLLIN, deadline)) return Receipt::kTimeout;
  }
}

bool WorkerChannel::has_unread() {
  while (buffer_.empty() && take_in() == Intake::kBytes) {
  }
  return !buffer_.empty();
}

}  // namespace perfgate::measure
