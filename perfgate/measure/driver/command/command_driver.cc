// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/command/command_driver.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/os/process.h"
#include "perfgate/base/sha256.h"
#include "perfgate/measure/command.h"
#include "perfgate/measure/counters/counting_driver.h"
#include "perfgate/measure/counters/event_counters.h"
#include "perfgate/measure/driver/arm_error.h"

namespace perfgate::measure {
namespace {

constexpr double kBytesPerRssUnit = 1024;  // ru_maxrss is in KiB

struct RunResult {
  std::optional<FaultKind> fault;
  std::string detail;
  double wall_s = 0;
  double user_s = 0;
  double system_s = 0;
  double peak_rss = 0;  // bytes
  std::string standard_output;
  long voluntary_switches = 0;
  long involuntary_switches = 0;
  int leftovers = 0;
  std::map<std::string, double> events{};
};

double SecondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

SpawnOptions OptionsFor(const std::vector<std::string>& words, const Launch& launch) {
  SpawnOptions options;
  options.path = words.front();
  options.args.assign(words.begin() + 1, words.end());
  options.cpus = launch.cpus;
  options.nice = launch.nice;
  options.memory_bytes = launch.memory_bytes;
  options.variables = launch.variables;
  return options;
}

std::string WithTail(const std::string& text, ChildProcess& child) {
  const std::string tail = child.output_tail(kShownBytes);
  return tail.empty() ? text : text + "; it printed: " + tail;
}

// What is wrong with a run that has ended; empty: nothing.
std::string WrongEnd(const ExitStatus& status, const std::optional<int>& exit_code) {
  if (status.signal != 0) return status.text();
  if (!exit_code || status.code == *exit_code) return "";
  return status.text() +
         (*exit_code == 0 ? "" : ", and " + std::to_string(*exit_code) + " is expected");
}

RunResult RunOnce(const Command& command, const Launch& launch, double limit_s, bool keep_output) {
  RunResult result;
  SpawnOptions options = OptionsFor(command.words, launch);
  options.input = command.input;
  options.output = keep_output ? "" : command.output;
  options.separate_stdout = keep_output;
  try {
    EventCounters events = EventCounters::OfChildren(launch.count);
    const auto start = Clock::now();
    ChildProcess child(options);
    const bool ended = child.wait_exit(Deadline::in(limit_s));
    result.wall_s = seconds_since(start);
    if (ended) {
      const rusage& usage = child.status().usage;
      result.user_s = SecondsOf(usage.ru_utime);
      result.system_s = SecondsOf(usage.ru_stime);
      result.peak_rss = kBytesPerRssUnit * static_cast<double>(usage.ru_maxrss);
      result.voluntary_switches = usage.ru_nvcsw;
      result.involuntary_switches = usage.ru_nivcsw;
      result.detail = WrongEnd(child.status(), command.exit_code);
      if (!result.detail.empty()) {
        result.fault = FaultKind::kCrashed;
        result.detail = WithTail(result.detail, child);
      }
      result.leftovers = child.kill_leftovers(kLeftoverGraceS);
      if (keep_output) result.standard_output = child.standard_output();
      for (const auto& [name, count] : events.Take()) result.events[name] = count;
    } else {
      result.fault = FaultKind::kTimeout;
      result.detail =
          WithTail("did not end within " + std::to_string(std::lround(limit_s)) + " s", child);
    }
    child.kill_all();
  } catch (const Error& error) {
    result.fault = FaultKind::kLaunch;
    result.detail = error.what();
  }
  if (!result.fault && result.leftovers > 0) {
    result.fault = FaultKind::kLeftover;
    result.detail = std::to_string(result.leftovers) +
                    " process(es) that it started still ran when it had ended; they were killed. A "
                    "command must end with all that it starts";
  }
  return result;
}

// Why the preparation failed; empty: it did not, or there is none.
std::string Prepare(const Command& command, const Launch& launch, double limit_s) {
  if (command.prepare.empty()) return "";
  try {
    ChildProcess child(OptionsFor(command.prepare, launch));
    const bool ended = child.wait_exit(Deadline::in(limit_s));
    std::string trouble = ended ? WrongEnd(child.status(), 0) : "it did not end in time";
    if (!trouble.empty()) trouble = "the preparation failed: " + WithTail(trouble, child);
    child.kill_all();
    return trouble;
  } catch (const Error& error) {
    return std::string("the preparation failed: ") + error.what();
  }
}

// What the kernel says is resident in a process that has nothing: a copy of perfgate.
double LeastRssSeen() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return kBytesPerRssUnit * static_cast<double>(usage.ru_maxrss);
}

class CommandDriver final : public Driver {
 public:
  explicit CommandDriver(Launch launch) : launch_(std::move(launch)) {}

