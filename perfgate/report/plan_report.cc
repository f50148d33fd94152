// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/plan_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "perfgate/base/json/json_text.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/report/parts/case_report.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

constexpr std::string_view kHowToReadPlan =
    "tol: tolerance; SD: between rounds; pass: share of gates, resampled from the recorded rounds, "
    "in which the unchanged case passes, n: its mean rounds, ~n: rounds by formula; fail: share "
    "that finds the slowdown in it; finds: smallest slowdown found at the last look.";

// Whole per cents; "100 %" and "0 %" only for all and none.
std::string gate_share_text(double share) {
  if (share > 0 && share < 0.01) return "< 1 %";
  if (share > 0.99 && share < 1) return "> 99 %";
  return format_share(std::round(100 * share) / 100);
}

std::vector<std::string> plan_cells(const PlannedColumn& column) {
  const Metric& metric = column.metric;
  const bool asked = column.fail_share.has_value();
  return {case_and_metric(column.case_name, metric),
          format_tolerance(column.tolerance, metric),
          noise_text(column.round_sd, metric),
          gate_share_text(column.pass_share),
          about(column.pass_rounds),
          rounds_text(column.rounds_to_pass),
          asked ? gate_share_text(*column.fail_share) : "-",
          asked ? about(column.fail_rounds.value_or(0)) : "-",
          asked ? rounds_text(column.rounds_to_fail) : "-",
          column.detectable ? noise_text(*column.detectable, metric) : "-"};
}

// A budget in which 9 of 10 unchanged suites end, with a tenth to spare, in steps of 5 s.
std::string budget_text(double wall_s) {
  constexpr double kStep = 5;
  return format_number(std::max(1.0, std::ceil(1.1 * wall_s / kStep)) * kStep) + "s";
}

std::string suite_text(const SuitePlan& plan) {
  if (plan.gates == 0) return "the budget reaches no look, so nothing could be decided";
  return "unchanged code passes as a whole in " + gate_share_text(plan.pass_share) + " of " +
         counted(plan.gates, "gate") + " and fails in " + gate_share_text(plan.false_fail_share) +
         "; one takes " + format_wall(plan.wall_s) + " on average (" + about(plan.rounds) +
         " rounds), 9 of 10 take no more than " + format_wall(plan.wall_long_s) + ": --budget " +
         budget_text(plan.wall_long_s);
}

std::string asked_text(const SuitePlan& plan) {
  Schedule schedule;
  schedule.looks = plan.looks;
  schedule.look_alpha = plan.look_alpha;
  return "power " + format_share(plan.power) + ", slowdown " + format_share(plan.slowdown) +
         ", looks " + looks_text(schedule);
}

std::vector<Fact> plan_facts(const SuitePlan& plan) {
  std::vector<Fact> facts = {{"Suite", suite_text(plan)}, {"Asked", asked_text(plan)}};
  facts.push_back({"From", counted(plan.recorded_rounds, "round") + " of unchanged code, " +
                               (plan.started.empty() ? "start not known" : plan.started)});
  facts.push_back(policy_fact(plan.policy));
  for (const std::string& warning : plan.warnings) facts.push_back({"Warning", warning});
  for (const std::string& text : plan.policy.overrides) facts.push_back({"Override", text});
  return facts;
}

std::string plan_conclusion(const SuitePlan& plan) {
  return (plan.suite.empty() ? "" : plan.suite + ": ") + plan.summary + ": pass when unchanged, " +
         "and fail when slower by " + format_share(plan.slowdown) + ". Exit " +
         std::to_string(static_cast<int>(plan.exit)) +
         (plan.exit == Exit::kPass ? "." : ", some cannot.");
}

// Relative tolerances as per cents, as people write them.
std::string rule_text(const CaseRule& rule, bool relative) {
  std::string text = R"({"match": )" + json_io::Quoted(rule.match);
  if (rule.metric) text += R"(, "metric": )" + json_io::Quoted(*rule.metric);
  if (rule.tolerance && relative) {
    text +=
        R"(, "tolerance": ")" + format_number(std::round(*rule.tolerance * 1e4) / 1e2) + R"(%")";
  } else if (rule.tolerance) {
    text += R"(, "tolerance": )" + format_number(*rule.tolerance);
  }
  if (rule.gate) text += std::string(", \"gate\": ") + (*rule.gate ? "true" : "false");
  return text + "}";
}

bool is_relative_rule(const SuitePlan& plan, const CaseRule& rule) {
  return std::none_of(plan.columns.begin(), plan.columns.end(), [&](const PlannedColumn& column) {
    return rule.metric == column.metric.name && column.case_name == rule.match &&
           !is_relative(column.metric.kind);
  });
}

CaseReport plan_table(const SuitePlan& plan) {
  CaseReport report = {
      .header = {"case", "tol", "SD", "pass", "n", "~n", "fail", "n", "~n", "finds"},
      .align = {Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight},
      .lines = {},
      .colored = 3,
      .note_header = "why not",
      .conclusion = plan_conclusion(plan),
      .how_to_read = kHowToReadPlan,
      .facts = plan_facts(plan),
      .details_summary = "suite, policy and warnings",
      .snippet = policy_snippet(plan),
      .snippet_use =
          "for the end of \"cases\" in a policy file; with them every case passes unchanged, each "
          "with this power:"};
  for (const PlannedColumn& column : plan.columns) {
    report.lines.push_back({.cells = plan_cells(column),
                            .note = column.reason,
                            .color = column.resolved ? kGreen : kYellow});
  }
  return report;
}

}  // namespace

std::string policy_snippet(const SuitePlan& plan) {
  if (plan.rules.empty()) return "";
  std::string text = "\"cases\": [\n";
  for (std::size_t i = 0; i < plan.rules.size(); ++i) {
    text += "  " + rule_text(plan.rules[i], is_relative_rule(plan, plan.rules[i])) +
            (i + 1 < plan.rules.size() ? ",\n" : "\n");
  }
  return text + "]\n";
}

std::string plan_console_report(const SuitePlan& plan, const ConsoleOptions& options) {
  return ConsoleText(plan_table(plan), options);
}

std::string plan_markdown_report(const SuitePlan& plan) { return MarkdownText(plan_table(plan)); }

}  // namespace perfgate::report
