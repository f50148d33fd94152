// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/files/plan_fields.h"

namespace perfgate::inline evidence {
namespace {

void check_plan(const SuitePlan& plan, const std::string& where) {
  check_looks(plan.looks, plan.look_alpha, "", where);
  UniqueNames columns;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    const PlannedColumn& column = plan.columns[i];
    const std::string pointer = "/columns/" + std::to_string(i);
    columns.add(where, pointer, column.case_name + " " + column.metric.name);
    if (plan.exit == Exit::kPass && !column.resolved) {
      contradict(where, "/exit", "is 0 although " + pointer + " is not resolved");
    }
  }
}

}  // namespace

std::string plan_to_json(const SuitePlan& plan) { return write_format(plan); }

SuitePlan plan_from_json(std::string_view text, const std::string& where) {
  auto plan = read_format<SuitePlan>(text, where);
  check_plan(plan, where);
  return plan;
}

SuitePlan read_plan(const std::string& path) {
  return plan_from_json(ReadInputFile(path, kEvidenceFile), path);
}

}  // namespace perfgate::inline evidence
