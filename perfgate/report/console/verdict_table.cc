// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/console/verdict_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "perfgate/base/text/case_pattern.h"
#include "perfgate/report/console/placed_notes.h"
#include "perfgate/report/console/verdict_color.h"
#include "perfgate/report/console/verdict_rows.h"
#include "perfgate/report/parts/column_text.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/text/format.h"
#include "perfgate/report/text/name_column.h"
#include "perfgate/report/text/shared_parts.h"
#include "perfgate/report/text/table_unit.h"
#include "perfgate/report/text/text.h"

namespace perfgate::report {
namespace {

// Columns of the table: these, the rounds, and the note at the end.
enum : std::size_t { kVerdict, kCase, kBaseline, kCandidate, kChange, kInterval };
// Room for the longest claim and a two-digit footnote: "insufficient [12]".
constexpr std::size_t kShortNote = 17;
// With less for a name, names stand above the numbers.
constexpr std::size_t kLeastForNames = 16;
// Where more of the names are too long, all stand above the numbers.
constexpr std::size_t kOneLongNameIn = 3;
constexpr std::size_t kIndent = 2;

class TableOfVerdict {
 public:
  TableOfVerdict(const SuiteVerdict& verdict, const ConsoleOptions& options)
      : verdict_(verdict),
        options_(options),
        unit_(UnitOf(verdict.columns)),
        sections_({SectionOf(verdict, true, options.all), SectionOf(verdict, false, options.all)}) {
    for (const VerdictSection& section : sections_) {
      for (const ColumnVerdict* column : section.rows) {
        columns_.push_back(column);
        names_.push_back(NameAsPattern(column->case_name));
        notes_.push_back(escaped_ascii(options.verbose ? note_text(*column, verdict.policy)
                                                       : brief_note_text(*column, verdict.policy)));
      }
    }
  }

  std::string Text() {
    rows_ = {Header()};
    for (std::size_t i = 0; i < columns_.size(); ++i) rows_.push_back(RowOf(i));
    if (!HasTimes()) DropTimes();
    if (columns_.empty()) return Sections([](std::size_t) { return std::string(); });
    const std::string shared = ShareParts();
    if (NamesFit()) return shared + Lines();
    return shared + (WidthBelowNames() <= options_.TableWidth() ? Pairs() : Blocks());
  }

 private:
  // Names lose what they share where that brings them into a line: of a table, or of their own.
  std::string ShareParts() {
    const std::size_t whole = LongestName();
    if (whole <= RoomForNames()) return "";
    const std::vector<std::string> names = names_;
    const ShownNames shown = WithoutSharedParts(names_);
    UseNames(shown.names);
    const std::size_t own_line =
        options_.TableWidth() - std::min(options_.TableWidth(), VerdictWidth() + kTableGap);
    if (!NamesFit() && whole <= own_line) {
      UseNames(names);
      return "";
    }
    const std::string text = SharedPartsText(shown);
    return text.empty() ? "" : paragraph(text, options_.ProseWidth());
  }

  void UseNames(const std::vector<std::string>& names) {
    names_ = names;
    for (std::size_t i = 0; i < columns_.size(); ++i) rows_[i + 1][kCase].text = NameOf(i);
  }

  Row Header() const {
    return {{"verdict", ""},  {"case", ""},
            {"baseline", ""}, {"cand. [" + unit_.name + "]", ""},
            {"change", ""},   {interval_label(verdict_.columns), ""},
            {"n", ""},        {"claim", ""}};
  }

  std::string_view ColorOf(Verdict verdict) const {
    return options_.color ? VerdictColor(verdict) : "";
  }

  // A metric that is not the time stands behind the name, which stays one word.
  std::string NameOf(std::size_t i) const {
    const std::string whole = column_name(*columns_[i]);
    return names_[i] + escaped_ascii(whole.substr(columns_[i]->case_name.size()));
  }

