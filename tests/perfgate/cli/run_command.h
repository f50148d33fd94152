// SPDX-License-Identifier: Apache-2.0
// run_command.h: starts programs for tests, with a deadline, and knows what they leave behind.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"

namespace perfgate::testing_command {

struct Finished {
  int exit_code = -1;      // of the program; -1: killed by `signal`
  int signal = 0;          // that ended it
  bool timed_out = false;  // killed at the deadline
  double wall_s = 0;
  std::string out;
  std::string err;
};

struct Command {
  std::vector<std::string> arguments;    // [0] is the program
  std::vector<std::string> environment;  // NAME=value, on top of the test's own
  double deadline_s = 120;
  std::string stdout_path;  // where standard output goes instead of Finished::out
  // Called with the program's process id every 20 ms and what it wrote so far.
  std::function<void(pid_t, const Finished&)> meanwhile;
};

Finished run_command(const Command& command);
// `program` with these arguments and nothing special.
Finished run_program(const std::string& program, std::vector<std::string> arguments);

// A new folder, removed with everything in it when it goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline int code(Exit exit) { return static_cast<int>(exit); }

// With every run of white space one space: lines break where they are full.
std::string unwrapped(const std::string& text);

void write_text(const std::string& path, const std::string& text);
std::string read_text(const std::string& path);

// Live processes whose environment holds this entry, waiting up to `grace_s` for them to go.
std::vector<pid_t> processes_with(const std::string& entry, double grace_s);

}  // namespace perfgate::testing_command
