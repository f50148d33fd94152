// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/stored_frame.h"

#include <string>

namespace perfgate::inline verdict {

SuiteVerdict StoredFrame(const StoredEvidence& evidence) {
  const RecordedSession& newest = evidence.candidate.back();
  SuiteVerdict suite;
  suite.session_id = newest.id;
  suite.suite = newest.suite;
  suite.tool = newest.tool;
  suite.started = evidence.candidate.front().started;
  suite.complete = true;
  suite.grade = evidence.grade;
  suite.rounds = newest.rounds;
  suite.policy = evidence.policy;
  suite.schedule.seed = std::string(16, '0');
  suite.machine = newest.machine;
  suite.arms = {evidence.baseline.back().executable, newest.executable};
  suite.arms[0].label = evidence.baseline_label;
  suite.arms[1].label = evidence.candidate_label;
  suite.conditions = newest.conditions;
  suite.baseline_sessions = static_cast<int>(evidence.baseline.size());
  suite.candidate_sessions = static_cast<int>(evidence.candidate.size());
  suite.baseline_head = evidence.baseline_head;
  return suite;
}

void ExplainStored(const StoredEvidence& evidence, const std::vector<Mismatch>& overridden,
                   int reference, SuiteVerdict& suite) {
  if (!evidence.qualification.empty()) {
    suite.warnings.push_back("numbers alone: this machine class is " + evidence.qualification);
  }
  if (reference >= 0) {
    suite.warnings.push_back(
        "times are relative to the reference workload's " +
        evidence.baseline.front().reference_names[static_cast<std::size_t>(reference)] +
        " component: among the recorded sessions that lowers their spread");
  }
  for (const Mismatch& mismatch : overridden) {
    suite.policy.overrides.push_back(mismatch.reason + " allowed: " + mismatch.detail);
    suite.warnings.push_back("compared although " + mismatch.reason + ": " + mismatch.detail);
  }
}

}  // namespace perfgate::inline verdict
