// SPDX-License-Identifier: Apache-2.0
// spawn.h: fork and exec, with everything about the child set in between.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {

struct SpawnOptions {
  std::string path;               // executed as given, never searched in PATH
  std::vector<std::string> args;  // after argv[0], which is `path`
  std::vector<int> cpus;          // pin to these; empty: inherit
  int nice = 0;                   // set before exec where permitted, else ignored
  // Set in the child's environment, whatever ours says; their names are not those of `process.h`.
  std::vector<std::pair<std::string, std::string>> variables{};
  std::string input = "/dev/null";  // file that is its standard input
  std::string output{};             // file that its standard output goes to; empty: it is kept
  int give_fd = -1;                 // becomes kGivenFd in the child; -1: none
  bool separate_stdout = false;     // keep stdout whole and apart from stderr (a listing)
  bool share_stderr = false;        // stderr is ours and not kept
};

// What a program is started with to load `library` before those that the user preloads.
std::vector<std::pair<std::string, std::string>> PreloadVariables(const std::string& library);

// The number under which a child finds the descriptor it was given: always the same one, so that
// the arguments of all arms have one length.
inline constexpr int kGivenFd = 3;

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
