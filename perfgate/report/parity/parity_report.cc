// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/parity/parity_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parts/case_report.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"
#include "perfgate/stats/estimate/proportion.h"
#include "perfgate/verdict/parity/parity_exit.h"

namespace perfgate::report {
namespace {

constexpr double kClaimLevel = 0.05;

constexpr std::string_view kHowToReadParity =
    "human and agent: medians over n rounds. h/b: the human against the baseline, a/b: the agent "
    "against the baseline, a/h: the agent "
    "against the human, in per cent for times and rates, + is worse. CI95, valid after early "
    "stopping, of a/h over n rounds decides the outcome within the margin. 5 %: label of the point "
    "rule on two medians, a convention and no evidence.";

// The columns of a verdict share their texts with those of a gate.
ColumnVerdict as_gate_column(const ParityColumn& column) {
  ColumnVerdict gate;
  gate.case_name = column.case_name;
  gate.metric = column.metric;
  gate.effect = column.agent_human.effect;
  gate.rounds = column.agent_human.rounds;
  return gate;
}

std::string effect_text(const ParityPair& pair, const Metric& metric) {
  return format_change_number(pair.effect.estimate, metric);
}

// One unit for the times of all arms.
TableUnit UnitOfArms(std::span<const ParityColumn> columns) {
  std::vector<double> seconds;
  for (const ParityColumn& column : columns) {
    if (column.metric.kind != Kind::kTime || column.metric.unit != "s") continue;
    seconds.push_back(column.human);
    seconds.push_back(column.agent);
  }
  return UnitOfTimes(seconds);
}

std::vector<std::string> parity_cells(const ParityColumn& column, const TableUnit& unit) {
  const int rounds = column.agent_human.rounds;
  return {column_name(as_gate_column(column)),
          ValueInTable(column.human, column.metric, unit),
          ValueInTable(column.agent, column.metric, unit),
          effect_text(column.human_baseline, column.metric),
          effect_text(column.agent_baseline, column.metric),
          effect_text(column.agent_human, column.metric),
          interval_text(as_gate_column(column)),
          rounds == 0 ? "" : std::to_string(rounds),
          std::string(to_string(column.outcome)),
          std::string(to_string(column.point_rule)),
          claim_text(column.agent_human.rounds, column.claim)};
}

std::string parity_note(const ParityColumn& column, const Policy& policy) {
  std::string note;
  append_note(note, column.reason);
  if (column.outcome == ParityStatus::kMatch && column.primary) {
    if (column.vacuous.value_or(false)) {
      append_note(note, "vacuous: the human is within the margin of the baseline too");
    } else if (!column.vacuous) {
      append_note(note, "whether the human has an effect is not known");
    }
  }
  const double usual = is_relative(column.metric.kind) ? policy.tolerance : 0;
  if (column.margin != usual) {
    append_note(note, "margin " + format_tolerance(column.margin, column.metric));
  }
  return note;
}

bool decides(const ParityColumn& column) { return column.primary && column.gated; }

std::string_view parity_color(const ParityColumn& column) {
  switch (column.outcome) {
    case ParityStatus::kWin:
      return kGreen;
    case ParityStatus::kMatch:
      return column.vacuous == false ? kGreen : kYellow;
    case ParityStatus::kUnresolved:
    case ParityStatus::kSkipped:
    case ParityStatus::kNew:
      return kYellow;
    default:
      return kRed;
  }
}

std::string count_share_text(std::size_t count, std::size_t n) {
  const stats::ProportionInterval share = stats::clopper_pearson(count, n);
  return std::to_string(count) + " of " + std::to_string(n) + " [" + format_share(share.lo) + ", " +
         format_share(share.hi) + "]";
}

constexpr std::string_view kHowToReadRecorded =
    "human and agent: medians. h/b: the human against the baseline, a/b: the agent against the "
    "baseline, a/h: the agent "
    "against the human, in per cent for times and rates, + is worse. CI95: of a/h, nominal, for "
    "sessions of one spread. n: sessions or rounds of the agent. 5 %: label of the point rule on "
    "two medians, a convention and no evidence.";

// Whether the arms were measured apart, each in files of its own.
bool is_recorded(const ParityVerdict& verdict) {
  return verdict.grade == "stored" || verdict.grade == "imported" || verdict.grade == "aggregate";
}

// What may be said of the cases together.
std::vector<Fact> count_facts(const ParityVerdict& verdict) {
  std::vector<Fact> facts = {
      {"Outcomes", sum_text(parity_counts(verdict.columns), kParityStatusWords)}};
  std::size_t n = 0;
  std::size_t wins = 0;
  std::size_t losses = 0;
  std::size_t matches = 0;
  std::array<std::size_t, kPointRuleWords.size()> points = {};
  for (const ParityColumn& column : verdict.columns) {
    if (!decides(column)) continue;
    ++n;
    ++points[static_cast<std::size_t>(column.point_rule)];
    if (column.outcome == ParityStatus::kMatch && column.vacuous == false) ++matches;
    if (column.outcome == ParityStatus::kWin && column.p_win.value_or(1) <= kClaimLevel) ++wins;
    if (column.outcome == ParityStatus::kLoss && column.p_loss.value_or(1) <= kClaimLevel) ++losses;
  }
  if (n == 0) return facts;
  if (is_recorded(verdict)) {
    facts.push_back({"Claim",
                     "at most directional: nobody alternated the arms; a machine that "
                     "drifted looks the same. Confirm with three executables"});
  } else {
    facts.push_back({"Claim", "wins " + count_share_text(wins, n) + " and losses " +
                                  count_share_text(losses, n) +
                                  " after Holm's adjustment, matches that are not vacuous " +
                                  count_share_text(matches, n) + "; exact binomial 95 %"});
  }
  facts.push_back({"5 % rule", sum_text(points, kPointRuleWords)});
  return facts;
}

// "real_time (time_of_the_case) in 3 cases"
std::string primary_text(const ParityVerdict& verdict) {
  std::vector<std::pair<std::string, int>> seen;
  for (const ParityColumn& column : verdict.columns) {
    if (!column.primary) continue;
    const std::string text = column.metric.name + " (" + column.primary_why + ")";
    const auto found = std::find_if(seen.begin(), seen.end(),
                                    [&](const auto& entry) { return entry.first == text; });
    if (found == seen.end()) {
      seen.emplace_back(text, 1);
    } else {
      ++found->second;
    }
  }
  std::string all;
  for (const auto& [text, cases] : seen) {
    AppendItem(all, text + " in " + counted(cases, "case"));
  }
  return all;
}

std::vector<Fact> parity_facts(const ParityVerdict& verdict) {
  std::vector<Fact> facts = count_facts(verdict);
  for (const std::string& conflict : verdict.conflicts) facts.push_back({"Conflict", conflict});
  const std::string primary = primary_text(verdict);
  if (!primary.empty()) facts.push_back({"Primary", primary});
  for (Fact& fact : arm_facts(verdict.arms)) facts.push_back(std::move(fact));
  facts.push_back(machine_fact(verdict.machine));
  if (verdict.grade.starts_with("paired")) facts.push_back(trust_fact(verdict.trust));
  const bool recorded = is_recorded(verdict) && verdict.schedule.looks.empty();
  if (recorded) {
    facts.push_back(
        {"Measured", "apart, each arm in files of its own; evidence: " + verdict.grade});
  } else if (verdict.rounds > 0) {
    facts.push_back(core_fact(verdict.cpus, verdict.conditions));
    const std::string looks = Join(verdict.schedule.looks);
    facts.push_back({"Measured", measured_text(verdict.rounds, verdict.wall_s, verdict.timed_s) +
                                     ", looks " + (looks.empty() ? "none" : looks) +
                                     ", evidence: " + verdict.grade});
  }
  const std::string slices = ", slices " + std::to_string(verdict.policy.pairs) + " x " +
                             format_time(verdict.policy.slice_s);
  facts.push_back({"Margin", format_share(verdict.policy.tolerance) + (recorded ? "" : slices)});
  if (verdict.rounds > 0 && !recorded) facts.push_back(replay_fact(verdict.schedule));
  if (!verdict.complete) {
    facts.push_back({"Warning", "the session was interrupted: partial evidence"});
  }
  std::set<std::string_view> seen;
  for (const std::string& warning : verdict.warnings) {
    if (seen.insert(warning).second) facts.push_back({"Warning", warning});
  }
  for (const std::string& text : verdict.policy.overrides) facts.push_back({"Override", text});
  return facts;
}

std::string meaning_of(Exit exit) {
  switch (exit) {
    case Exit::kPass:
      return "parity: the agent wins or matches a human who has an effect";
    case Exit::kRegression:
      return "loss: the agent is slower than the human by more than the margin";
    case Exit::kFailed:
      return "failed: the agent's version crashed, timed out or broke its contract";
    case Exit::kInconclusive:
      return "unresolved, or a match that proves nothing";
    case Exit::kNotComparable:
      return "not comparable: the arms do not measure the same cases in the same way";
    case Exit::kInvalid:
      return "invalid: the evidence cannot be trusted";
    case Exit::kSuspected:
      return "suspected: recorded numbers alone say that the agent is slower; confirm with "
             "executables";
    case Exit::kSkipped:
      return "skipped: every case skipped itself, nothing was measured";
    default:
      return "no verdict";
  }
}

std::string parity_conclusion(const ParityVerdict& verdict) {
  return (verdict.suite.empty() ? "" : verdict.suite + ": ") + verdict.summary + ". Exit " +
         std::to_string(static_cast<int>(verdict.exit)) + ", " + meaning_of(verdict.exit) + ".";
}

}  // namespace

CaseReport ParityTable(const ParityVerdict& verdict) {
  const TableUnit unit = UnitOfArms(verdict.columns);
  CaseReport report = {.header = {"case", "human", "agent [" + unit.name + "]", "h/b", "a/b", "a/h",
                                  "CI95 of a/h", "n", "outcome", "5 %", "claim"},
                       .align = {Align::kLeft, Align::kRight, Align::kRight, Align::kRight,
                                 Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                                 Align::kLeft, Align::kLeft, Align::kLeft},
                       .lines = {},
                       .colored = 8,
                       .width = kWideTable,
                       .second_table = "shown, does not decide:",
                       .conclusion = parity_conclusion(verdict),
                       .how_to_read = is_recorded(verdict) ? kHowToReadRecorded : kHowToReadParity,
                       .facts = parity_facts(verdict),
                       .details_summary = "counts, arms, machine and warnings"};
  for (const ParityColumn& column : verdict.columns) {
    report.lines.push_back({.cells = parity_cells(column, unit),
                            .note = parity_note(column, verdict.policy),
                            .color = parity_color(column),
                            .decides = decides(column)});
  }
  return report;
}

std::string parity_console_report(const ParityVerdict& verdict, const ConsoleOptions& options) {
  return ConsoleText(ParityTable(verdict), options);
}

std::string parity_markdown_report(const ParityVerdict& verdict) {
  return MarkdownText(ParityTable(verdict));
}

}  // namespace perfgate::report
