// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/console_report.h"

#include <algorithm>

#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/exit_meaning.h"
#include "perfgate/report/parts/format.h"
#include "perfgate/report/parts/table.h"
#include "perfgate/report/parts/text.h"

namespace perfgate::report {
namespace {

// Columns of the table.
enum : std::size_t { kVerdict, kCase, kChange, kInterval, kRounds, kNote, kColumns };
// Room for the longest claim and a two-digit footnote: "insufficient [12]".
constexpr std::size_t kShortNote = 17;
constexpr std::size_t kShortestCase = 8;

const std::vector<Align> kVerdictAlign = {Align::kLeft,  Align::kLeft,  Align::kRight,
                                          Align::kRight, Align::kRight, Align::kLeft};

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

Row header(const SuiteVerdict& verdict) {
  return {{"verdict", ""}, {"case", ""}, {"change", ""}, {interval_label(verdict.columns), ""},
          {"n", ""},       {"claim", ""}};
}

Row verdict_row(const ColumnVerdict& column, bool color) {
  return {{std::string(to_string(column.verdict)), color ? verdict_color(column.verdict) : ""},
          {escaped_ascii(column_name(column)), ""},
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

struct Widths {
  std::size_t name;
  std::size_t note;
};

// Shares what the other columns leave between names and notes: names first, as long as a claim
// with a footnote still fits.
Widths share_width(const std::vector<Row>& rows, std::size_t longest_note) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::size_t taken = kTableGap * (kColumns - 1);
  for (const std::size_t i : {kVerdict, kChange, kInterval, kRounds}) taken += widths[i];
  const std::size_t left = kConsoleWidth - std::min(kConsoleWidth, taken);
  const std::size_t least_note = std::min(longest_note, kShortNote);
  const std::size_t for_names = std::max(kShortestCase, left - std::min(left, least_note));
  const std::size_t name = std::min(widths[kCase], for_names);
  return {name, left - std::min(left, name)};
}

// The table and the notes below it.
std::string verdict_table(const SuiteVerdict& verdict, bool color) {
  std::vector<const ColumnVerdict*> columns;
  for (const bool gated : {true, false}) {
    for (const ColumnVerdict& column : verdict.columns) {
      if (column.gated == gated) columns.push_back(&column);
    }
  }
  std::vector<Row> rows = {header(verdict)};
  std::vector<std::string> names;
  std::vector<std::string> notes;
  std::size_t longest_note = rows[0][kNote].text.size();
  for (const ColumnVerdict* column : columns) {
    rows.push_back(verdict_row(*column, color));
    names.push_back(rows.back()[kCase].text);
    notes.push_back(escaped_ascii(note_text(*column, verdict.policy)));
    longest_note = std::max(
        longest_note, claim_text(column->rounds, column->claim).size() + 2 + notes.back().size());
  }
  const Widths widths = share_width(rows, longest_note);
  names = shortened_names(names, widths.name);
  Notes placed(widths.note);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    rows[i + 1][kCase].text = names[i];
    rows[i + 1][kNote].text =
        placed.place(claim_text(columns[i]->rounds, columns[i]->claim), notes[i]);
  }
  const std::vector<std::size_t> final_widths = column_widths(rows);
  std::string text = table_line(rows[0], final_widths, kVerdictAlign, kConsoleWidth);
  bool watching = false;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i]->gated && !watching) {
      watching = true;
      text += "shown, not gated:\n";
    }
    text += table_line(rows[i + 1], final_widths, kVerdictAlign, kConsoleWidth);
  }
  return text + placed.text();
}

// How to read the numbers of the table; nothing where there are none.
std::string console_legend(const SuiteVerdict& verdict) {
  const std::string intervals = interval_legend(verdict.columns);
  if (intervals.empty()) return "";
  return "change of the candidate against the baseline, + is worse; n rounds. " + intervals;
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