  Row RowOf(std::size_t i) const {
    const ColumnVerdict& column = *columns_[i];
    return {{std::string(to_string(column.verdict)), ColorOf(column.verdict)},
            {NameOf(i), ""},
            {ValueInTable(column.baseline, column.metric, unit_), ""},
            {ValueInTable(column.candidate, column.metric, unit_), ""},
            {format_change(column.effect.estimate, column.metric), ""},
            {interval_text(column), ""},
            {std::to_string(column.rounds), ""},
            {"", ""}};
  }

  bool HasTimes() const {
    return std::any_of(columns_.begin(), columns_.end(), [](const ColumnVerdict* column) {
      return std::isfinite(column->baseline) || std::isfinite(column->candidate);
    });
  }

  void DropTimes() {
    for (Row& row : rows_) row.erase(row.begin() + kBaseline, row.begin() + kCandidate + 1);
  }

  std::size_t LongestName() const { return column_widths(rows_)[kCase]; }

  std::size_t LongestNote() const {
    std::size_t longest = rows_[0].back().text.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string claim = claim_text(columns_[i]->rounds, columns_[i]->claim);
      longest = std::max(longest, claim.size() + 2 + notes_[i].size());
    }
    return longest;
  }

  // What the numbers and a short note leave of the line.
  std::size_t RoomForNames() const {
    const std::vector<std::size_t> widths = column_widths(rows_);
    std::size_t taken = kTableGap * (widths.size() - 1) + std::min(LongestNote(), kShortNote);
    for (std::size_t i = kBaseline; i + 1 < widths.size(); ++i) taken += widths[i];
    taken += VerdictWidth();
    const std::size_t width = options_.TableWidth();
    return width - std::min(width, taken);
  }

  bool NamesFit() const {
    const std::size_t room = RoomForNames();
    const auto too_long = static_cast<std::size_t>(std::count_if(
        rows_.begin(), rows_.end(), [&](const Row& row) { return row[kCase].text.size() > room; }));
    return room >= kLeastForNames && too_long * kOneLongNameIn <= columns_.size();
  }

  // Of a line of numbers below a name.
  std::size_t WidthBelowNames() const {
    const std::vector<std::size_t> widths = column_widths(rows_);
    std::size_t taken = std::min(LongestNote(), kShortNote);
    for (std::size_t i = kBaseline; i + 1 < widths.size(); ++i) taken += widths[i] + kTableGap;
    return taken + kIndent;
  }

  // The line of a row, or its block, and the lines below each section.
  template <typename TextOfRow>
  std::string Sections(const TextOfRow& text_of_row) const {
    std::string text;
    std::size_t next = 0;
    for (std::size_t s = 0; s < sections_.size(); ++s) {
      const VerdictSection& section = sections_[s];
      const bool watched = s > 0 && !(section.rows.empty() && section.folded.empty());
      if (watched) text += "shown, not gated:\n";
      for (std::size_t i = 0; i < section.rows.size(); ++i) text += text_of_row(next++);
      for (const FoldedCases& cases : section.folded) text += FoldedLine(cases);
    }
    return text;
  }

  std::size_t VerdictWidth() const {
    std::size_t width = column_widths(rows_)[kVerdict];
    for (const VerdictSection& section : sections_) {
      for (const FoldedCases& cases : section.folded) {
        width = std::max(width, to_string(cases.verdict).size());
      }
    }
    return width;
  }

  // The verdict in its column, what it stands for in the others.
  std::string FoldedLine(const FoldedCases& cases) const {
    const std::string word(to_string(cases.verdict));
    const std::size_t from = VerdictWidth() + kTableGap;
    const std::size_t width = std::max(options_.ProseWidth(), from + kLeastForNames);
    std::string text;
    for (const std::string& line : wrapped(cases.text, width - from)) {
      text += text.empty()
                  ? colored(word, ColorOf(cases.verdict)) + std::string(from - word.size(), ' ')
                  : std::string(from, ' ');
      text += line + "\n";
    }
    return text;
  }

