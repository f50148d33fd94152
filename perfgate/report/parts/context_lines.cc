// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parts/context_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/join.h"
#include "perfgate/base/text/percent.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

void append(std::string& text, const std::string& part) {
  if (!part.empty()) AppendItem(text, part);
}

std::string named(const std::string& name, const std::string& value) {
  return value.empty() ? "" : name + " " + value;
}

// Twelve digits tell any two executables apart that a person will meet.
std::string short_digest(const std::string& digest) {
  constexpr std::string_view kPrefix = "sha256:";
  constexpr std::size_t kShort = kPrefix.size() + 12;
  return digest.substr(0, digest.starts_with(kPrefix) ? kShort : std::string::npos);
}

std::string build_text(const BuildInfo& build) {
  std::string text;
  append(text, build.compiler);
  append(text, named("sanitizer", build.sanitizer));
  if (build.known && !build.optimized) append(text, "not optimised");
  if (build.known && build.assertions) append(text, "with assertions");
  return text;
}

}  // namespace

std::vector<Fact> arm_facts(const std::vector<ArmInfo>& arms) {
  std::vector<Fact> facts;
  for (const ArmInfo& arm : arms) {
    std::string value = arm.label;
    append(value, arm.path);
    append(value, short_digest(arm.digest));
    if (arm.layouts > 0) append(value, counted(static_cast<std::size_t>(arm.layouts), "layout"));
    append(value, build_text(arm.build));
    if (!arm.arguments.empty()) append(value, "with " + ShellLine(arm.arguments));
    for (const NamedValue& variable : arm.environment) {
      append(value, variable.name + "=" + ShellWord(variable.value));
    }
    facts.push_back({"Arm", value});
  }
  return facts;
}

Fact machine_fact(const Machine& machine) {
  std::string value;
  append(value, machine.cpu_model);
  append(value, machine.isa);
  if (machine.logical_cpus > 0) append(value, std::to_string(machine.logical_cpus) + " CPUs");
  if (machine.memory_gib > 0) {
    append(value, format_value(machine.memory_gib,
                               {.name = "memory", .unit = "GiB", .kind = Kind::kCount}));
  }
  append(value, machine.kernel);
  append(value, named("on", machine.virtualization));
  append(value, named("governor", machine.governor));
  append(value, named("boost", machine.boost));
  append(value, named("host", machine.hostname));
  return {"Machine", value.empty() ? "not known" : value};
}

Fact core_fact(const std::vector<int>& cpus, const RoundConditions& conditions) {
  std::string value = cpus.empty() ? "not pinned" : "pinned to " + Join(cpus);
  if (conditions.steal_share >= 0) append(value, "steal " + format_share(conditions.steal_share));
  if (conditions.foreign_share >= 0) {
    append(value, "other processes " + format_share(conditions.foreign_share));
  }
  const Metric plain{.name = "load", .unit = "1", .kind = Kind::kCount};
  if (conditions.load >= 0) append(value, "load " + format_value(conditions.load, plain));
  if (conditions.mhz > 0) append(value, format_value(conditions.mhz, plain) + " MHz");
  if (conditions.involuntary_switches >= 0) {
    append(value,
           std::to_string(conditions.involuntary_switches) + " involuntary switches a round");
  }
  return {"Cores", value};
}

std::string measured_text(int rounds, double wall_s, double timed_s) {
  std::string text =
      std::to_string(rounds) + (rounds == 1 ? " round in " : " rounds in ") + format_wall(wall_s);
  if (wall_s > 0) append(text, format_share(timed_s / wall_s) + " of it timed");
  return text;
}

std::string looks_text(const Schedule& schedule) {
  if (schedule.looks.empty()) return "none";
  std::string alphas;
  for (const double alpha : schedule.look_alpha) append(alphas, fmt::format("{:.2g}", alpha));
  return Join(schedule.looks) + " (alpha " + alphas + ")";
}

Fact policy_fact(const Policy& policy) {
  std::string value = "tolerance " + format_share(policy.tolerance);
  append(value, "alpha " + format_share(policy.alpha) + " over the suite");
  append(value, policy.rounds > 0     ? std::to_string(policy.rounds) + " rounds"
                : policy.budget_s > 0 ? "budget " + format_wall(policy.budget_s)
                                      : "automatic budget");
  append(value, "slices " + std::to_string(policy.pairs) + " x " + format_time(policy.slice_s));
  append(value, named("filter", policy.filter));
  return {"Policy", value};
}

Fact replay_fact(const Schedule& schedule) {
  if (schedule.seed.empty()) return {"Replay", "no schedule was drawn"};
  return {"Replay", "--seed " + schedule.seed + (schedule.replayed ? " (itself a replay)" : "")};
}

Fact jobs_fact(int jobs) {
  return {"Jobs", std::to_string(jobs) +
                      ", merged into one family with one alpha; each was measured with a seed of "
                      "its own, which its session has"};
}

Fact trust_fact(const TrustRecord& trust) {
  std::string value(to_string(trust.level));
  if (trust.level == TrustLevel::kReviewedSuite) {
    constexpr std::size_t kShownDigits = 12;
    value = "reviewed suite of " + trust.suite_commit.substr(0, kShownDigits);
  }
  value += trust.means.empty() ? ": arms run unconfined, so trust their authors (--isolate)"
                               : ": " + trust.means;
  if (!trust.lacking.empty()) value += "; lacking " + Join(trust.lacking, "; ");
  return {"Trust", value};
}

}  // namespace perfgate::report
