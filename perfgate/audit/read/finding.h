// SPDX-License-Identifier: Apache-2.0
// finding.h: one thing in a published table that does not hold.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/audit/read/table.h"

namespace perfgate::audit {

enum class Kind {
  kArithmetic,      // a printed result that its printed operands do not give
  kCi,              // an interval that cannot be what it is called, or contradicts the wording
  kClaimSupport,    // wording that the numbers do not carry
  kClassification,  // an item in a class that its data exclude, or in two
  kComparability,   // numbers compared that were not measured alike
  kCount,           // counts that do not add up to the stated n
  kDataConflict,    // one item with two values
  kDirection,       // better and worse mixed up, or a difference in a ratio column
  kGpuConflict,     // two statements of the hardware needed
  kListVsHeading,   // a list with more or fewer items than stated
  kMetadata,        // headers and names that do not identify anything
  kModelConflict,   // two models for one item
  kPlausibility,    // values that a measurement hardly gives
  kTotal,           // a total, or a partition, that does not add up
};

enum class Severity { kHigh, kMedium, kLow };

std::string_view word_of(Kind kind);
std::string_view word_of(Severity severity);

struct Finding {
  std::string file;
  int line = 0;         // Markdown; 0 for JSON
  std::string pointer;  // JSON
  // What of these identifies the place: rows count from 1, columns by key or label.
  std::string table, column, claim, commit, field;
  int row = 0;
  Kind kind = Kind::kArithmetic;
  Severity severity = Severity::kMedium;
  std::string published;
  std::string recomputed;
  std::string explanation;
};

// Worst first, then by file and place.
bool before(const Finding& a, const Finding& b);

// "row 3, Full/Runtime", "claim c1", "3476ed08 deltas_pct.baseline_human".
std::string place_text(const Finding& finding);

// With the place filled in.
Finding at_cell(const Table& table, std::size_t row, std::size_t column);
Finding at_column(const Table& table, std::size_t column);
Finding at_claim(const Table& table, const Claim& claim);
Finding at_table(const Table& table);

// `place`, one of the above, with what was found there.
Finding found(Finding place, Kind kind, Severity severity, std::string published,
              std::string recomputed, std::string explanation);

// What an audit has looked at, so that "nothing found" can be told from "nothing checked".
struct Checked {
  int tables = 0;
  int cells_derived = 0;     // cells recomputed from others, by declared or inferred relations
  int relations = 0;         // relations that were declared or inferred
  int claims = 0;            // statements recomputed
  int claims_unchecked = 0;  // statements that nothing here can recompute
  int commits = 0;           // list entries compared with measurements
};

struct AuditResult {
  std::vector<Finding> findings;
  Checked checked;
  std::vector<std::string> notes;  // what could not be checked, and why
};

}  // namespace perfgate::audit
