// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/verdict_fields.h"

namespace perfgate::inline evidence {
namespace {

// Verdicts that a gated column must not have in a suite that exits 0.
bool forbids_pass(Verdict verdict) {
  return verdict == Verdict::kInvalid || verdict == Verdict::kFailed ||
         verdict == Verdict::kRegression || verdict == Verdict::kNotComparable ||
         verdict == Verdict::kMissing;
}

void check_column_verdict(const SuiteVerdict& suite, const ColumnVerdict& column,
                          const std::string& pointer, const std::string& where) {
  const Effect& effect = column.effect;
  if (effect.lo > effect.hi) contradict(where, pointer + "/effect", "lo is above hi");
  if (effect.range_lo > effect.range_hi) {
    contradict(where, pointer + "/effect", "range_lo is above range_hi");
  }
  if (suite.exit == Exit::kPass && column.gated && forbids_pass(column.verdict)) {
    contradict(where, "/exit",
               "is 0 although " + pointer + " is \"" + std::string(to_string(column.verdict)) +
                   "\" and gated");
  }
}

}  // namespace

std::string verdict_to_json(const SuiteVerdict& verdict) { return write_format(verdict); }

SuiteVerdict verdict_from_json(std::string_view text, const std::string& where) {
  auto verdict = read_format<SuiteVerdict>(text, where);
  check_schedule(verdict.schedule, where);
  UniqueNames columns;
  for (std::size_t i = 0; i < verdict.columns.size(); ++i) {
    const ColumnVerdict& column = verdict.columns[i];
    const std::string pointer = "/columns/" + std::to_string(i);
    columns.add(where, pointer, column.case_name + " " + column.metric.name);
    check_column_verdict(verdict, column, pointer, where);
  }
  return verdict;
}

void write_verdict(const std::string& path, const SuiteVerdict& verdict) {
  write_file_atomically(path, verdict_to_json(verdict));
}

}  // namespace perfgate::inline evidence
