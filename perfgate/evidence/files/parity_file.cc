// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/files/parity_fields.h"

namespace perfgate::inline evidence {
namespace {

// Whether a deciding column lets the whole exit 0.
bool allows_pass(const ParityColumn& column) {
  return column.outcome == ParityStatus::kWin || column.outcome == ParityStatus::kSkipped ||
         column.outcome == ParityStatus::kNew ||
         (column.outcome == ParityStatus::kMatch && column.vacuous == false);
}

void check_effect(const Effect& effect, const std::string& pointer, const std::string& where) {
  if (effect.lo > effect.hi) contradict(where, pointer, "lo is above hi");
  if (effect.range_lo > effect.range_hi) contradict(where, pointer, "range_lo is above range_hi");
}

void check_parity_column(const ParityVerdict& verdict, const ParityColumn& column,
                         const std::string& pointer, const std::string& where) {
  check_effect(column.agent_human.effect, pointer + "/agent_human/effect", where);
  check_effect(column.human_baseline.effect, pointer + "/human_baseline/effect", where);
  check_effect(column.agent_baseline.effect, pointer + "/agent_baseline/effect", where);
  if (column.vacuous && column.outcome != ParityStatus::kMatch) {
    contradict(where, pointer + "/vacuous", "only a match can be vacuous");
  }
  if (verdict.exit == Exit::kPass && column.primary && column.gated && !allows_pass(column)) {
    contradict(where, "/exit",
               "is 0 although " + pointer + " is \"" + std::string(to_string(column.outcome)) +
                   "\"" + (column.vacuous.value_or(false) ? " and vacuous" : ""));
  }
}

}  // namespace

std::string parity_to_json(const ParityVerdict& verdict) { return write_format(verdict); }

ParityVerdict parity_from_json(std::string_view text, const std::string& where) {
  auto verdict = read_format<ParityVerdict>(text, where);
  check_schedule(verdict.schedule, where);
  UniqueNames columns;
  for (std::size_t i = 0; i < verdict.columns.size(); ++i) {
    const ParityColumn& column = verdict.columns[i];
    const std::string pointer = "/columns/" + std::to_string(i);
    columns.add(where, pointer, column.case_name + " " + column.metric.name);
    check_parity_column(verdict, column, pointer, where);
  }
  return verdict;
}

ParityVerdict read_parity(const std::string& path) {
  return parity_from_json(ReadInputFile(path, kEvidenceFile), path);
}

}  // namespace perfgate::inline evidence
