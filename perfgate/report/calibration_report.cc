// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parts/case_report.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/session_summary.h"
#include "perfgate/report/text/format.h"
#include "perfgate/verdict/gate/round_plan.h"

namespace perfgate::report {
namespace {

constexpr std::string_view kHowToReadNoise =
    "SD between rounds from the width of the interval, then the ordinary one; 'unstable' where "
    "they "
    "differ by more than 2x. pair: SD of one slice pair inside its round; launch: what is left "
    "between launches. n: rounds until unchanged code passes, finds: slowdown found at the last "
    "look, both at 80 % power. open: the gate could not decide the case on these rounds.";

// Noise against the tolerance, then noise: the order of the table.
double badness(const CalibratedColumn& column, const AnalysedColumn& analysed) {
  return column.round_sd / (analysed.tolerance > 0 ? analysed.tolerance : 0.01);
}

std::vector<std::size_t> worst_first(const Calibration& calibration,
                                     const NoiseAnalysis& analysis) {
  std::vector<std::size_t> order(calibration.columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (analysis.columns[a].gated != analysis.columns[b].gated) return analysis.columns[a].gated;
    return badness(calibration.columns[a], analysis.columns[a]) >
           badness(calibration.columns[b], analysis.columns[b]);
  });
  return order;
}

std::vector<std::string> noise_cells(const CalibratedColumn& column,
                                     const AnalysedColumn& analysed) {
  const Metric& metric = column.metric;
  return {case_and_metric(column.case_name, metric),
          noise_text(column.round_sd, metric),
          noise_text(column.sample_sd, metric),
          noise_text(column.pair_sd, metric),
          noise_text(column.between_sd, metric),
          rounds_text(analysed.rounds_to_pass),
          analysed.detectable ? noise_text(*analysed.detectable, metric) : "-"};
}

std::string noise_note(const AnalysedColumn& analysed) {
  std::string note;
  if (!analysed.gated) {
    note = "not gated";
  } else if (analysed.outcome == stats::Outcome::kFail) {
    note = "false alarm";
  } else if (analysed.outcome == stats::Outcome::kUndecided) {
    note = "open";
  }
  if (analysed.unstable) note += note.empty() ? "unstable" : ", unstable";
  return note;
}

std::string looks_list(const NoiseAnalysis& analysis) {
  std::string text;
  for (const stats::Look& look : analysis.looks) {
    AppendItem(text, std::to_string(look.rounds));
  }
  return text.empty() ? "none" : text;
}

std::string gate_budget_text(const Calibration& calibration) {
  const Policy& policy = calibration.policy;
  return std::string(policy.budget_s > 0 ? "a budget of " : "an automatic budget of ") +
         format_wall(budget_of(policy, calibration.round_s, calibration.start_s));
}

std::string gate_text(const Calibration& calibration, const NoiseAnalysis& analysis) {
  if (analysis.looks.empty() || analysis.resampled.gates == 0) {
    return gate_budget_text(calibration) +
           " reaches no look: nothing could be decided. Raise it, or narrow the filter.";
  }
  return "on these rounds, at looks " + looks_list(analysis) + ": " +
         counted(analysis.regressions, "false alarm") + ", " + std::to_string(analysis.passes) +
         " pass, " + std::to_string(analysis.undecided) + " open";
}

std::string alarms_text(const Calibration& calibration, const NoiseAnalysis& analysis) {
  const UnchangedGates& gates = analysis.resampled;
  const double sum = std::accumulate(gates.wall_s.begin(), gates.wall_s.end(), 0.0);
  return std::to_string(gates.failed) + " of " + counted(gates.gates, "gate") +
         " resampled from these rounds raise a false alarm (alpha " +
         format_share(calibration.policy.alpha) + " over the suite), " +
         std::to_string(gates.passed) + " pass every case, " +
         std::to_string(gates.gates - gates.passed - gates.failed) + " leave some open; mean " +
         about(gates.rounds) + " rounds, " + format_wall(sum / gates.gates);
}

// The typical and the worst of the gated times and rates.
std::string finds_text(const Calibration& calibration, const NoiseAnalysis& analysis) {
  std::vector<double> found;
  std::size_t worst = calibration.columns.size();
  for (std::size_t c = 0; c < analysis.columns.size(); ++c) {
    const AnalysedColumn& analysed = analysis.columns[c];
    const bool counts = analysed.gated && is_relative(calibration.columns[c].metric.kind);
    if (!counts || !analysed.detectable) continue;
    found.push_back(*analysed.detectable);
    if (worst == calibration.columns.size() ||
        *analysed.detectable > *analysis.columns[worst].detectable) {
      worst = c;
    }
  }
  const std::string within = calibration.policy.rounds > 0
                                 ? std::to_string(calibration.policy.rounds) + " rounds"
                                 : gate_budget_text(calibration);
  if (found.empty()) return "no slowdown can be found within " + within;
  std::string text = "with 80 % power, within " + within + ": a slowdown of " +
                     noise_text(median(found), Metric{});
  if (found.size() == 1) return text;
  return text + " in the median case, of " +
         noise_text(*analysis.columns[worst].detectable, Metric{}) + " in the worst one, " +
         case_and_metric(calibration.columns[worst].case_name, calibration.columns[worst].metric);
}

std::string choice_text(const PairChoice& choice) {
  return counted(choice.pairs, "pair") + " a round: " + counted(choice.rounds, "round") + ", " +
         format_wall(choice.suite_s);
}

std::string pairs_text(const PairAdvice& advice) {
  const PairChoice& now = advice.choices[advice.measured];
  const PairChoice& best = advice.choices[advice.best];
  std::string text = "to decide an unchanged suite, " + choice_text(now);
  if (advice.choices.size() == 1) {
    text += "; what one pair brings is not known, calibrate with 2 or more to compare";
  } else if (advice.best == advice.measured) {
    text += "; no other number of pairs is more than 5 % quicker";
  } else {
    text += "; quickest with " + choice_text(best) + ", " +
            format_share(std::round(100 * (1 - best.suite_s / now.suite_s)) / 100) +
            " less: --pairs " + std::to_string(best.pairs);
    // A gate that is not told otherwise ends at 40.
    if (best.rounds > 40) text += " --rounds " + std::to_string(best.rounds);
  }
  if (advice.hopeless > 0) {
    text += ". No number of pairs lets " + counted(advice.hopeless, "case") +
            " pass within 40 rounds; perfgate plan says why";
  }
  return text;
}

std::string cost_text(const Calibration& calibration) {
  return "a round takes " + format_wall(calibration.round_s) + ", launching " +
         format_wall(calibration.launch_s) + " of it; the rest is slices";
}

std::vector<Fact> calibration_facts(const Calibration& calibration, const NoiseAnalysis& analysis) {
  std::vector<Fact> facts = {{"Gate", gate_text(calibration, analysis)}};
  if (analysis.resampled.gates > 0) {
    facts.push_back({"Alarms", alarms_text(calibration, analysis)});
    facts.push_back({"Finds", finds_text(calibration, analysis)});
  }
  facts.push_back({"Pairs", pairs_text(analysis.pairs)});
  facts.push_back({"Cost", cost_text(calibration)});
  for (const Fact& fact : arm_facts({calibration.executable})) facts.push_back(fact);
  facts.push_back(machine_fact(calibration.machine));
  facts.push_back(core_fact(calibration.cpus, calibration.conditions));
  facts.push_back({"Measured", counted(calibration.rounds, "round") + " in " +
                                   format_wall(calibration.wall_s)});
  facts.push_back(policy_fact(calibration.policy));
  Schedule schedule;
  schedule.seed = calibration.seed;
  facts.push_back(replay_fact(schedule));
  for (const LeftOut& left_out : calibration.left_out) {
    facts.push_back({"Left out", left_out.case_name + ": " + left_out.reason});
  }
  for (const std::string& warning : calibration.warnings) facts.push_back({"Warning", warning});
  for (const std::string& text : calibration.policy.overrides) facts.push_back({"Override", text});
  return facts;
}

std::string calibration_conclusion(const Calibration& calibration, const NoiseAnalysis& analysis) {
  std::vector<double> noise;
  int quiet = 0;
  for (std::size_t c = 0; c < calibration.columns.size(); ++c) {
    const CalibratedColumn& column = calibration.columns[c];
    if (!analysis.columns[c].gated || !is_relative(column.metric.kind)) continue;
    noise.push_back(column.round_sd);
    constexpr double kRule = 1.5;  // of docs/guide.md: tolerance against round SD
    quiet += analysis.columns[c].tolerance >= kRule * column.round_sd ? 1 : 0;
  }
  std::string text = calibration.suite.empty() ? "" : calibration.suite + ": ";
  std::set<std::string_view> cases;
  for (const CalibratedColumn& column : calibration.columns) cases.insert(column.case_name);
  text += counted(static_cast<int>(cases.size()), "case") + ", " +
          counted(calibration.rounds, "round") + ".";
  if (noise.empty()) return text + " No gated time or rate.";
  return text + " Round SD " + noise_text(median(noise), Metric{}) +
         " in the median case; the tolerance " + "is at least 1.5 times the round SD in " +
         std::to_string(quiet) + " of " + std::to_string(noise.size()) + ".";
}

CaseReport calibration_table(const Calibration& calibration, const NoiseAnalysis& analysis) {
  CaseReport report = {.header = {"case", "SD", "sample", "pair", "launch", "n", "finds"},
                       .align = {Align::kLeft, Align::kRight, Align::kRight, Align::kRight,
                                 Align::kRight, Align::kRight, Align::kRight},
                       .lines = {},
                       .colored = 1,
                       .conclusion = calibration_conclusion(calibration, analysis),
                       .how_to_read = kHowToReadNoise,
                       .facts = calibration_facts(calibration, analysis),
                       .details_summary = "gate, machine and warnings"};
  for (const std::size_t c : worst_first(calibration, analysis)) {
    const AnalysedColumn& analysed = analysis.columns[c];
    const bool alarm = analysed.gated && analysed.outcome == stats::Outcome::kFail;
    report.lines.push_back({.cells = noise_cells(calibration.columns[c], analysed),
                            .note = noise_note(analysed),
                            .color = alarm               ? kRed
                                     : analysed.unstable ? kYellow
                                                         : std::string_view()});
  }
  return report;
}

}  // namespace

std::string calibration_console_report(const Calibration& calibration,
                                       const NoiseAnalysis& analysis,
                                       const ConsoleOptions& options) {
  return ConsoleText(calibration_table(calibration, analysis), options);
}

std::string calibration_markdown_report(const Calibration& calibration,
                                        const NoiseAnalysis& analysis) {
  return MarkdownText(calibration_table(calibration, analysis));
}

}  // namespace perfgate::report