  std::string Lines() {
    std::vector<Align> align(rows_[0].size(), Align::kRight);
    align[kVerdict] = align[kCase] = align.back() = Align::kLeft;
    const std::size_t room = RoomForNames();
    const std::size_t name = NameColumnWidth(rows_, kCase, room, rows_[0][kCase].text.size());
    PlacedNotes placed(std::min(LongestNote(), kShortNote) + room - std::min(room, name));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      rows_[i + 1].back().text =
          placed.Place(claim_text(columns_[i]->rounds, columns_[i]->claim), notes_[i]);
    }
    std::vector<std::size_t> widths = column_widths(rows_);
    widths[kVerdict] = VerdictWidth();
    widths[kCase] = name;
    const auto line = [&](std::size_t i) {
      return NamedLine(rows_[i + 1], kCase, widths, align, options_.TableWidth());
    };
    return table_line(rows_[0], widths, align, options_.TableWidth()) + Sections(line) +
           placed.Text(options_.ProseWidth());
  }

  // Two lines a case: its verdict and name, then its numbers.
  std::string Pairs() {
    PlacedNotes placed(std::min(LongestNote(), kShortNote) + options_.TableWidth() -
                       WidthBelowNames());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      rows_[i + 1].back().text =
          placed.Place(claim_text(columns_[i]->rounds, columns_[i]->claim), notes_[i]);
    }
    std::vector<Row> numbers;
    for (const Row& row : rows_) {
      Row& below = numbers.emplace_back(row.begin() + kBaseline, row.end());
      below.insert(below.begin(), Cell{});
    }
    const std::vector<std::size_t> widths = column_widths(numbers);
    std::vector<Align> align(widths.size(), Align::kRight);
    align.back() = Align::kLeft;
    const auto pair = [&](std::size_t i) {
      const Row& row = rows_[i];
      return colored(row[kVerdict].text, row[kVerdict].color) + "  " + row[kCase].text + "\n" +
             table_line(numbers[i], widths, align, options_.TableWidth());
    };
    return pair(0) + Sections([&](std::size_t i) { return pair(i + 1); }) +
           placed.Text(options_.ProseWidth());
  }

  // As many lines a case as it needs.
  std::string Blocks() const {
    const auto block = [&](std::size_t i) {
      const Row& row = rows_[i + 1];
      const ColumnVerdict& column = *columns_[i];
      std::string text = colored(row[kVerdict].text, row[kVerdict].color) + "\n";
      text += row[kCase].text + "\n";
      const auto add = [&](const std::string& fact) {
        const std::size_t width = options_.ProseWidth() - kIndent;
        for (const std::string& line : wrapped(fact, width)) text += "  " + line + "\n";
      };
      if (std::isfinite(column.baseline) || std::isfinite(column.candidate)) {
        add(format_value(column.baseline, column.metric) + " -> " +
            format_value(column.candidate, column.metric));
      }
      if (column.rounds > 0) {
        add(format_change(column.effect.estimate, column.metric) + " " + interval_text(column) +
            ", n " + std::to_string(column.rounds));
      }
      std::string note = claim_text(column.rounds, column.claim);
      if (!notes_[i].empty()) note += (note.empty() ? "" : ", ") + notes_[i];
      if (!note.empty()) add(note);
      return text;
    };
    return Sections(block);
  }

  const SuiteVerdict& verdict_;
  const ConsoleOptions& options_;
  TableUnit unit_;
  std::vector<VerdictSection> sections_;  // gated, then only shown
  std::vector<const ColumnVerdict*> columns_;
  std::vector<std::string> names_;
  std::vector<std::string> notes_;
  std::vector<Row> rows_;
};

}  // namespace

std::string VerdictTable(const SuiteVerdict& verdict, const ConsoleOptions& options) {
  return TableOfVerdict(verdict, options).Text();
}

}  // namespace perfgate::report
