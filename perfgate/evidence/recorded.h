// SPDX-License-Identifier: Apache-2.0
// recorded.h: one session of the accepted state as a baseline store keeps it: per-round values
// only, so that a hundred cases fit 64 KiB and a person can review the file.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::inline evidence {

struct RecordedCase {
  std::string name;
  int threads = 1;
  std::string time = "real";
  std::int64_t iterations = 0;  // of one slice; 0: by time
  // values[metric][round]: median over the round's slices in the metric's unit, NaN where absent.
  std::vector<std::vector<double>> values;
};

struct RecordedSession {
  std::string id;             // of the session, 32 hex digits
  std::string tool;           // "perfgate 0.1.0"
  std::string started;        // ISO 8601, UTC
  std::string suite;          // name
  std::string machine_class;  // evidence/machine_class.h
  std::string commit;         // of the measured sources, 40 hex digits; empty: not known
  bool dirty = false;         // the sources differed from that commit
  ArmInfo executable;         // path holds the file name only
  Machine machine;
  RoundConditions conditions;  // medians over rounds
  double slice_s = 0;          // as measured: recorded numbers compare only with the same plan
  int pairs = 0;
  int rounds = 0;
  std::vector<Metric> metrics;
  std::vector<RecordedCase> cases;
  // reference[component][round]: seconds of the reference workload timed beside the suite, in the
  // order of reference_names; empty where it was not run.
  std::vector<std::string> reference_names;
  std::vector<std::vector<double>> reference;
};

// Median of the slices per round of a session's only arm. The caller fills suite, commit and dirty
// where the session does not know them. Throws Error(kData) unless the session has one arm and is
// complete.
RecordedSession make_recorded(const Session& session);

}  // namespace perfgate::inline evidence
