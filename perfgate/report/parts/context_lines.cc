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

// "2 cases decided in 24 rounds over layouts; between layouts they spread by 1.4 to 3.2 %"
std::string layouts_text(const SuiteVerdict& verdict) {
  std::set<std::string_view> cases;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const ColumnVerdict& column : verdict.columns) {
    if (std::isfinite(column.link_effect.estimate)) cases.insert(column.case_name);
    if (!std::isfinite(column.layout_sd) || !is_relative(column.metric.kind)) continue;
    least = std::min(least, column.layout_sd);
    most = std::max(most, column.layout_sd);
  }
  std::string text = cases.empty() ? "every case" : counted(cases.size(), "case");
  text += " decided in " + counted(static_cast<std::size_t>(verdict.layout_rounds), "round") +
          " over layouts";
  if (most > 0) {
    text += "; between layouts " + std::string(cases.size() == 1 ? "it spreads" : "they spread") +
            " by " + Percent(least, 1) + (most > least ? " to " + Percent(most, 1) : std::string());
  }
  return text;
}

// Whether a slowdown is named that another link of the same code may not show.
bool rests_on_one_link(const SuiteVerdict& verdict) {
  const bool commands =
      !verdict.arms.empty() && verdict.arms.front().driver == DriverKind::kCommand;
  return verdict.layout_rounds == 0 && !commands &&
         std::any_of(verdict.columns.begin(), verdict.columns.end(), [](const ColumnVerdict& c) {
           return c.gated && c.verdict == Verdict::kRegression && is_relative(c.metric.kind);
         });
}

// "--size 64, OMP_NUM_THREADS=1, cases BM_Old/(.*)": what one arm has and the other has not.
std::string OwnSettings(const ArmInfo& arm, const ArmInfo& other) {
  std::string text;
  if (arm.arguments != other.arguments) append(text, ShellLine(arm.arguments));
  for (const NamedValue& variable : arm.environment) {
    const bool shared = std::find(other.environment.begin(), other.environment.end(), variable) !=
                        other.environment.end();
    if (!shared) append(text, variable.name + "=" + ShellWord(variable.value));
  }
  if (arm.compared_cases != other.compared_cases) append(text, named("cases", arm.compared_cases));
  return text.empty() ? "nothing" : text;
}

std::vector<Fact> DifferenceFacts(const std::vector<ArmInfo>& arms) {
  if (arms.size() != 2) return {};
  const ArmInfo& one = arms.front();
  const ArmInfo& other = arms.back();
  if (one.arguments == other.arguments && one.environment == other.environment &&
      one.compared_cases == other.compared_cases) {
    return {};
  }
  std::string value = OwnSettings(one, other) + " against " + OwnSettings(other, one);
  if (one.digest == other.digest) value += "; the executable is the same";
  return {{"Differs", value}};
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

std::vector<Fact> RootFacts(const SuiteVerdict& verdict) {
  std::vector<Fact> facts;
  if (!verdict.change.empty()) {
    facts.push_back({"Change", verdict.change + " of " + verdict.repository});
  }
  if (!verdict.trusted_commit.empty()) {
    facts.push_back({"Trusted", "store and policy of commit " + verdict.trusted_commit});
  }
  return facts;
}

std::vector<Fact> verdict_facts(const SuiteVerdict& verdict) {
  std::vector<Fact> facts = RootFacts(verdict);
  for (Fact& fact : arm_facts(verdict.arms)) facts.push_back(std::move(fact));
  for (Fact& fact : DifferenceFacts(verdict.arms)) facts.push_back(std::move(fact));
  facts.push_back(machine_fact(verdict.machine));
  if (verdict.grade.starts_with("paired")) facts.push_back(trust_fact(verdict.trust));
  const bool stored = verdict.candidate_sessions > 0;
  if (stored) {
    constexpr std::size_t kHeadDigits = 19;  // "sha256:" and 12 digits
    facts.push_back({"Measured", std::to_string(verdict.candidate_sessions) + " session(s) of " +
                                     std::to_string(verdict.rounds) + " rounds against " +
                                     std::to_string(verdict.baseline_sessions) +
                                     " recorded; evidence: " + verdict.grade +
                                     (verdict.baseline_head.empty() ? "" : "; chain ") +
                                     verdict.baseline_head.substr(0, kHeadDigits)});
  } else if (verdict.rounds > 0) {
    facts.push_back(core_fact(verdict.cpus, verdict.conditions));
    std::string measured = measured_text(verdict.rounds, verdict.wall_s, verdict.timed_s);
    append(measured, "looks " + looks_text(verdict.schedule));
    append(measured, "evidence: " + verdict.grade);
    if (verdict.aa) append(measured, "declared A/A");
    facts.push_back({"Measured", measured});
    if (verdict.layout_rounds > 0) facts.push_back({"Layouts", layouts_text(verdict)});
    if (rests_on_one_link(verdict)) {
      facts.push_back({"Layouts",
                       "none: one link of each arm was compared, and another can move a case by "
                       "several per cent; perfgate relink tells the change from the link"});
    }
  }
  facts.push_back(policy_fact(verdict.policy));
  if (!verdict.schedule.plan.empty()) facts.push_back({"Plan", verdict.schedule.plan});
  if (verdict.gated_cases > 0) {
    facts.push_back({"Checked", fmt::format("results of {} of {} cases are checked",
                                            verdict.checked_cases, verdict.gated_cases)});
  }
  if (verdict.jobs > 0) {
    facts.push_back(jobs_fact(verdict.jobs));
  } else if (verdict.rounds > 0 && !stored) {
    facts.push_back(replay_fact(verdict.schedule));
  }
  if (!verdict.complete)
    facts.push_back({"Warning", "the session was interrupted: partial evidence"});
  std::set<std::string_view> seen;
  for (const std::string& warning : verdict.warnings) {
    if (seen.insert(warning).second) facts.push_back({"Warning", warning});
  }
  for (const std::string& override_text : verdict.policy.overrides) {
    facts.push_back({"Override", override_text});
  }
  const bool unclear =
      std::any_of(verdict.columns.begin(), verdict.columns.end(), [](const ColumnVerdict& column) {
        return column.gated && column.verdict == Verdict::kInconclusive && column.rounds > 0;
      });
  if (stored) {
    facts.push_back({"Next",
                     "numbers recorded earlier can only suspect; confirm with both executables: "
                     "perfgate gate --baseline EXE --candidate EXE"});
  } else if (unclear) {
    facts.push_back({"Next",
                     "perfgate calibrate and perfgate plan name the tolerances and the "
                     "budget that would decide the inconclusive cases"});
  }
  return facts;
}

}  // namespace perfgate::report
