// SPDX-License-Identifier: Apache-2.0
// records.h: what is known of an arm and of a task, as it lies in the task's folder.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/parity.h"
#include "perfgate/study/arm/log_lines.h"

namespace perfgate::study {

// What became of an arm. Each follows from what happened; none is typed in.
enum class ArmState {
  kMeasured,
  kReady,  // built and tested; not measured, as another arm is missing
  kIdentical,
  kUnknownCommit,
  kBadCommand,
  kPatchDoesNotApply,
  kBuildFailed,
  kBuildTimeout,
  kBuildOutOfMemory,
  kTestsFailed,
  kTestsTimeout,
  kNoTestsRan,
  kBenchmarkMissing,
  kCrash,
  kTimeout,
  kOutOfMemory,
  kNoMetrics,
  kSetUpFailed,  // not the arm's fault: the same command tries it again
};

constexpr EnumWords<18> enum_words(ArmState) {
  return {"status",
          {{"measured", "ready", "identical", "unknown_commit", "bad_command",
            "patch_does_not_apply", "build_failed", "build_timeout", "build_out_of_memory",
            "tests_failed", "tests_timeout", "no_tests_ran", "benchmark_missing", "crash",
            "timeout", "out_of_memory", "no_metrics", "set_up_failed"}}};
}

struct Input {
  std::string name{};
  std::string value{};

  bool operator==(const Input&) const = default;
};

struct ArmRecord {
  std::string label{};
  std::string folder{};  // in the task's folder
  std::string inputs{};  // digest of all that the arm is made of
  ArmState status = ArmState::kReady;
  std::string reason{};
  std::string log{};  // in the task's folder; empty: none tells
  std::vector<LogLine> lines{};
  std::string executable{};  // in the task's folder, or where it was given
  std::string digest{};      // of the executable and its libraries, wherever they lie
  std::string file_digest{};
  std::optional<long> tests{};  // that ran; null: the log does not say
  bool tested = false;
  double build_s = 0;
  double test_s = 0;
  // One case of the trial run: that it ran, and no measurement.
  std::string trial_case{};
  double trial_time = 0;
  std::string trial_unit{};
};

struct CaseRecord {
  std::string name{};
  std::string metric{};
  std::string unit{};
  std::string better{};
  ParityStatus outcome = ParityStatus::kUnresolved;
  std::optional<bool> vacuous{};
  int rounds = 0;
  // The agent against the human, log ratio, positive is worse.
  double estimate = std::numeric_limits<double>::quiet_NaN();
  double lo = std::numeric_limits<double>::quiet_NaN();
  double hi = std::numeric_limits<double>::quiet_NaN();
  double baseline = std::numeric_limits<double>::quiet_NaN();
  double human = std::numeric_limits<double>::quiet_NaN();
  double agent = std::numeric_limits<double>::quiet_NaN();
  std::string reason{};
};

struct AgentRecord {
  std::string label{};
  ParityStatus outcome = ParityStatus::kNotComparable;
  bool vacuous = false;
  Exit exit = Exit::kNotComparable;
  std::string reason{};
  std::string trust{};    // level at which it was measured; empty: it was not
  std::string session{};  // in the task's folder
  std::string verdict{};
  std::vector<CaseRecord> cases{};
};

// A record that this one took the place of.
struct Change {
  std::vector<std::string> changed{};  // names of inputs
  std::string before{};                // the outcomes that it had
};

struct TaskRecord {
  std::string id{};
  std::string model{};
  Exit exit = Exit::kNotComparable;
  std::vector<Input> inputs{};
  std::vector<ArmRecord> arms{};  // baseline, human, agents
  std::vector<AgentRecord> agents{};
  std::vector<Change> changes{};  // oldest first
};

void WriteArm(const std::string& path, const ArmRecord& arm);
void WriteTask(const std::string& path, const TaskRecord& task);

// None where there is no such file, or it was cut or written by another version: it is made again.
std::optional<ArmRecord> FindArm(const std::string& path);
std::optional<TaskRecord> FindTask(const std::string& path);

// "a1 win, a2 failed"
std::string OutcomesOf(const TaskRecord& task);

// One line of results.json, without a line end.
std::string TaskAsJson(const TaskRecord& task);

}  // namespace perfgate::study
