// SPDX-License-Identifier: Apache-2.0
// column_text.h: what a report says of one case and metric.
#pragma once

#include <span>
#include <string>

#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/report/text/table_unit.h"

namespace perfgate::report {

// The case, and the metric where it is not the time itself: "sort/n:16 [allocs]". Not escaped.
std::string column_name(const ColumnVerdict& column);

// One unit for the times of both arms of a table.
TableUnit UnitOf(std::span<const ColumnVerdict> columns);

// Adds to a note what there is to add: "first; second".
void append_note(std::string& note, const std::string& part);

// Empty where nothing was measured or the interval holds 0: a claim would only repeat the outcome.
std::string claim_text(int rounds, Claim claim);

// "[+4.78, +5.21]", or below 6 rounds "-1.20..+3.40 (87.5 %)": min and max with their confidence.
// In the unit of the change. "-" where there is neither.
std::string interval_text(const ColumnVerdict& column);

bool has_interval(const ColumnVerdict& column);
bool has_range(const ColumnVerdict& column);

// Head of the table's column of intervals. Only what is one bears the name: "CI95", "min..max"
// where no column has 6 rounds, "CI95 or min..max"; empty where there is neither.
std::string interval_label(std::span<const ColumnVerdict> columns);

// How to read that column, in the same cases.
std::string interval_legend(std::span<const ColumnVerdict> columns);

// What to know besides the claim: p, how many more rounds would settle it and what it could hide,
// the tolerance where it is not the policy's, or the reason. Empty where there is nothing to say.
// Reasons are not escaped.
std::string note_text(const ColumnVerdict& column, const Policy& policy);

// The same in a few words: the reason, the first function that changed, the tolerance.
std::string brief_note_text(const ColumnVerdict& column, const Policy& policy);

}  // namespace perfgate::report
