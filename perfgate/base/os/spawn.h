// SPDX-License-Identifier: Apache-2.0
// spawn.h: fork and exec, with everything about the child set in between.
#pragma once

#include <cstddef>
#include <string>

#include "perfgate/base/os/spawn_options.h"
#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {

// Longest separate stdout; a child that writes more is cut there.
inline constexpr std::size_t kStdoutLimit = std::size_t{64} << 20;

struct Spawned {
  int pid = -1;
  UniqueFd output;           // read end, non-blocking: stdout and stderr
  UniqueFd standard_output;  // read end, non-blocking, with separate_stdout
  std::string launch_id;     // 16 hex digits
};

// Returns once the program has been executed. Error(kData) as ChildProcess.
Spawned spawn(const SpawnOptions& options);

}  // namespace perfgate::inline base
