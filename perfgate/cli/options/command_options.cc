// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/options/command_options.h"

#include <filesystem>
#include <system_error>

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

// A word that is no file may be a command: 'gzip -6 data', or 'true' from the search path.
void RequireFile(const std::string& arm) {
  const bool may_be_command =
      arm.find(' ') != std::string::npos || arm.find_first_of("/:") == std::string::npos;
  std::error_code error;
  if (!may_be_command || std::filesystem::exists(arm, error)) return;
  throw Error(Exit::kUsage, "'" + arm +
                                "': no such file; build the benchmark first, or correct the path. "
                                "Command lines are compared with --command -- 'A' 'B'");
}

void TakeArms(const std::vector<std::string>& arms, gate::GateRequest& request) {
  if (arms.empty()) return;
  const bool named = !request.baseline.empty() || !request.candidate.empty();
  if (request.command.is_asked) {
    if (arms.size() != 2 || named) {
      throw Error(Exit::kUsage,
                  "--command compares two lines, each as one word: --command -- 'OLD COMMAND' 'NEW "
                  "COMMAND'");
    }
    RequireWords(arms);
  } else if (named) {
    throw Error(Exit::kUsage, "'" + arms.front() +
                                  "': name the arms by --baseline and --candidate, or by their "
                                  "places: perfgate gate OLD NEW");
  } else if (arms.size() == 1 && request.aa) {
    request.candidate = arms.front();
    return;
  } else if (arms.size() != 2) {
    throw Error(Exit::kUsage,
                "gate compares two executables: perfgate gate OLD NEW" +
                    std::string(arms.size() == 1 ? "; --candidate is missing: the second one"
                                                 : "; for three or more: perfgate compare"));
  }
  for (const std::string& arm : arms) {
    if (!request.command.is_asked) RequireFile(arm);
  }
  request.baseline = arms[0];
  request.candidate = arms[1];
}

}  // namespace perfgate::cli
