// SPDX-License-Identifier: Apache-2.0
// merge_check.h: whether sessions are the jobs of one plan, measured on machines of one class.
#pragma once

#include <span>
#include <vector>

#include "perfgate/evidence/fleet/fleet.h"
#include "perfgate/verdict/fleet/job_session.h"

namespace perfgate::inline verdict {

// The sessions in the order of their jobs, one of each. Errors as MergeJobs, but for metrics.
std::vector<const JobSession*> CheckedJobs(const FleetPlan& plan, std::span<const JobSession> jobs);

}  // namespace perfgate::inline verdict
