// SPDX-License-Identifier: Apache-2.0
// commands.h: two command lines as the arms of a gate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/policy.h"
#include "perfgate/measure/plan.h"

namespace perfgate::gate {

struct CommandRequest {
  bool is_asked = false;         // the arms are command lines
  std::string name = "command";  // of the case
  // "auto": by /bin/sh where the line has characters that mean something to a shell, else without;
  // "none"; "default": /bin/sh; or the path of a shell that takes -c.
  std::string shell = "auto";
  std::string setup;    // once before the first run of an arm
  std::string prepare;  // before every run, not timed
  std::string cleanup;  // once after the last run
  std::string input;    // file that is standard input; empty: nothing can be read
  std::string output;   // "null", "inherit" or a file; empty: null
  int exit_code = 0;    // that is expected
  bool ignore_failure = false;
  bool compare_output = false;
  int threads = 1;
};

// Error(kUsage) for an empty line, a quote that is not closed and a contradiction; Error(kData)
// where the program or the input is not there.
measure::ArmPlan CommandArm(const std::string& label, const std::string& line,
                            const CommandRequest& request);

// The time alone decides, unless rules of the policy say otherwise.
Policy PolicyOfCommands(Policy policy);

// Runs setup now, and cleanup when it goes. Error(kData) where setup fails.
class CommandSurroundings {
 public:
  explicit CommandSurroundings(const CommandRequest& request);
  ~CommandSurroundings();
  CommandSurroundings(const CommandSurroundings&) = delete;
  CommandSurroundings& operator=(const CommandSurroundings&) = delete;

 private:
  CommandRequest request_;
};

}  // namespace perfgate::gate
