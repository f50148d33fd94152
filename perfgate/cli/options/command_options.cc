// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/command_options.h"

#include "perfgate/base/error.h"
#include "perfgate/cli/options/options.h"

namespace perfgate::cli {

void AddCommandOptions(CLI::App& app, gate::CommandRequest& request) {
  const std::string group = "Command lines";
  app.add_flag("--command", request.is_asked,
               "The arms are command lines: --command -- 'ONE COMMAND' 'OTHER COMMAND'")
      ->group(group);
  app.add_option("--name", request.name, "Name of the case [command]")
      ->check(not_empty())
      ->group(group);
  app.add_option("--shell", request.shell,
                 "none, default (/bin/sh), the path of a shell, or auto: a shell where the line "
                 "needs one [auto]")
      ->check(not_empty())
      ->group(group);
  app.add_option("--setup", request.setup, "Run once before all runs")->group(group);
  app.add_option("--prepare", request.prepare, "Run before every run, not timed")->group(group);
  app.add_option("--cleanup", request.cleanup, "Run once after all runs")->group(group);
  app.add_option("--input", request.input, "File that is standard input [nothing can be read]")
      ->check(not_empty())
      ->group(group);
  app.add_option("--output", request.output,
                 "Where standard output goes: null, inherit, or a file [null]")
      ->check(not_empty())
      ->group(group);
  app.add_option("--expect-exit", request.exit_code, "Exit code that a run must have [0]")
      ->check(CLI::Range(0, 255))
      ->group(group);
  app.add_flag("--ignore-failure", request.ignore_failure, "Time runs whatever their exit code is")
      ->group(group);
  app.add_flag("--compare-output", request.compare_output,
               "Refuse to compare commands whose standard output differs")
      ->group(group);
  app.add_option("--threads", request.threads, "Cores that a command may use [1]")
      ->check(CLI::Range(1, 4096))
      ->group(group);
}

void RequireWords(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (line.find_first_not_of(" \t\n") == std::string::npos) {
      throw Error(Exit::kUsage, "--command: a command is empty");
    }
  }
}

void TakeCommandLines(const std::vector<std::string>& lines, gate::GateRequest& request) {
  if (lines.empty()) return;
  if (!request.command.is_asked) {
    throw Error(Exit::kUsage, "'" + lines.front() +
                                  "': executables are named by --baseline and --candidate, "
                                  "command lines by --command -- 'A' 'B'");
  }
  if (lines.size() != 2 || !request.baseline.empty() || !request.candidate.empty()) {
    throw Error(Exit::kUsage,
                "--command compares two lines, each as one word: --command -- 'OLD COMMAND' 'NEW "
                "COMMAND'");
  }
  RequireWords(lines);
  request.baseline = lines[0];
  request.candidate = lines[1];
}

}  // namespace perfgate::cli
