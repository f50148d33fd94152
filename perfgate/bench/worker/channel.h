// SPDX-License-Identifier: Apache-2.0
// channel.h: lines over the socket that the worker inherited.
#pragma once

#include <sys/types.h>

#include <string>

namespace perfgate::bench {

// Belongs to the process that made it. A child that the measured code forks loses the descriptor
// (at fork(), and at exec by FD_CLOEXEC); one that comes back here all the same ends by _exit.
class Channel {
 public:
  // Takes over `fd`. Throws Error (kUsage) if it is not an open AF_UNIX stream socket.
  explicit Channel(int fd);

  enum class Event { kLine, kTooLong, kEnd };

  // The next line, without its end. kTooLong: a line of more than 1 MiB, which was dropped.
  Event Read(std::string* line);

  // Writes `line` and its end. False if the other side is gone.
  bool Write(std::string line) const;

 private:
  int fd_;
  pid_t owner_;
  std::string buffer_;  // received, not yet handed out
};

}  // namespace perfgate::bench
