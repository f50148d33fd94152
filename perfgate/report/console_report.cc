// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/console_report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/table.h"
#include "perfgate/report/text/table_unit.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

// Columns of the table: these, the change and its interval, the rounds, and the note at the end.
enum : std::size_t { kVerdict, kCase, kBaseline, kCandidate };
// Room for the longest claim and a two-digit footnote: "insufficient [12]".
constexpr std::size_t kShortNote = 17;
constexpr std::size_t kShortestCase = 8;

// Names keep so much beside the times of both arms, or the times are left out.
constexpr std::size_t kCaseBesideTimes = 20;

std::string_view verdict_color(Verdict verdict) {
  switch (verdict) {
    case Verdict::kInvalid:
    case Verdict::kFailed:
    case Verdict::kRegression:
      return kRed;
    case Verdict::kNotComparable:
    case Verdict::kMissing:
    case Verdict::kSuspected:
    case Verdict::kInconclusive:
      return kYellow;
    case Verdict::kNoRegression:
    case Verdict::kImprovement:
      return kGreen;
    case Verdict::kSkipped:
    case Verdict::kNew:
      break;
  }
  return "";
}

Row header(const SuiteVerdict& verdict, const TableUnit& unit) {
  return {{"verdict", ""},  {"case", ""},
          {"baseline", ""}, {"cand. [" + unit.name + "]", ""},
          {"change", ""},   {interval_label(verdict.columns), ""},
          {"n", ""},        {"claim", ""}};
}

Row verdict_row(const ColumnVerdict& column, const TableUnit& unit, bool color) {
  return {{std::string(to_string(column.verdict)), color ? verdict_color(column.verdict) : ""},
          {escaped_ascii(column_name(column)), ""},
          {ValueInTable(column.baseline, column.metric, unit), ""},
          {ValueInTable(column.candidate, column.metric, unit), ""},
          {format_change(column.effect.estimate, column.metric), ""},
          {interval_text(column), ""},
          {std::to_string(column.rounds), ""},
          {"", ""}};
}

// Gives each row its note, in the line where it fits and as a numbered line below where not.
class Notes {
 public:
  explicit Notes(std::size_t width) : width_(width) {}

  std::string place(const std::string& claim, const std::string& note) {
    std::string whole = claim;
    if (!note.empty()) whole += (claim.empty() ? "" : ", ") + note;
    if (whole.size() <= width_) return whole;
    const auto known = std::find(below_.begin(), below_.end(), note);
    const auto number = static_cast<std::size_t>(known - below_.begin()) + 1;
    if (known == below_.end()) below_.push_back(note);
    return claim + (claim.empty() ? "[" : " [") + std::to_string(number) + "]";
  }

  std::string text() const {
    std::string result;
    for (std::size_t i = 0; i < below_.size(); ++i) {
      result += fact_lines("[" + std::to_string(i + 1) + "]", below_[i]);
    }
    return result;
  }

 private:
  std::size_t width_;
  std::vector<std::string> below_;
};

constexpr std::size_t kCellsWithTimes = 8;

std::size_t table_width(const std::vector<Row>& rows) {
  return rows[0].size() == kCellsWithTimes ? kWideTable : kConsoleWidth;
}

struct Widths {
  std::size_t name;
  std::size_t note;
};

// Shares what the other columns leave between names and notes: names first, as long as a claim
// with a footnote still fits.
Widths share_width(const std::vector<Row>& rows, std::size_t longest_note) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::size_t taken = kTableGap * (widths.size() - 1);
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    if (i != kCase) taken += widths[i];
  }
  const std::size_t width = table_width(rows);
  const std::size_t left = width - std::min(width, taken);
  const std::size_t least_note = std::min(longest_note, kShortNote);
  const std::size_t for_names = std::max(kShortestCase, left - std::min(left, least_note));
  const std::size_t name = std::min(widths[kCase], for_names);
  return {name, left - std::min(left, name)};
}

std::vector<Row> without_times(std::vector<Row> rows) {
  for (Row& row : rows) row.erase(row.begin() + kBaseline, row.begin() + kCandidate + 1);
  return rows;
}

