// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "perfgate/base/text/one_line.h"
#include "perfgate/base/text/utf8.h"
#include "perfgate/measure/driver/arm_error.h"
#include "perfgate/measure/driver/process/benchmark_run.h"
#include "perfgate/measure/driver/process/case_filter.h"
#include "perfgate/measure/driver/process/process_driver.h"

namespace perfgate::measure {
namespace {

constexpr double kTinyS = 1e-6;           // shorter than any case: one batch of iterations
constexpr double kShareOfFullPass = 0.5;  // of the time limit
constexpr double kCandidateLimitS = 10;
constexpr std::int64_t kTellingCount = 3;  // no library picks this count by itself

// The number behind "/key:" where it is a whole part of the name.
std::optional<std::int64_t> name_part(std::string_view name, std::string_view key) {
  const std::string wanted = "/" + std::string(key) + ":";
  const std::size_t at = name.rfind(wanted);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t number = 0;
  std::size_t i = at + wanted.size();
  const std::size_t first = i;
  for (; i < name.size() && name[i] >= '0' && name[i] <= '9' && i < first + 15; ++i) {
    number = number * 10 + (name[i] - '0');
  }
  if (i == first || (i < name.size() && name[i] != '/')) return std::nullopt;
  return number;
}

bool has_part(std::string_view name, std::string_view part) {
  const std::string wanted = "/" + std::string(part);
  const std::size_t at = name.rfind(wanted);
  if (at == std::string_view::npos) return false;
  const std::size_t end = at + wanted.size();
  return end == name.size() || name[end] == '/';
}

CaseInfo case_of_name(const std::string& name) {
  CaseInfo info;
  info.name = name;
  info.threads = static_cast<int>(
      std::clamp<std::int64_t>(name_part(name, "threads").value_or(1), 1, 1 << 20));
  info.time = has_part(name, "manual_time") ? "manual" : "real";
  info.fixed_iterations = name_part(name, "iterations").value_or(0);
  return info;
}

class Discovery {
 public:
  Discovery(const Executable& executable, const Launch& launch, double limit_s)
      : executable_(executable), launch_(launch), limit_(Deadline::in(limit_s)) {}

  Listing run();

 private:
  RunOutcome quick_run(const std::string& filter, double limit_s, std::int64_t count);
  void learn_startup();
  void enter_rows(const RunOutcome& outcome);
  void add_candidates();
  bool is_case(const std::string& name);
  void learn_fixed_counts();

  [[noreturn]] void RefuseNoCases(const RunOutcome& full) const;

