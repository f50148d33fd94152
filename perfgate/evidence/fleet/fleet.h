// SPDX-License-Identifier: Apache-2.0
// fleet.h: one suite that several jobs measure, each some of its cases, and that is judged as one.
//
// A plan names the executables, the policy, the looks and the job of every case. A job measures its
// cases and decides nothing but that a case needs no more rounds because it passes. Merging joins
// the sessions of all jobs into one: one family of cases, one alpha (verdict/fleet/merge.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/policy.h"

namespace perfgate::inline evidence {

// Which part of a fleet a session is. Jobs count from 1.
struct FleetJob {
  std::string plan;  // "sha256:<hex>" of the plan (DigestOfPlan); empty: no part of a fleet
  int job = 0;       // 0: merged from the sessions of all jobs
  int jobs = 0;      // of the plan
};

// A job's session, as a merged session remembers it. The coins say which permutation of the arms
// each of its rounds used, as RoundInfo::coin does.
struct MergedPart {
  int job = 0;
  std::string session_id;
  std::string started;   // ISO 8601, UTC
  std::string hostname;  // where it ran; empty: not known
  std::string seed;      // of its schedule, 16 hex digits
  double wall_s = 0;
  std::vector<std::uint64_t> coins{};
};

struct FleetArm {
  std::string label;   // "baseline" or "candidate"
  std::string path;    // where it lay when the plan was made
  std::string digest;  // "sha256:<hex>" over file and non-system libraries
};

struct FleetCase {
  std::string name;
  int job = 1;
  double round_s = 0;  // predicted wall seconds of one round of it; 0: not known
};

struct FleetPlan {
  std::string id;  // random, 32 hex digits: two plans alike are two experiments
  std::string tool;
  std::string suite;
  int jobs = 1;
  Policy policy;                   // of every job; `rounds` is the last look
  std::vector<int> looks;          // numbers of rounds at which the merged family is judged
  std::vector<double> look_alpha;  // false-fail level of each look, over all jobs together
  std::vector<FleetArm> arms;      // baseline and candidate
  std::vector<FleetCase> cases;    // of either arm, in the order of the suite
};

std::string fleet_to_json(const FleetPlan& plan);
FleetPlan fleet_from_json(std::string_view text, const std::string& where);
void write_fleet(const std::string& path, const FleetPlan& plan);
FleetPlan read_fleet(const std::string& path);

// "sha256:<hex>" over everything that the plan says.
std::string DigestOfPlan(const FleetPlan& plan);

}  // namespace perfgate::inline evidence
