// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/ablation_report.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

#include "perfgate/report/parts/case_table.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/markdown.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

constexpr std::array kHead = {"case", "without", "with", "ratio", "w/l/t", "CI95", "claim"};

bool is_measured(const AblationColumn& column) {
  return column.wins + column.losses + column.ties > 0;
}

// "2.431 ms +- 1.2 %": the mean over rounds and the standard deviation.
std::string spread_text(double mean, double sd, const Metric& metric) {
  const std::string centre = format_value(mean, metric);
  const auto tenths = [](double share) { return std::round(share * 1000) / 1000; };
  return centre + " +- " +
         (is_relative(metric.kind) && mean != 0 ? format_share(tenths(sd / mean))
                                                : format_value(sd, metric));
}

std::string ratio_text(const AblationColumn& column) {
  if (!is_relative(column.verdict.metric.kind)) {
    return format_change(column.verdict.effect.estimate, column.verdict.metric);
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", 1 + column.verdict.effect.estimate);
  return text;
}

// "test:tg32/model:tiny", "stage_down, test:tg32/model:tiny": without the clock that the library
// appends, which every case has, and with the metric in front, where a narrow table keeps it.
std::string option_name(const AblationColumn& column) {
  std::string name = column.where;
  for (const std::string_view clock : {"/manual_time", "/real_time", "/process_time"}) {
    if (name.ends_with(clock)) name.erase(name.size() - clock.size());
  }
  const std::string& metric = column.verdict.metric.name;
  return metric == "real_time" ? name : metric + ", " + name;
}

// The texts of a line, in the order of kHead.
std::vector<std::string> texts_of(const AblationColumn& column) {
  const ColumnVerdict& verdict = column.verdict;
  if (column.only_arm) {
    const bool before = *column.only_arm == 0;
    const std::string value =
        before ? spread_text(column.before_mean, column.before_sd, verdict.metric)
               : spread_text(column.after_mean, column.after_sd, verdict.metric);
    return {option_name(column),
            before ? value : "-",
            before ? "-" : value,
            "-",
            "-",
            "-",
            before ? "only without" : "only with"};
  }
  std::string claim(to_string(verdict.claim));
  if (!verdict.gated) claim += ", not gated";
  if (!is_measured(column)) return {option_name(column), "-", "-", "-", "-", "-", claim};
  return {option_name(column),
          spread_text(column.before_mean, column.before_sd, verdict.metric),
          spread_text(column.after_mean, column.after_sd, verdict.metric),
          ratio_text(column),
          std::to_string(column.wins) + "/" + std::to_string(column.losses) + "/" +
              std::to_string(column.ties),
          interval_text(verdict),
          claim};
}

std::string reading() {
  return "ratio and CI95 are of with against without, above 1 and + is worse; the interval stays "
         "valid after early stopping. w/l/t: rounds in which the option was better or worse by "
         "more than the tolerance, and the others. +-: standard deviation over rounds, each a "
         "fresh launch of both.";
}

std::string nothing_compared() {
  return "No option was compared: the filter leaves no case that has one of the keys and a partner "
         "without it.";
}

}  // namespace

std::string ablation_console_report(const Ablation& ablation) {
  const std::vector<Align> align = {Align::kLeft,  Align::kRight, Align::kRight, Align::kRight,
                                    Align::kRight, Align::kRight, Align::kLeft};
  std::string text;
  for (const AblationRow& row : ablation.rows) {
    text += escaped_ascii(row.option) + ": " + std::string(to_string(row.promotion)) + "\n";
    std::vector<Row> rows(1);
    for (const char* head : kHead) rows[0].push_back({head, ""});
    std::vector<std::string> notes;
    for (const AblationColumn& column : row.columns) {
      rows.emplace_back();
      for (const std::string& cell : texts_of(column)) {
        rows.back().push_back({escaped_ascii(cell), ""});
      }
      notes.push_back(column.only_arm ? "" : escaped_ascii(column.verdict.reason));
    }
    text += case_table(rows, align, notes) + "\n";
  }
  if (ablation.rows.empty()) {
    text += nothing_compared() + "\n";
  } else {
    text += fact_lines("Read", reading());
  }
  return text + fact_list(verdict_facts(ablation.suite));
}

std::string ablation_markdown_report(const Ablation& ablation) {
  std::vector<std::string> head = {"option", "decision"};
  head.insert(head.end(), kHead.begin(), kHead.end());
  std::string text = markdown_header(head, {});
  for (const AblationRow& row : ablation.rows) {
    for (const AblationColumn& column : row.columns) {
      std::vector<std::string> cells = {markdown_code(row.option),
                                        std::string(to_string(row.promotion))};
      for (const std::string& cell : texts_of(column)) cells.push_back(markdown_text(cell));
      text += markdown_row(cells);
    }
  }
  const std::vector<Fact> facts = verdict_facts(ablation.suite);
  const std::string note = ablation.rows.empty() ? nothing_compared() : reading();
  return text + "\n" + markdown_text(note) + "\n\n" + markdown_details("Measured", facts);
}

}  // namespace perfgate::report