  const Executable& executable_;
  const Launch& launch_;
  Deadline limit_;
  PrivateFolder scratch_{"perfgate-out-"};
  Listing listing_;
  std::set<std::string> known_;
  bool knows_counts_ = true;  // the library accepts "1x"
};

// The second option wins where the library knows exact counts; elsewhere it is refused (the program
// ends at once) or ignored, and the first one keeps the run short.
RunOutcome Discovery::quick_run(const std::string& filter, double limit_s, std::int64_t count) {
  RunRequest request;
  request.filter = filter;
  request.options = {seconds_option(kTinyS)};
  if (knows_counts_) request.options.push_back(iterations_option(count));
  request.limit_s = request.step_limit_s = std::min(limit_s, limit_.left_s());
  return run_benchmarks(launch_, scratch_, request);
}

void Discovery::enter_rows(const RunOutcome& outcome) {
  if (!outcome.file.library_version.empty()) listing_.library = outcome.file.library_version;
  for (const BenchmarkRow& row : outcome.file.rows) {
    if (row.aggregate || row.run_name.empty() || !known_.insert(row.run_name).second) continue;
    CaseInfo info = case_of_name(row.run_name);
    info.threads = row.threads;
    listing_.cases.push_back(info);
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(VisibleText(line));
  return lines;
}

// The program's own lines are those that it also prints when it lists no case.
void Discovery::add_candidates() {
  const double limit_s = std::min(kCandidateLimitS, limit_.left_s());
  std::vector<std::string> candidates =
      lines_of(run_list_tests(launch_, "", limit_s).standard_output);
  std::map<std::string, int> own;
  for (const std::string& line :
       lines_of(run_list_tests(launch_, filter_of_none(), limit_s).standard_output)) {
    ++own[line];
  }
  const std::vector<CaseInfo> seen = std::exchange(listing_.cases, {});
  std::set<std::string> placed;
  const auto place = [&](const CaseInfo& info) {
    if (placed.insert(info.name).second) listing_.cases.push_back(info);
  };
  for (const std::string& line : candidates) {
    const auto found = std::find_if(seen.begin(), seen.end(),
                                    [&](const CaseInfo& info) { return info.name == line; });
    if (found != seen.end()) {
      place(*found);
    } else if (own[line]-- <= 0 && !line.empty() && is_case(line)) {
      place(case_of_name(line));
    }
  }
  for (const CaseInfo& info : seen) place(info);  // names with line ends
}

bool Discovery::is_case(const std::string& name) {
  if (limit_.passed()) return true;
  const RunOutcome outcome = quick_run(filter_of(name), kCandidateLimitS, 1);
  for (const BenchmarkRow& row : outcome.file.rows) {
    if (row.run_name == name) return true;
  }
  const bool ended_in_order = outcome.launch_error.empty() && !outcome.timed_out &&
                              outcome.status.ok() && (outcome.file_empty || outcome.file.complete);
  return !ended_in_order;
}

void Discovery::learn_fixed_counts() {
  listing_.fixed_counts = false;
  if (!knows_counts_) return;
  for (const CaseInfo& info : listing_.cases) {
    if (info.fixed_iterations > 0) continue;
    const RunOutcome outcome = quick_run(filter_of(info.name), kCandidateLimitS, kTellingCount);
    for (const BenchmarkRow& row : outcome.file.rows) {
      const bool usable = row.run_name == info.name && !row.error && !row.skipped &&
                          row.unreadable.empty() && !row.aggregate;
      if (!usable) continue;
      // Counts of threaded cases are summed over the threads, or not, by release.
      listing_.fixed_counts =
          row.iterations == kTellingCount || row.iterations == kTellingCount * info.threads;
      return;
    }
    if (limit_.passed()) return;
  }
}

// The cost of a run of nothing. Libraries that do not know "1x" refuse it and end with an error.
void Discovery::learn_startup() {
  RunOutcome empty = quick_run(filter_of_none(), kCandidateLimitS, 1);
  if (!empty.launch_error.empty()) throw ArmError(FaultKind::kLaunch, empty.launch_error);
  const bool refused = empty.status.exited && empty.status.signal == 0 && empty.status.code != 0;
  if (refused && !empty.timed_out) {
    knows_counts_ = false;
    RunOutcome again = quick_run(filter_of_none(), kCandidateLimitS, 1);
    knows_counts_ = !again.status.ok();  // then that was not the reason
    empty = std::move(again);
  }
  listing_.startup_s = empty.wall_s;
}

// The program may be none of those that perfgate measures, keep its arguments from the library, or
// break before it has come to its first case.
void Discovery::RefuseNoCases(const RunOutcome& full) const {
  const std::string doing = "while listing its cases with --benchmark_out";
  if (!executable_.knows_benchmark) {
    throw ArmError(
        FaultKind::kNoOutput,
        "this is no Google Benchmark executable: it ran no benchmark, and neither it nor "
        "one of its libraries knows --benchmark_out. Build it with Google Benchmark, or "
        "import its results with perfgate import");
  }
  if (full.file_empty && full.status.ok() && !full.timed_out) {
    throw ArmError(full.fault(),
                   full.detail(doing) +
                       ". Its main must hand its arguments to benchmark::Initialize and call "
                       "benchmark::RunSpecifiedBenchmarks; if this is no Google Benchmark "
                       "executable, perfgate cannot measure it");
  }
  throw ArmError(full.fault(), full.detail(doing) +
                                   ". If this is no Google Benchmark executable, "
                                   "perfgate cannot measure it");
}

Listing Discovery::run() {
  listing_.metrics = {Metric{}};
  learn_startup();
  RunOutcome full = quick_run("", limit_.left_s() * kShareOfFullPass, 1);
  // A program that also fails when it has run no case hides from learn_startup() that it was the
  // option that it refused.
  const bool refused = full.status.exited && !full.status.ok() && full.file_empty;
  if (refused && knows_counts_ && !full.timed_out) {
    knows_counts_ = false;
    full = quick_run("", limit_.left_s() * kShareOfFullPass, 1);
  }
  enter_rows(full);
  const bool whole =
      full.launch_error.empty() && !full.timed_out && full.status.ok() && full.file.complete;
  if (!whole) add_candidates();
  if (listing_.cases.empty()) RefuseNoCases(full);
  learn_fixed_counts();
  return listing_;
}

}  // namespace

Listing list_processes(const Executable& executable, const Launch& launch, double limit_s) {
  try {
    return Discovery(executable, launch, limit_s).run();
  } catch (const ArmError& error) {
    throw ArmError(error.kind(), executable.path + ": " + error.what());
  }
}

}  // namespace perfgate::measure
