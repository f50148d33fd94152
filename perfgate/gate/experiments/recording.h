// SPDX-License-Identifier: Apache-2.0
// recording.h: measures one executable in several sessions, for a baseline or against one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "perfgate/evidence/recorded.h"
#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

struct RecordRequest {
  std::string executable;
  std::string label;  // "baseline" or "candidate"
  std::string suite;
  Policy policy;  // policy.rounds > 0
  std::vector<int> cpus;
  int sessions = 1;
  bool preload = true;  // as in MeasureRequest
  measure::IsolationRequest isolation{};
  double gap_s = 0;  // from the end of one session to the start of the next
  std::function<void(const RecordedSession&)> each;  // after every session; may be empty
};

// Every session launches, calibrates and chooses its core anew, so that sessions differ as much as
// they would on another day. Throws Error(kFailed) naming the cases that failed
// and Interrupted.
std::vector<RecordedSession> RecordSessions(const RecordRequest& request, GateDisplay& display);

}  // namespace perfgate::gate
