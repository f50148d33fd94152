// SPDX-License-Identifier: Apache-2.0
// spawn_options.h: what a program is started with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/os/cgroup.h"
#include "perfgate/base/os/unique_fd.h"

namespace perfgate::inline base {

// A program that starts the real one in conditions of its own: a sandbox.
struct Wrapper {
  // Its path and arguments; those of the real program follow. None: there is no wrapper.
  std::vector<std::string> words{};
  // Become kWrapperFd and the following numbers in it.
  std::vector<std::shared_ptr<const UniqueFd>> files{};
  // It stays, and so does a first process of the PID namespace that it makes. The program is the
  // second one there, and its end by signal n is the wrapper's exit code 128 + n, as of bwrap.
  bool new_pid_namespace = false;
};

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
  Wrapper wrapper{};
  std::shared_ptr<const Cgroup> group{};  // it starts in; none: our own
  std::uint64_t memory_bytes = 0;         // most private memory of each process; 0: no limit
  // Names of variables of our environment that the child gets; none given: all but those that
  // process.h leaves out.
  std::optional<std::vector<std::string>> keep_variables{};
};

// The number under which a child finds the descriptor it was given: always the same one, so that
// the arguments of all arms have one length.
inline constexpr int kGivenFd = 3;
inline constexpr int kWrapperFd = 4;

}  // namespace perfgate::inline base