  SliceResult slice(const SliceRequest& request) override {
    leftovers_ = 0;
    const Command& command = *launch_.command;
    SliceResult result;
    const auto start = Clock::now();
    const std::int64_t runs = std::max<std::int64_t>(1, request.iterations);
    double user_s = 0;
    double system_s = 0;
    double peak_rss = 0;
    std::map<std::string, double> events;
    for (std::int64_t i = 0; i < runs && !result.fault; ++i) {
      if (std::string trouble = Prepare(command, launch_, request.limit_s); !trouble.empty()) {
        result.fault = FaultKind::kCrashed;
        result.detail = std::move(trouble);
        break;
      }
      RunResult run = RunOnce(command, launch_, request.limit_s, false);
      Account(run);
      result.fault = run.fault;
      result.detail = std::move(run.detail);
      result.total_s += run.wall_s;
      user_s += run.user_s;
      system_s += run.system_s;
      peak_rss = std::max(peak_rss, run.peak_rss);
      for (const auto& [name, count] : run.events) events[name] += count;
    }
    const auto n = static_cast<double>(runs);
    result.iterations = runs;
    result.real_s = result.total_s / n;
    result.cpu_s = (user_s + system_s) / n;
    result.wall_s = seconds_since(start);
    result.has_wall = false;  // the report is the gate's own clock, and preparing is not in it
    // Preparing takes as long however many runs there are: longer slices do not make it rarer.
    result.own_wall_s = result.total_s;
    result.counters = {{"user_time", user_s / n}, {"system_time", system_s / n}};
    if (peak_rss > LeastRssSeen()) result.counters.emplace_back("peak_rss", peak_rss);
    AddPerIteration({events.begin(), events.end()}, result);
    if (!result.fault) RefuseBadTimes(result);
    return result;
  }

  std::vector<SliceResult> suite_slice(std::span<const SliceRequest> requests) override {
    std::vector<SliceResult> results;
    results.reserve(requests.size());
    for (const SliceRequest& request : requests) results.push_back(slice(request));
    return results;
  }

  bool alive() const override { return true; }
  void pin(std::span<const int> cpus) override { launch_.cpus.assign(cpus.begin(), cpus.end()); }
  double cpu_seconds() const override { return cpu_s_; }
  void pause() override {}  // no process lives between slices
  void resume() override {}
  int leftover_processes() const override { return leftovers_; }
  Departure quit() override { return std::exchange(departure_, Departure{}); }

 private:
  void Account(const RunResult& run) {
    cpu_s_ += run.user_s + run.system_s;
    leftovers_ += run.leftovers;
    departure_.leftover_processes += run.leftovers;
    departure_.voluntary_switches += run.voluntary_switches;
    departure_.involuntary_switches += run.involuntary_switches;
  }

  Launch launch_;
  int leftovers_ = 0;
  double cpu_s_ = 0;
  Departure departure_;
};

}  // namespace

Listing ListCommand(const Launch& launch, double limit_s) {
  const Command& command = *launch.command;
  if (const std::string trouble = Prepare(command, launch, limit_s); !trouble.empty()) {
    throw ArmError(FaultKind::kCrashed, trouble);
  }
  const RunResult run = RunOnce(command, launch, limit_s, command.compare_output);
  if (run.fault) throw ArmError(*run.fault, run.detail);
  Listing listing;
  CaseInfo info;
  info.name = command.case_name;
  info.threads = command.threads;
  if (command.compare_output) {
    info.workload.push_back({"standard_output", sha256_digest(run.standard_output)});
  }
  listing.cases = {info};
  listing.metrics = {Metric{},
                     {"user_time", "s", Direction::kLower, Kind::kScore},
                     {"system_time", "s", Direction::kLower, Kind::kScore},
                     {"peak_rss", "B", Direction::kLower, Kind::kCount}};
  listing.startup_s = run.wall_s;
  // Seen without pins: how many cores it would use.
  const double cores = (run.user_s + run.system_s) / std::max(run.wall_s, 1e-9);
  constexpr double kClearlyMore = 1.2;
  if (launch.cpus.empty() && cores > kClearlyMore * command.threads) {
    listing.remark =
        fmt::format("it used {:.1f} cores when it could, and is measured on {}; give --threads N",
                    cores, command.threads);
  }
  return listing;
}

std::unique_ptr<Driver> LaunchCommand(const Launch& launch) {
  return std::make_unique<CommandDriver>(launch);
}

}  // namespace perfgate::measure
