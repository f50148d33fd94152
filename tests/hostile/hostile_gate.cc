// SPDX-License-Identifier: Apache-2.0
#include "tests/hostile/hostile_gate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "perfgate/verdict/verdict_file.h"

namespace perfgate::hostile {
namespace {

using testing_command::Command;
using testing_command::Finished;

// Generous: other tests share the machine, and a gate may wait for a core.
constexpr double kDeadlineS = 240;

}  // namespace

std::string flavour_name(Flavour flavour) {
  return flavour == Flavour::kWorker ? "Worker" : "Stock";
}

Workbench::Workbench()
    : marker_("HOSTILE_MARKER=" + std::to_string(getpid()) + "-" +
              std::to_string(std::chrono::steady_clock::now().time_since_epoch().count())),
      temporary_(folder_ / "tmp") {
  std::filesystem::create_directory(temporary_);
}

std::string Workbench::executable(Flavour flavour, const std::string& behaviour) {
  std::string path = folder_ / (flavour_name(flavour) + "-" + behaviour);
  if (std::filesystem::exists(path)) return path;
  const std::string source = flavour == Flavour::kWorker ? HOSTILE_WORKER_EXE : HOSTILE_STOCK_EXE;
  testing_command::write_text(path,
                              testing_command::read_text(source) + "HOSTILE=" + behaviour + ";");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

Command Workbench::command(const std::string& baseline, const std::string& candidate,
                           const std::vector<std::string>& options) const {
  Command command;
  command.arguments = {PERFGATE_EXE,  "gate",
                       "--baseline",  baseline,
                       "--candidate", candidate,
                       "--json",      folder_ / "verdict.json",
                       "--session",   folder_ / "session.json"};
  command.arguments.insert(command.arguments.end(), options.begin(), options.end());
  const auto has = [&](const char* option) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  if (!has("--budget")) {
    for (const char* word : {"--budget", "4s"}) command.arguments.emplace_back(word);
    if (!has("--rounds")) {
      for (const char* word : {"--rounds", "6"}) command.arguments.emplace_back(word);
    }
  }
  if (!has("--slice")) {
    for (const char* word : {"--slice", "1ms", "--pairs", "2"})
      command.arguments.emplace_back(word);
  }
  command.environment = {marker_, "TMPDIR=" + temporary_};
  command.deadline_s = kDeadlineS;
  return command;
}

void Workbench::expect_nothing_left() const {
  EXPECT_TRUE(processes_left(2.0).empty()) << "processes left behind";
  for (const auto& entry : std::filesystem::directory_iterator(temporary_)) {
    ADD_FAILURE() << "file left behind: " << entry.path();
  }
}

std::vector<pid_t> Workbench::processes_left(double grace_s) const {
  return testing_command::processes_with(marker_, grace_s);
}

Workbench::Result Workbench::collect(Finished process) const {
  Result result;
  EXPECT_FALSE(process.timed_out) << process.err;
  EXPECT_EQ(process.signal, 0) << process.err;
  EXPECT_NE(process.exit_code, static_cast<int>(Exit::kInternal)) << process.err;
  if (std::filesystem::exists(folder_ / "verdict.json")) {
    result.verdict = read_verdict(folder_ / "verdict.json");
    EXPECT_EQ(process.exit_code, static_cast<int>(result.verdict->exit));
  }
  if (std::filesystem::exists(folder_ / "session.json")) {
    result.session = read_session(folder_ / "session.json");
  }
  result.process = std::move(process);
  return result;
}

Workbench::Result Workbench::gate(const std::string& baseline, const std::string& candidate,
                                  const std::vector<std::string>& options) {
  std::filesystem::remove(folder_ / "verdict.json");
  std::filesystem::remove(folder_ / "session.json");
  Result result = collect(run_command(command(baseline, candidate, options)));
  expect_nothing_left();
  return result;
}

const ColumnVerdict* find_case(const SuiteVerdict& verdict, const std::string& name,
                               const std::string& metric) {
  const auto found =
      std::find_if(verdict.columns.begin(), verdict.columns.end(), [&](const ColumnVerdict& c) {
        // The library appends how the case is run.
        const bool named = c.case_name == name || c.case_name == name + "/manual_time" ||
                           c.case_name == name + "/iterations:10/manual_time";
        return named && c.metric.name == metric;
      });
  if (found != verdict.columns.end()) return &*found;
  ADD_FAILURE() << "no verdict on " << metric << " of " << name;
  return nullptr;
}

void expect_good_cases_passed(const SuiteVerdict& verdict) {
  for (const char* name : {"good/first", "good/last"}) {
    const ColumnVerdict* column = find_case(verdict, name);
    if (column == nullptr) continue;
    EXPECT_EQ(column->verdict, Verdict::kNoRegression) << name << ": " << column->reason;
    EXPECT_EQ(column->rounds, 6) << name;
  }
}

}  // namespace perfgate::hostile