// Without the times of the arms where there are none, or no room for them.
std::vector<Row> fitting_rows(std::vector<Row> rows, const SuiteVerdict& verdict,
                              std::size_t longest_note) {
  const bool any =
      std::any_of(verdict.columns.begin(), verdict.columns.end(), [](const ColumnVerdict& column) {
        return std::isfinite(column.baseline) || std::isfinite(column.candidate);
      });
  const std::size_t wanted = std::min(column_widths(rows)[kCase], kCaseBesideTimes);
  if (any && share_width(rows, longest_note).name >= wanted) return rows;
  return without_times(std::move(rows));
}

// Names and notes to the left, numbers to the right.
std::vector<Align> alignment(std::size_t cells) {
  std::vector<Align> align(cells, Align::kRight);
  align[kVerdict] = align[kCase] = align.back() = Align::kLeft;
  return align;
}

// The table and the notes below it.
std::string verdict_table(const SuiteVerdict& verdict, bool color) {
  std::vector<const ColumnVerdict*> columns;
  for (const bool gated : {true, false}) {
    for (const ColumnVerdict& column : verdict.columns) {
      if (column.gated == gated) columns.push_back(&column);
    }
  }
  const TableUnit unit = UnitOf(verdict.columns);
  std::vector<Row> rows = {header(verdict, unit)};
  std::vector<std::string> names;
  std::vector<std::string> notes;
  std::size_t longest_note = rows[0].back().text.size();
  for (const ColumnVerdict* column : columns) {
    rows.push_back(verdict_row(*column, unit, color));
    names.push_back(rows.back()[kCase].text);
    notes.push_back(escaped_ascii(note_text(*column, verdict.policy)));
    longest_note = std::max(
        longest_note, claim_text(column->rounds, column->claim).size() + 2 + notes.back().size());
  }
  rows = fitting_rows(std::move(rows), verdict, longest_note);
  const std::vector<Align> align = alignment(rows[0].size());
  const Widths widths = share_width(rows, longest_note);
  names = shortened_names(names, widths.name);
  Notes placed(widths.note);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    rows[i + 1][kCase].text = names[i];
    rows[i + 1].back().text =
        placed.place(claim_text(columns[i]->rounds, columns[i]->claim), notes[i]);
  }
  const std::vector<std::size_t> final_widths = column_widths(rows);
  std::string text = table_line(rows[0], final_widths, align, table_width(rows));
  bool watching = false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i]->gated && !watching) {
      watching = true;
      text += "shown, not gated:\n";
    }
    text += table_line(rows[i + 1], final_widths, align, table_width(rows));
  }
  return text + placed.text();
}

// How to read the numbers of the table; nothing where there are none.
std::string console_legend(const SuiteVerdict& verdict) {
  const std::string intervals = interval_legend(verdict.columns);
  if (intervals.empty()) return "";
  return "baseline and candidate: medians over n rounds; change of the candidate against the "
         "baseline, + is worse. " +
         intervals;
}

// What stands in the way of a table, or is needed to read it right; empty for an ordinary verdict.
std::string special_text(const SuiteVerdict& verdict) {
  if (verdict.columns.empty()) {
    return "No case was compared: the suite is empty, or the filter leaves nothing of it.";
  }
  if (verdict.identical) {
    return "Both arms are the same executable, so nothing was measured: it cannot be slower than "
           "itself. Measure it against itself with --aa.";
  }
  const bool all_skipped =
      std::all_of(verdict.columns.begin(), verdict.columns.end(),
                  [](const ColumnVerdict& c) { return c.verdict == Verdict::kSkipped; });
  return all_skipped ? "Every case skipped itself; nothing was measured." : "";
}

std::string verdict_conclusion(const SuiteVerdict& verdict) {
  std::string text = escaped_ascii(verdict.suite);
  text += text.empty() ? "" : ": ";
  text += escaped_ascii(verdict.summary);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  text += text.empty() ? "" : ". ";
  return text + "Exit " + std::to_string(static_cast<int>(verdict.exit)) + ", " +
         std::string(exit_meaning(verdict.exit)) + ".";
}

}  // namespace

std::string console_report(const SuiteVerdict& verdict, const ConsoleOptions& options) {
  std::string text;
  if (!verdict.columns.empty()) text += verdict_table(verdict, options.color) + "\n";
  const std::string special = special_text(verdict);
  if (!special.empty()) text += paragraph(special);
  text += paragraph(verdict_conclusion(verdict));
  const std::string how = console_legend(verdict);
  if (!how.empty()) text += fact_lines("Read", how);
  return text + fact_list(verdict_facts(verdict));
}

}  // namespace perfgate::report
