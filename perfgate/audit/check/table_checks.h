// SPDX-License-Identifier: Apache-2.0
// table_checks.h: what can be wrong with a table beyond its arithmetic.
#pragma once

#include "perfgate/audit/read/finding.h"
#include "perfgate/audit/read/markdown_reader.h"

namespace perfgate::audit {

// Headers that name nothing, rows that stand twice, infinite ratios, shares that add up to
// something near 100 %, and the three below.
void check_structure(const Table& table, AuditResult& result);

// The number of rows in a title, and wins, losses and ties that do not add up to the stated n.
void check_stated_counts(const Table& table, AuditResult& result);
// "(3-run)" and "n=3" in labels against the table's own number of runs.
void check_stated_runs(const Table& table, AuditResult& result);
void check_percentiles(const Table& table, AuditResult& result);

// Intervals: ends in order, the estimate inside, what three runs can give, words against intervals
// that hold "no difference", outcomes against deltas.
void check_intervals(const Table& table, AuditResult& result);
void check_outcomes(const Table& table, AuditResult& result);

// Lists under headings that state their length, and "12/20 (60 %)" anywhere in the text.
void check_document(const MarkdownDocument& document, AuditResult& result);

// Whether the text says that something is better or worse, and does not deny it.
bool claims_effect(std::string_view text);

// What an interval must not hold for an effect to be claimed: 1 for ratios, 0 for differences.
double no_effect(const Table& table, std::size_t column);

// Two-sided 95 % Student t interval from three values, one of which follows from mean and extremes.
struct OfThree {
  double third = 0;
  double low = 0;
  double high = 0;
};
OfThree t_interval_of_three(double mean, double low, double high);

}  // namespace perfgate::audit
