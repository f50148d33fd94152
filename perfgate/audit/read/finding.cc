// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/read/finding.h"

#include <tuple>

namespace perfgate::audit {

std::string_view word_of(Kind kind) {
  constexpr std::array<std::string_view, 14> kWords = {"arithmetic",    "ci",
                                                       "claim_support", "classification",
                                                       "comparability", "count",
                                                       "data_conflict", "direction",
                                                       "gpu_conflict",  "list_vs_heading",
                                                       "metadata",      "model_conflict",
                                                       "plausibility",  "total"};
  return kWords.at(static_cast<std::size_t>(kind));
}

std::string_view word_of(Severity severity) {
  constexpr std::array<std::string_view, 3> kWords = {"high", "med", "low"};
  return kWords.at(static_cast<std::size_t>(severity));
}

bool before(const Finding& a, const Finding& b) {
  const auto order = [](const Finding& f) {
    return std::tie(f.severity, f.file, f.line, f.pointer, f.commit, f.field, f.kind, f.published);
  };
  return order(a) < order(b);
}

std::string place_text(const Finding& finding) {
  if (!finding.claim.empty()) return "claim " + finding.claim;
  if (!finding.commit.empty()) return finding.commit + " " + finding.field;
  std::string text;
  if (finding.row > 0) text = "row " + std::to_string(finding.row);
  if (!finding.column.empty()) text += (text.empty() ? "column " : ", ") + finding.column;
  if (text.empty()) text = finding.field;
  return text.empty() ? finding.table : text;
}

Finding at_table(const Table& table) {
  Finding finding;
  finding.file = table.file;
  finding.line = table.line;
  finding.table = table.id;
  if (table.json) finding.pointer = table.rows_pointer;
  return finding;
}

Finding at_column(const Table& table, std::size_t column) {
  Finding finding = at_table(table);
  finding.column = table.columns[column].key;
  if (table.json) finding.pointer = "/columns/" + std::to_string(column);
  return finding;
}

Finding at_cell(const Table& table, std::size_t row, std::size_t column) {
  Finding finding = at_column(table, column);
  finding.row = static_cast<int>(row) + 1;
  finding.line = table.rows[row].line;
  if (table.json) {
    finding.pointer =
        table.rows_pointer + "/" + std::to_string(row) + "/" + table.columns[column].key;
  }
  finding.published = table.cell(row, column).text;
  return finding;
}

Finding at_claim(const Table& table, const Claim& claim) {
  Finding finding = at_table(table);
  finding.claim = claim.id;
  finding.line = claim.line;
  finding.pointer = claim.pointer;
  return finding;
}

Finding found(Finding place, Kind kind, Severity severity, std::string published,
              std::string recomputed, std::string explanation) {
  place.kind = kind;
  place.severity = severity;
  place.published = std::move(published);
  place.recomputed = std::move(recomputed);
  place.explanation = std::move(explanation);
  return place;
}

}  // namespace perfgate::audit
