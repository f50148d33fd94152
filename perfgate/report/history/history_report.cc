// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/history/history_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "perfgate/report/parts/case_report.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

constexpr std::size_t kCommitDigits = 10;

constexpr std::string_view kHowToReadHistory =
    "first, now: median of the level at the beginning and at the end; change: from first to now, + "
    "is worse; SD: of the points around their levels; n: sessions. A change lies after the first "
    "commit that is named and not after the second, with about 95 %.";

std::string CommitText(const std::string& commit) {
  return commit.empty() ? "?" : commit.substr(0, kCommitDigits);
}

std::string DayText(const HistoryPoint& point) {
  constexpr std::size_t kDay = 10;  // 2026-01-02
  return point.started.substr(0, kDay);
}

std::string RangeText(const HistorySeries& series, const HistoryChange& change) {
  const auto& points = series.points;
  const HistoryPoint& before = points[static_cast<std::size_t>(change.range_lo) - 1];
  const HistoryPoint& after = points[static_cast<std::size_t>(change.range_hi)];
  return fmt::format("{}..{} ({} to {})", CommitText(before.commit), CommitText(after.commit),
                     DayText(before), DayText(after));
}

std::string ChangesText(const HistorySeries& series) {
  std::string text;
  for (const HistoryChange& change : series.changes) {
    if (!text.empty()) text += "; ";
    text += format_change(change.shift, series.metric) + " in " + RangeText(series, change);
  }
  return text;
}

// Where the series is of several suites or classes, its name says which.
std::string NameOf(const HistorySeries& series, bool with_suite, bool with_class) {
  std::string name = case_and_metric(series.case_name, series.metric);
  if (with_suite && !series.suite.empty()) name = series.suite + ": " + name;
  if (with_class) name += " on " + series.machine_class;
  return name;
}

std::string_view TrendColor(const HistorySeries& series) {
  if (series.changes.empty()) return {};
  const auto worst = std::max_element(
      series.changes.begin(), series.changes.end(),
      [](const HistoryChange& a, const HistoryChange& b) { return a.shift < b.shift; });
  return worst->shift > 0 ? kRed : kGreen;
}

struct Counts {
  std::size_t worse = 0;
  std::size_t better = 0;
  std::size_t sessions = 0;
};

Counts CountsOf(const History& history) {
  Counts counts;
  for (const HistorySeries& series : history.series) {
    counts.sessions = std::max(counts.sessions, series.points.size());
    for (const HistoryChange& change : series.changes) {
      (change.shift > 0 ? counts.worse : counts.better) += 1;
    }
  }
  return counts;
}

CaseReport HistoryTable(const History& history) {
  CaseReport report;
  report.header = {"case", "first", "now", "change", "SD", "n"};
  report.align = {Align::kLeft,  Align::kRight, Align::kRight,
                  Align::kRight, Align::kRight, Align::kRight};
  report.colored = 3;
  report.note_header = "changes";
  std::map<std::string, int> suites;
  std::map<std::string, int> classes;
  for (const HistorySeries& series : history.series) {
    ++suites[series.suite];
    ++classes[series.machine_class];
  }
  for (const HistorySeries& series : history.series) {
    report.lines.push_back(
        {{NameOf(series, suites.size() > 1, classes.size() > 1),
          format_value(series.first, series.metric), format_value(series.now, series.metric),
          format_change(series.shift, series.metric), noise_text(series.noise, series.metric),
          std::to_string(series.points.size())},
         ChangesText(series),
         TrendColor(series)});
  }
  const Counts counts = CountsOf(history);
  report.conclusion =
      fmt::format("{} series of up to {} sessions: {} change(s) for the worse, {} for the better.",
                  history.series.size(), counts.sessions, counts.worse, counts.better);
  report.how_to_read = kHowToReadHistory;
  report.facts = {{"Rule", "changes of at least " + format_share(history.least_change) +
                               "; chance of one anywhere without a change at most " +
                               format_share(history.alpha) + ", " + format_p(history.series_alpha) +
                               " a series"}};
  for (const auto& [machine, count] : classes) {
    report.facts.push_back({"Machine", fmt::format("{}, {} series", machine, count)});
  }
  for (const std::string& warning : history.warnings) report.facts.push_back({"Warning", warning});
  report.details_summary = "Rule and machines";
  return report;
}

}  // namespace

std::string HistoryConsoleReport(const History& history, const ConsoleOptions& options) {
  return ConsoleText(HistoryTable(history), options);
}

std::string HistoryMarkdownReport(const History& history) {
  return MarkdownText(HistoryTable(history));
}

}  // namespace perfgate::report
