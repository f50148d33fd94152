// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/alternatives/alternatives_report.h"

#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "perfgate/base/text/format_number.h"
#include "perfgate/report/alternatives/alternatives_text.h"
#include "perfgate/report/parts/case_table.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/markdown.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

const std::vector<Align> kAlign = {Align::kLeft,  Align::kLeft, Align::kRight,
                                   Align::kRight, Align::kLeft, Align::kRight};

std::string reference_label(const AlternativesVerdict& verdict) {
  const auto index = static_cast<std::size_t>(verdict.reference);
  return index < verdict.arms.size() ? verdict.arms[index].label : "";
}

std::string value_head(const AlternativesVerdict& verdict, const TableUnit& unit) {
  const std::string name = verdict.metric.name == "real_time" ? "time" : verdict.metric.name;
  return unit.name.empty() ? name : name + " [" + unit.name + "]";
}

std::vector<std::string> head_of(const AlternativesVerdict& verdict, const TableUnit& unit) {
  return {"case",     "alternative",          value_head(verdict, unit),
          "speed-up", interval_head(verdict), "rank"};
}

std::string name_of(const AlternativesVerdict& verdict, const AlternativesRow& row) {
  return row.case_name.empty() ? "(mean of " + std::to_string(verdict.overall_cases) + " cases)"
                               : row.case_name;
}

// Of one alternative in one row, without the name of the case.
std::vector<std::string> cells_of(const AlternativesVerdict& verdict, const AlternativesRow& row,
                                  std::size_t arm, const TableUnit& unit) {
  const Standing& standing = row.standings[arm];
  const bool is_reference = arm == static_cast<std::size_t>(verdict.reference);
  return {verdict.arms[arm].label, in_unit(standing.value, unit),
          speed_up_number(standing.over_reference.estimate),
          speed_up_interval(standing, is_reference), rank_text(standing)};
}

std::string note_of(const Standing& standing) {
  if (standing.status == AlternativeStatus::kCompared) return "";
  const std::string status(to_string(standing.status));
  return standing.reason.starts_with(status) ? standing.reason : status + ": " + standing.reason;
}

std::vector<const AlternativesRow*> all_rows(const AlternativesVerdict& verdict) {
  std::vector<const AlternativesRow*> rows;
  for (const AlternativesRow& row : verdict.rows) rows.push_back(&row);
  for (const AlternativesRow& row : verdict.overall) rows.push_back(&row);
  return rows;
}

std::string reading_of(const AlternativesVerdict& verdict) {
  const std::string reference = reference_label(verdict);
  const bool is_time = verdict.metric.direction == Direction::kLower;
  std::string text = "speed-up over " + reference + ": " +
                     (is_time ? "time of " + reference + " over time of the alternative"
                              : "rate of the alternative over rate of " + reference) +
                     ", above 1 is faster. ";
  const std::string together = verdict.family == Family::kSuite
                                   ? "all intervals of this report hold together"
                                   : "the intervals of one case hold together";
  if (verdict.holds) {
    text += "CI95: " + together + " with 95 % confidence. ";
  } else if (verdict.confidence > 0) {
    text += interval_head(verdict) + ": " + together + " with " + format_share(verdict.confidence) +
            ", and ranks need 95 %. ";
  }
  text +=
      "rank: 1 is the fastest; alternatives that share ranks are tied, the rounds do not tell "
      "them apart.";
  if (verdict.only_reference) text += " Only pairs with " + reference + " were compared.";
  return text;
}

