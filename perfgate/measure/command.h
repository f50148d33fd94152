// SPDX-License-Identifier: Apache-2.0
// command.h: a command line that is an arm: every run is a new process, and its wall time counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace perfgate::measure {

struct Command {
  std::string text;                    // as typed
  std::vector<std::string> words;      // what is executed; the first is the path of a file
  std::vector<std::string> prepare{};  // run before every run and not timed; empty: nothing is
  std::string input = "/dev/null";     // standard input
  std::string output = "/dev/null";    // standard output; empty: it is read, and its end kept
  std::optional<int> exit_code = 0;    // that a run must have; none: any, but no signal
  std::string case_name = "command";
  int threads = 1;              // cores that it may use
  bool compare_output = false;  // what it prints must be the same in all arms
};

}  // namespace perfgate::measure
