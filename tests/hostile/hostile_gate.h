// SPDX-License-Identifier: Apache-2.0
// hostile_gate.h: one gate between two hostile builds, and what has to hold after every one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate::hostile {

enum class Flavour { kWorker, kStock };  // links perfgate::main, or the library's own main

std::string flavour_name(Flavour flavour);

// A private folder, a copy of the fixture per behaviour, and a marker by which every process that
// descends from the gate is known.
class Workbench {
 public:
  Workbench();

  // Path of an executable that behaves so.
  std::string executable(Flavour flavour, const std::string& behaviour);

  struct Result {
    testing_command::Finished process;
    std::optional<SuiteVerdict> verdict;  // none where no --json file was written
    std::optional<Session> session;
  };

  // `perfgate gate` with `options`; unless they say otherwise with 6 short rounds, and with a
  // budget of 4 s, which keeps the limits on an arm's listing and calibration at 10 s. Fails the
  // test where the gate hangs, dies of a signal or an internal error, or leaves processes or files
  // behind.
  Result gate(const std::string& baseline, const std::string& candidate,
              const std::vector<std::string>& options = {});

  // The same command, to be run otherwise.
  testing_command::Command command(const std::string& baseline, const std::string& candidate,
                                   const std::vector<std::string>& options = {}) const;
  void expect_nothing_left() const;
  std::vector<pid_t> processes_left(double grace_s) const;
  Result collect(testing_command::Finished process) const;
  const testing_command::TemporaryFolder& folder() const { return folder_; }

 private:
  testing_command::TemporaryFolder folder_;
  std::string marker_;
  std::string temporary_;
};

// "good/first" and "good/last" got their own verdict; without it the test fails.
void expect_good_cases_passed(const SuiteVerdict& verdict);

const ColumnVerdict* find_case(const SuiteVerdict& verdict, const std::string& name,
                               const std::string& metric = "real_time");

}  // namespace perfgate::hostile