std::vector<Fact> facts_of(const AlternativesVerdict& verdict) {
  std::vector<Fact> facts = arm_facts(verdict.arms);
  facts.push_back(machine_fact(verdict.machine));
  if (verdict.rounds > 0) {
    facts.push_back(core_fact(verdict.cpus, verdict.conditions));
    facts.push_back({"Measured", measured_text(verdict.rounds, verdict.wall_s, verdict.timed_s) +
                                     ", one look at the end, evidence: " + verdict.grade});
    facts.push_back({"Family", std::string(to_string(verdict.family)) + ": it holds with " +
                                   format_share(verdict.confidence) + "; 95 % is sure from " +
                                   counted(verdict.rounds_needed, "round") + " on"});
    facts.push_back(replay_fact(verdict.schedule));
  }
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

std::string conclusion(const AlternativesVerdict& verdict) {
  return (verdict.suite.empty() ? "" : verdict.suite + ": ") + verdict.summary + ". Exit " +
         std::to_string(static_cast<int>(verdict.exit)) + ".";
}

// The rows of one series, sizes rising.
struct Series {
  std::string name;
  std::vector<const AlternativesRow*> rows;
};

std::vector<Series> series_of(const AlternativesVerdict& verdict) {
  std::vector<Series> all;
  for (const AlternativesRow& row : verdict.rows) {
    if (std::isnan(row.size)) continue;
    if (all.empty() || all.back().name != row.series) all.push_back({row.series, {}});
    all.back().rows.push_back(&row);
  }
  return all;
}

// "12.34*" for what may be the fastest.
std::string series_cell(const Standing& standing, const TableUnit& unit) {
  return in_unit(standing.value, unit) + (standing.rank_lo == 1 ? "*" : " ");
}

std::string size_head(const AlternativesVerdict& verdict) {
  return verdict.series_key == "/" ? "size" : verdict.series_key;
}

std::string series_title(const AlternativesVerdict& verdict, const Series& series,
                         const TableUnit& unit) {
  return series.name + ", " + value_head(verdict, unit) + "; * has the first rank, alone or tied";
}

std::string series_table(const AlternativesVerdict& verdict, const Series& series,
                         const TableUnit& unit) {
  constexpr std::size_t kLabelWidth = 10;  // eight of them fit the console
  std::vector<std::string> labels;
  for (const ArmInfo& arm : verdict.arms) labels.push_back(escaped_ascii(arm.label));
  std::vector<Row> rows(1, {{escaped_ascii(size_head(verdict)), ""}});
  for (const std::string& label : shortened_names(labels, kLabelWidth)) {
    rows[0].push_back({label + " ", ""});
  }
  for (const AlternativesRow* row : series.rows) {
    rows.push_back({{format_number(row->size), ""}});
    for (const Standing& standing : row->standings) {
      rows.back().push_back({series_cell(standing, unit), ""});
    }
  }
  const std::vector<std::size_t> widths = column_widths(rows);
  const std::vector<Align> align(widths.size(), Align::kRight);
  std::string text = paragraph(escaped_ascii(series_title(verdict, series, unit)));
  for (const Row& row : rows) text += table_line(row, widths, align, kConsoleWidth);
  return text + "\n";
}

std::string series_markdown(const AlternativesVerdict& verdict, const Series& series,
                            const TableUnit& unit) {
  std::vector<std::string> head = {markdown_text(size_head(verdict))};
  for (const ArmInfo& arm : verdict.arms) head.push_back(markdown_text(arm.label));
  std::string text = markdown_text(series_title(verdict, series, unit)) + "\n\n" +
                     markdown_header(head, std::vector<Align>(head.size(), Align::kRight));
  for (const AlternativesRow* row : series.rows) {
    std::vector<std::string> cells = {format_number(row->size)};
    for (const Standing& standing : row->standings) {
      cells.push_back(markdown_text(series_cell(standing, unit)));
    }
    text += markdown_row(cells);
  }
  return text + "\n";
}

}  // namespace

std::string alternatives_console_report(const AlternativesVerdict& verdict,
                                        const ConsoleOptions& options) {
  const TableUnit unit = unit_of(verdict);
  std::vector<Row> rows(1);
  for (const std::string& head : head_of(verdict, unit))
    rows[0].push_back({escaped_ascii(head), ""});
  std::vector<std::string> notes;
  for (const AlternativesRow* row : all_rows(verdict)) {
    for (std::size_t arm = 0; arm < row->standings.size(); ++arm) {
      const Standing& standing = row->standings[arm];
      // The name stands once, in front of the first alternative.
      rows.push_back({{arm == 0 ? escaped_ascii(name_of(verdict, *row)) : "", ""}});
      for (const std::string& cell : cells_of(verdict, *row, arm, unit)) {
        rows.back().push_back({escaped_ascii(cell), ""});
      }
      if (options.color) {
        rows.back().back().color = standing.rank_hi == 1   ? kGreen
                                   : standing.rank_lo == 0 ? kRed
                                                           : std::string_view();
      }
      notes.push_back(escaped_ascii(note_of(standing)));
    }
  }
  std::string text;
  if (rows.size() > 1) text += case_table(std::move(rows), kAlign, notes) + "\n";
  for (const Series& series : series_of(verdict)) text += series_table(verdict, series, unit);
  text += paragraph(escaped_ascii(conclusion(verdict)));
  return text + fact_lines("Read", escaped_ascii(reading_of(verdict))) +
         fact_list(facts_of(verdict));
}

std::string alternatives_markdown_report(const AlternativesVerdict& verdict) {
  const TableUnit unit = unit_of(verdict);
  std::string text = markdown_text(conclusion(verdict)) + "\n\n";
  std::vector<std::string> head = head_of(verdict, unit);
  head.emplace_back("note");
  for (std::string& cell : head) cell = markdown_text(cell);
  text += markdown_header(head, kAlign);
  for (const AlternativesRow* row : all_rows(verdict)) {
    for (std::size_t arm = 0; arm < row->standings.size(); ++arm) {
      std::vector<std::string> cells = {markdown_code(name_of(verdict, *row))};
      for (const std::string& cell : cells_of(verdict, *row, arm, unit)) {
        cells.push_back(markdown_text(cell));
      }
      cells.push_back(markdown_text(note_of(row->standings[arm])));
      text += markdown_row(cells);
    }
  }
  text += "\n";
  for (const Series& series : series_of(verdict)) text += series_markdown(verdict, series, unit);
  return text + markdown_text(reading_of(verdict)) + "\n\n" +
         markdown_details("alternatives, machine and warnings", facts_of(verdict));
}

}  // namespace perfgate::report
