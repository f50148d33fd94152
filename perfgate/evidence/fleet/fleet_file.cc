// SPDX-License-Identifier: Apache-2.0
#include <utility>
#include <vector>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/sha256.h"
#include "perfgate/evidence/files/consistency.h"
#include "perfgate/evidence/files/file_format.h"
#include "perfgate/evidence/files/input_kinds.h"
#include "perfgate/evidence/fleet/fleet.h"
#include "perfgate/evidence/fleet/fleet_fields.h"

namespace perfgate::inline evidence {
namespace {

void CheckPlan(const FleetPlan& plan, const std::string& where) {
  check_looks(plan.looks, plan.look_alpha, "", where);
  require_size(where, "/arms", plan.arms.size(), 2, "a baseline and a candidate");
  UniqueNames names;
  std::vector<bool> has_cases(static_cast<std::size_t>(plan.jobs), false);
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const FleetCase& one = plan.cases[i];
    const std::string pointer = "/cases/" + std::to_string(i);
    names.add(where, pointer + "/name", one.name);
    if (one.job > plan.jobs) {
      contradict(where, pointer + "/job",
                 "is " + std::to_string(one.job) + ", and the plan has " +
                     std::to_string(plan.jobs) + " jobs");
    }
    has_cases[static_cast<std::size_t>(one.job) - 1] = true;
  }
  for (std::size_t job = 0; job < has_cases.size(); ++job) {
    if (has_cases[job]) continue;
    contradict(where, "/jobs", "job " + std::to_string(job + 1) + " has no case");
  }
}

}  // namespace

std::string fleet_to_json(const FleetPlan& plan) { return write_format(plan); }

FleetPlan fleet_from_json(std::string_view text, const std::string& where) {
  auto plan = read_format<FleetPlan>(text, where);
  // Every job has a case, so more jobs than cases are wrong however large the number is.
  if (std::cmp_greater(plan.jobs, plan.cases.size())) {
    contradict(where, "/jobs",
               "is " + std::to_string(plan.jobs) + ", and there are " +
                   std::to_string(plan.cases.size()) + " cases");
  }
  CheckPlan(plan, where);
  return plan;
}

void write_fleet(const std::string& path, const FleetPlan& plan) {
  write_file_atomically(path, fleet_to_json(plan));
}

FleetPlan read_fleet(const std::string& path) {
  return fleet_from_json(ReadInputFile(path, kEvidenceFile), path);
}

std::string DigestOfPlan(const FleetPlan& plan) { return sha256_digest(fleet_to_json(plan)); }

}  // namespace perfgate::inline evidence
