// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/history/bisect_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parts/case_report.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

constexpr std::size_t kShortCommit = 10;

std::string StepChangeText(double effect) {
  return std::isfinite(effect) ? fmt::format("{:+.2f} %", 100 * effect) : "-";
}

std::string IntervalText(const BisectCommit& commit) {
  if (!std::isfinite(commit.lo) || !std::isfinite(commit.hi)) return "-";
  return fmt::format("[{:+.2f}, {:+.2f}]", 100 * commit.lo, 100 * commit.hi);
}

std::string_view AnswerColor(BisectAnswer answer) {
  switch (answer) {
    case BisectAnswer::kBad:
      return kRed;
    case BisectAnswer::kGood:
      return kGreen;
    case BisectAnswer::kOpen:
    case BisectAnswer::kSkipped:
      break;
  }
  return {};
}

CaseReport BisectTable(const Bisection& bisection) {
  CaseReport report;
  report.header = {"commit", "answer", "change", "CI95", "n"};
  report.align = {Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight};
  report.colored = 1;
  report.note_header = "commit message, and why";
  std::size_t open = 0;
  for (const BisectCommit& commit : bisection.commits) {
    if (commit.answer == BisectAnswer::kOpen) {
      ++open;
      continue;
    }
    std::string note = commit.subject;
    if (commit.answer == BisectAnswer::kSkipped) note += ": " + commit.reason;
    report.lines.push_back(
        {{commit.commit.substr(0, kShortCommit), std::string(to_string(commit.answer)),
          StepChangeText(commit.estimate), IntervalText(commit),
          commit.rounds > 0 ? std::to_string(commit.rounds) : "-"},
         note,
         AnswerColor(commit.answer)});
  }
  report.conclusion = bisection.complete ? bisection.conclusion : "Not complete: run it again.";
  report.how_to_read =
      "change: of the commit against the good end, + is worse; n: rounds. CI95, valid after early "
      "stopping.";
  report.facts = {
      {"Commits", fmt::format("{}, {} never looked at", bisection.commits.size(), open)}};
  if (!bisection.first_bad.empty()) report.facts.push_back({"Found", bisection.first_bad});
  if (!bisection.case_name.empty()) {
    report.facts.push_back(
        {"Case", fmt::format("{}, {}, bad beyond {}", bisection.case_name, bisection.metric,
                             StepChangeText(bisection.tolerance))});
  }
  if (!bisection.other_cases.empty()) {
    report.facts.push_back({"Also", "slower in the bad end, to be bisected with --case: " +
                                        Join(bisection.other_cases)});
  }
  report.details_summary = "Case and commits";
  return report;
}

}  // namespace

std::string BisectConsoleReport(const Bisection& bisection, const ConsoleOptions& options) {
  return ConsoleText(BisectTable(bisection), options);
}

std::string BisectMarkdownReport(const Bisection& bisection) {
  return MarkdownText(BisectTable(bisection));
}

}  // namespace perfgate::report
