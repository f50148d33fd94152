// SPDX-License-Identifier: Apache-2.0
// perfgate doctor: what this machine offers a measurement, and what stands in its way.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/base/text/join.h"
#include "perfgate/base/text/percent.h"
#include "perfgate/cli/commands.h"
#include "perfgate/cli/options/outputs.h"
#include "perfgate/measure/cpu/cpu_lease.h"
#include "perfgate/measure/isolation/find_abilities.h"
#include "perfgate/measure/machine/machine_probe.h"
#include "perfgate/measure/machine/round_probe.h"

namespace perfgate::cli {
namespace {

enum class Level { kOk, kWarning, kUnfit };

struct Finding {
  Level level;
  std::string text;
};

std::string percent(double share) { return Percent(share, 1); }

// Spread of equal pieces of work: (90th percentile - minimum) / minimum over about a second.
double work_jitter() {
  constexpr int kPieces = 100;
  constexpr double kPieceS = 0.01;
  const auto work = [](std::uint64_t rounds) {
    std::uint64_t x = 88172645463325252U;
    for (std::uint64_t i = 0; i < rounds; ++i) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
    volatile std::uint64_t sink = x;
    (void)sink;
  };
  constexpr std::uint64_t kProbe = 1'000'000;
  const auto start = Clock::now();
  work(kProbe);
  const auto rounds = static_cast<std::uint64_t>(static_cast<double>(kProbe) * kPieceS /
                                                 std::max(1e-6, seconds_since(start)));
  std::vector<double> times;
  for (int i = 0; i < kPieces; ++i) {
    throw_if_interrupted();
    const auto begin = Clock::now();
    work(rounds);
    times.push_back(seconds_since(begin));
  }
  std::sort(times.begin(), times.end());
  return (times[kPieces * 9 / 10] - times.front()) / times.front();
}

void examine_cores(std::vector<Finding>& findings) {
  constexpr double kBusy = 0.05;
  const std::vector<int> allowed = measure::allowed_cpus();
  const measure::CpuLease lease = measure::lease_cpus(1, {});
  for (const std::string& warning : lease.warnings) findings.push_back({Level::kWarning, warning});
  if (!lease.can_pin()) {
    findings.push_back({Level::kWarning,
                        "cannot pin to a core: arms will not share one, which costs most of the "
                        "noise cancellation"});
  } else {
    findings.push_back({lease.busy_share > kBusy ? Level::kWarning : Level::kOk,
                        "quietest core: " + Join(lease.cpus, ",") + " of " + Join(allowed, ",") +
                            ", " + percent(lease.busy_share) + " busy with other work"});
  }
  if (allowed.size() < 2) {
    findings.push_back(
        {Level::kWarning,
         "one core only: perfgate itself runs where it measures; expect more rounds"});
  }
  const measure::SelfAffinity elsewhere(lease.cpus);
  const measure::RoundProbe probe(lease.cpus);
  sleep_for(1.0);
  const RoundConditions conditions = probe.finish(0);
  constexpr double kSteal = 0.02;
  constexpr double kUnfitSteal = 0.25;
  if (conditions.steal_share >= 0) {
    findings.push_back({conditions.steal_share > kUnfitSteal ? Level::kUnfit
                        : conditions.steal_share > kSteal    ? Level::kWarning
                                                             : Level::kOk,
                        "time taken by the hypervisor: " + percent(conditions.steal_share)});
  }
}

void examine_frequency(const Machine& machine, std::vector<Finding>& findings) {
  if (machine.governor.empty()) {
    findings.push_back(
        {Level::kOk, "frequency control is not visible (usual in virtual machines)"});
  } else if (machine.governor == "performance") {
    findings.push_back({Level::kOk, "frequency governor: performance"});
  } else {
    findings.push_back(
        {Level::kWarning, "frequency governor is '" + machine.governor +
                              "'; alternation cancels most of it, 'performance' all of it"});
  }
  if (machine.boost == "on") {
    findings.push_back({Level::kOk, "boost is on; alternated slices share it"});
  }
}

void examine_isolation(std::vector<Finding>& findings) {
  const measure::Abilities found = measure::FindAbilities();
  for (const std::string& lacking : found.lacking) {
    findings.push_back({Level::kWarning, "arms cannot be isolated fully, lacking " + lacking});
  }
  const bool limited = found.groups.limits_memory && found.groups.limits_processes;
  findings.push_back(
      {Level::kOk,
       limited ? "isolated arms can be limited in memory and processes by cgroup v2"
               : "isolated arms are not limited in memory and processes: " + found.groups.why_not +
                     " (systemd-run --user --scope -p Delegate=yes perfgate ...)"});
  if (found.full()) {
    findings.push_back({Level::kOk, "arms can be isolated (--isolate) by " + found.bubblewrap});
  } else if (!found.setpriv.empty()) {
    findings.push_back({Level::kOk, "arms can have a user of their own, by " + found.setpriv});
  }
}

Exit doctor() {
  const InterruptScope interrupts;
  const Machine machine = measure::probe_machine();
  std::vector<Finding> findings;
  examine_cores(findings);
  examine_frequency(machine, findings);
  examine_isolation(findings);
  constexpr double kJitter = 0.10;
  const double jitter = work_jitter();
  findings.push_back({jitter > kJitter ? Level::kWarning : Level::kOk,
                      "equal pieces of work of 10 ms differ by " + percent(jitter) +
                          " (90th percentile over the fastest)"});

  std::string text = machine.cpu_model + ", " + std::to_string(machine.logical_cpus) +
                     " logical cores, " + machine.isa + ", " + machine.kernel;
  if (!machine.virtualization.empty()) text += ", " + machine.virtualization;
  text += "\n";
  Level worst = Level::kOk;
  for (const Finding& finding : findings) {
    worst = std::max(worst, finding.level);
    const char* mark = finding.level == Level::kOk        ? "  ok       "
                       : finding.level == Level::kWarning ? "  warning  "
                                                          : "  unfit    ";
    text += mark + finding.text + "\n";
  }
  text += worst == Level::kOk ? "This machine is fit to measure.\n"
          : worst == Level::kWarning
              ? "This machine can measure; expect more rounds where warned.\n"
              : "This machine is not fit to measure now.\n";
  print(text);
  return worst == Level::kUnfit ? Exit::kInvalid : Exit::kPass;
}

}  // namespace

Command add_doctor(CLI::App& app) {
  app.footer("Exits 0 when the machine can measure, with or without warnings, else 14.");
  return [] { return doctor(); };
}

}  // namespace perfgate::cli
