// SPDX-License-Identifier: Apache-2.0
// fleet.h: a suite cut into jobs, a job measured, and the sessions of all jobs judged as one.
//
//   PlanFleet    lists both executables and gives every case a job
//   MeasureJob   what one machine does; started again it goes on where it was stopped
//   MergeFleet   the verdict of the whole suite
#pragma once

#include <map>
#include <string>
#include <vector>

#include "perfgate/evidence/fleet/fleet.h"
#include "perfgate/gate/gate.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

struct FleetRequest {
  std::string baseline;
  std::string candidate;
  int jobs = 1;
  // Predicted wall seconds of one round of a case, by its name; cases that are not there count as
  // the mean.
  std::map<std::string, double> round_s{};
  MeasureRequest measure{};  // policy and suite; a policy without rounds gets kFleetRounds
  Policy default_policy{};   // beneath the request's
};

// Error(kUsage) where the executables are one, are folders of layouts, or have fewer cases than
// there are jobs; Error(kFailed) and Error(kNotComparable) where the candidate or the baseline
// cannot be listed.
FleetPlan PlanFleet(const FleetRequest& request, GateDisplay& display);

struct JobRequest {
  std::string plan;        // file
  int job = 1;             // from 1
  std::string baseline{};  // where the executables lie here; empty: as the plan says
  std::string candidate{};
  MeasureRequest measure{};  // its policy is the plan's; `session` is needed
};

// Measures the job and writes its session at every look and at the end. Where `session` holds this
// job already it is continued, and nothing is measured where it is whole. A regression shows only
// after MergeFleet. Error(kUsage) for a job that the plan has not or a session file of something
// else; Error(kNotComparable) where an executable is not the plan's, or the session was begun on a
// machine of another class.
Session MeasureJob(const JobRequest& request, GateDisplay& display);

struct MergeRequest {
  std::string plan;                   // file
  std::vector<std::string> sessions;  // of the jobs, in any order
  // Whether cases that would be named are sampled for their code. Needs the plan's executables; a
  // warning says where they are not here.
  HotCodeUse hot_code = HotCodeUse::kNamed;
  MeasureRequest measure{};  // key and `session`: where the merged session is written
};

// Errors as MergeJobs (verdict/fleet/merge.h), and those of reading the files.
GateResult MergeFleet(const MergeRequest& request, GateDisplay& display);

}  // namespace perfgate::gate
