// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "perfgate/audit/check/claim_wording.h"
#include "perfgate/audit/infer/candidates.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/base/text/join.h"

namespace perfgate::audit {
namespace {

struct Tally {
  std::string won;
  std::string lost;
};

// Own cell against another of the same metric; ties within rounding count for nobody.
void compare(const Cell& own, const Cell& other, Better better, const std::string& metric,
             Tally& tally) {
  if (own.kind != CellKind::kNumber || other.kind != CellKind::kNumber ||
      better == Better::kUnknown || own.number.dimension != other.number.dimension) {
    return;
  }
  const Range a = range_of(own.number);
  const Range b = range_of(other.number);
  const bool smaller = a.hi < b.lo;
  const bool larger = a.lo > b.hi;
  if (!smaller && !larger) return;
  AppendItem((better == Better::kLower) == smaller ? tally.won : tally.lost, metric);
}

// Rows are the arms, columns the metrics.
Tally among_rows(const Table& table, std::size_t own) {
  Tally tally;
  for (const std::size_t column : numeric_columns(table)) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      if (row == own) continue;
      compare(table.cell(own, column), table.cell(row, column), table.columns[column].better,
              table.columns[column].label, tally);
    }
  }
  return tally;
}

// Columns are the arms, rows the metrics.
Tally among_columns(const Table& table, std::size_t own) {
  Tally tally;
  for (const std::size_t column : numeric_columns(table)) {
    if (column == own || table.columns[column].better != table.columns[own].better) continue;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      compare(table.cell(row, own), table.cell(row, column), table.columns[own].better,
              row_label(table, row), tally);
    }
  }
  return tally;
}

}  // namespace

bool check_winner_claim(const Table& table, const Claim& claim, AuditResult& result) {
  constexpr std::array<std::string_view, 3> kWords = {"winner", "best", "fastest"};
  const std::vector<std::string> words = words_of(claim.text("metric"));
  const std::string named = slug(claim.text(claim.has("winner") ? "winner" : "value"));
  const bool winner =
      claim.has("winner") || std::any_of(words.begin(), words.end(), [&](const auto& w) {
        return std::find(kWords.begin(), kWords.end(), w) != kWords.end();
      });
  if (!winner || named.empty()) return false;
  Tally tally;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (slug(row_label(table, row)) == named) tally = among_rows(table, row);
  }
  for (const std::size_t column : numeric_columns(table)) {
    if (slug(table.columns[column].label) == named) tally = among_columns(table, column);
  }
  if (tally.lost.empty()) return !tally.won.empty();
  Finding finding = at_claim(table, claim);
  finding.kind = tally.won.empty() ? Kind::kDirection : Kind::kClaimSupport;
  finding.severity = tally.won.empty() ? Severity::kHigh : Severity::kMedium;
  finding.published = "winner " + claim.text(claim.has("winner") ? "winner" : "value");
  finding.recomputed = "worse by " + tally.lost;
  finding.explanation = tally.won.empty() ? "it is better by no metric of the table"
                                          : "it is better by " + tally.won + " only";
  result.findings.push_back(std::move(finding));
  return true;
}

}  // namespace perfgate::audit
