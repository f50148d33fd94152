// SPDX-License-Identifier: Apache-2.0
// merge.h: the sessions of a fleet's jobs as one session.
//
// Why that is one experiment with one alpha: round r of the merged session is round r of every job.
// Each job tossed a fair coin of its own for it, so under the null hypothesis the joint
// distribution of all cases stays the same when round r is turned around in all jobs at once. That
// is all that the joint sign-flip test over the family needs (stats/inference/max_t.h; the group
// argument of Romano and Wolf, 2005, Exact and approximate stepdown methods for multiple hypothesis
// testing). Looks and alphas are the plan's. What a job measured of a case after the family had
// decided it is left out, so that the session is the one that a single gate would have recorded.
#pragma once

#include <span>
#include <vector>

#include "perfgate/evidence/fleet/fleet.h"
#include "perfgate/evidence/session.h"
#include "perfgate/verdict/fleet/job_session.h"

namespace perfgate::inline verdict {

// Whether each case needs more rounds in its job. A job has only some of the family, so no case
// leaves it because it looks slower: session.schedule.look_alpha holds zeros and `look_alpha` the
// plan's levels. A case leaves when it passes, and is not on its way to an improvement.
std::vector<bool> OpenCasesOfJob(const Session& session, std::span<const double> look_alpha);

// The sessions of all jobs as one. A job that was interrupted makes the result incomplete.
//
// Error(kNotComparable) where a job is missing or there twice, a session is of no job or of another
// plan, or machine classes, executables, policies or metrics differ; Error(kInvalid) where a
// session has other cases, looks or rounds than its job.
Session MergeJobs(const FleetPlan& plan, std::span<const JobSession> jobs);

}  // namespace perfgate::inline verdict
