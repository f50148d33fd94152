// SPDX-License-Identifier: Apache-2.0
// worker_channel.h: the worker's socket: lines out, lines in, each with a deadline and a bound.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "perfgate/base/os/process.h"
#include "perfgate/base/os/unique_fd.h"
#include "perfgate/base/os/waiting.h"

namespace perfgate::measure {

// Longest line a worker may send.
inline constexpr std::size_t kLineLimit = std::size_t{64} << 20;

enum class Receipt {
  kLine,     // a whole line
  kTimeout,  // the deadline passed
  kClosed,   // the worker closed its end, or ended
  kTooLong,  // more than kLineLimit bytes without a line end
};

class WorkerChannel {
 public:
  // Makes a connected pair of sockets; `far_end` is the worker's. Error(kInternal).
  explicit WorkerChannel(UniqueFd* far_end);

  // kLine: sent whole. Throws Interrupted, as read_line does.
  Receipt send_line(std::string_view line, ChildProcess& child, Deadline deadline);

  // One line without its '\n' into *line. `child` is watched meanwhile.
  Receipt read_line(std::string* line, ChildProcess& child, Deadline deadline);

  // Whether bytes have arrived that no request asked for.
  bool has_unread();

 private:
  enum class Intake { kBytes, kNothing, kEnd };
  Intake take_in();

  UniqueFd socket_;
  std::string buffer_;
  std::size_t searched_ = 0;  // bytes of buffer_ known to hold no line end
};

}  // namespace perfgate::measure
