// SPDX-License-Identifier: Apache-2.0
// What a verdict rests on (context_lines.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "perfgate/base/text/join.h"
#include "perfgate/base/text/percent.h"
#include "perfgate/base/text/shell_words.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

void AppendPart(std::string& text, const std::string& part) {
  if (!part.empty()) AppendItem(text, part);
}

std::string Named(const std::string& name, const std::string& value) {
  return value.empty() ? "" : name + " " + value;
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
  if (arm.arguments != other.arguments) AppendPart(text, ShellLine(arm.arguments));
  for (const NamedValue& variable : arm.environment) {
    const bool shared = std::find(other.environment.begin(), other.environment.end(), variable) !=
                        other.environment.end();
    if (!shared) AppendPart(text, variable.name + "=" + ShellWord(variable.value));
  }
  if (arm.compared_cases != other.compared_cases)
    AppendPart(text, Named("cases", arm.compared_cases));
  return text.empty() ? "nothing" : text;
}

std::vector<Fact> DifferenceFacts(const std::vector<ArmInfo>& arms) {
  if (arms.size() != 2) return {};
  const ArmInfo& first = arms.front();
  const ArmInfo& second = arms.back();
  if (first.arguments == second.arguments && first.environment == second.environment &&
      first.compared_cases == second.compared_cases) {
    return {};
  }
  std::string value = OwnSettings(first, second) + " against " + OwnSettings(second, first);
  if (first.digest == second.digest) value += "; the executable is the same";
  return {{"Differs", value}};
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

Fact OneLinkFact() {
  return {"Layouts",
          "none: one link of each arm was compared, and another can move a case by several per "
          "cent; perfgate relink tells the change from the link"};
}

// Of numbers that were recorded earlier.
Fact StoredFact(const SuiteVerdict& verdict) {
  constexpr std::size_t kHeadDigits = 19;  // "sha256:" and 12 digits
  return {"Measured", std::to_string(verdict.candidate_sessions) + " session(s) of " +
                          std::to_string(verdict.rounds) + " rounds against " +
                          std::to_string(verdict.baseline_sessions) + " recorded; evidence: " +
                          verdict.grade + (verdict.baseline_head.empty() ? "" : "; chain ") +
                          verdict.baseline_head.substr(0, kHeadDigits)};
}

// Each warning once.
void AppendWarnings(const SuiteVerdict& verdict, std::vector<Fact>& facts) {
  if (!verdict.complete) {
    facts.push_back({"Warning", "the session was interrupted: partial evidence"});
  }
  std::set<std::string_view> seen;
  for (const std::string& warning : verdict.warnings) {
    if (seen.insert(warning).second) facts.push_back({"Warning", warning});
  }
}

void AppendNext(const SuiteVerdict& verdict, std::vector<Fact>& facts) {
  const bool unclear =
      std::any_of(verdict.columns.begin(), verdict.columns.end(), [](const ColumnVerdict& column) {
        return column.gated && column.verdict == Verdict::kInconclusive && column.rounds > 0;
      });
  if (verdict.candidate_sessions > 0) {
    facts.push_back({"Next",
                     "numbers recorded earlier can only suspect; confirm with both executables: "
                     "perfgate gate --baseline EXE --candidate EXE"});
  } else if (unclear) {
    facts.push_back({"Next",
                     "perfgate calibrate and perfgate plan name the tolerances and the "
                     "budget that would decide the inconclusive cases"});
  }
}

}  // namespace

std::vector<Fact> verdict_facts(const SuiteVerdict& verdict) {
  std::vector<Fact> facts = RootFacts(verdict);
  for (Fact& fact : arm_facts(verdict.arms)) facts.push_back(std::move(fact));
  for (Fact& fact : DifferenceFacts(verdict.arms)) facts.push_back(std::move(fact));
  facts.push_back(machine_fact(verdict.machine));
  if (verdict.grade.starts_with("paired")) facts.push_back(trust_fact(verdict.trust));
  const bool stored = verdict.candidate_sessions > 0;
  if (stored) {
    facts.push_back(StoredFact(verdict));
  } else if (verdict.rounds > 0) {
    facts.push_back(core_fact(verdict.cpus, verdict.conditions));
    std::string measured = measured_text(verdict.rounds, verdict.wall_s, verdict.timed_s);
    AppendPart(measured, "looks " + looks_text(verdict.schedule));
    AppendPart(measured, "evidence: " + verdict.grade);
    if (verdict.aa) AppendPart(measured, "declared A/A");
    facts.push_back({"Measured", measured});
    if (verdict.layout_rounds > 0) facts.push_back({"Layouts", layouts_text(verdict)});
    if (rests_on_one_link(verdict)) facts.push_back(OneLinkFact());
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
  AppendWarnings(verdict, facts);
  for (const std::string& override_text : verdict.policy.overrides) {
    facts.push_back({"Override", override_text});
  }
  AppendNext(verdict, facts);
  return facts;
}

std::vector<Fact> brief_verdict_facts(const SuiteVerdict& verdict) {
  std::vector<Fact> facts = RootFacts(verdict);
  for (Fact& fact : DifferenceFacts(verdict.arms)) facts.push_back(std::move(fact));
  // Where arms run unconfined nobody asked for more.
  if (verdict.trust.level != TrustLevel::kOpen) facts.push_back(trust_fact(verdict.trust));
  std::string measured;
  if (verdict.candidate_sessions > 0) {
    measured = StoredFact(verdict).value;
  } else if (verdict.rounds > 0) {
    measured = counted(static_cast<std::size_t>(verdict.rounds), "round") + " in " +
               format_wall(verdict.wall_s);
    if (verdict.grade != "paired") AppendPart(measured, Named("evidence:", verdict.grade));
    if (verdict.aa) AppendPart(measured, "declared A/A");
  }
  AppendPart(measured, "tolerance " + format_share(verdict.policy.tolerance));
  AppendPart(measured, "alpha " + format_share(verdict.policy.alpha) + " over the suite");
  AppendPart(measured, Named("filter", verdict.policy.filter));
  facts.push_back({"Measured", measured});
  if (verdict.layout_rounds > 0) facts.push_back({"Layouts", layouts_text(verdict)});
  if (verdict.rounds > 0 && rests_on_one_link(verdict)) facts.push_back(OneLinkFact());
  // A pass that rests on an accept file says so.
  for (const std::string& override_text : verdict.policy.overrides) {
    if (override_text.starts_with("accepted until ")) facts.push_back({"Override", override_text});
  }
  AppendWarnings(verdict, facts);
  AppendNext(verdict, facts);
  facts.push_back(
      {"More",
       "--all: every case; --verbose: how it was measured. Both also of perfgate report FILE"});
  return facts;
}

}  // namespace perfgate::report
