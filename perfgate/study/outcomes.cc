// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/outcomes.h"

#include <algorithm>

#include "perfgate/base/error.h"

namespace perfgate::study {
namespace {

Exit ExitOfState(ArmState state, bool is_agent) {
  switch (state) {
    case ArmState::kMeasured:
    case ArmState::kReady:
      return Exit::kPass;
    case ArmState::kIdentical:
      return Exit::kInvalid;
    case ArmState::kUnknownCommit:
    case ArmState::kBadCommand:
      return Exit::kData;
    case ArmState::kSetUpFailed:
      return Exit::kNotComparable;
    default:
      return is_agent ? Exit::kFailed : Exit::kNotComparable;
  }
}

// The arm's own words, or those of its end at the limit.
bool TellsOfMemory(const std::string& why) {
  return KindOfLine(why) == "out_of_memory" || why.find("used up the memory") != std::string::npos;
}

}  // namespace

void MarkIdentical(std::vector<ArmRecord>& arms) {
  for (std::size_t i = 1; i < arms.size(); ++i) {
    // Agents may be equal to each other: each is compared with the human alone.
    for (std::size_t j = 0; j < std::min<std::size_t>(i, 2); ++j) {
      const bool ready = arms[i].status == ArmState::kReady && !arms[i].digest.empty();
      if (!ready || arms[i].digest != arms[j].digest) continue;
      arms[i].status = ArmState::kIdentical;
      arms[i].reason = arms[j].label + " and " + arms[i].label + " are one executable";
    }
  }
}

std::string WhyNoBaseline(const ArmRecord& baseline) {
  const bool failed = ExitOfState(baseline.status, false) == Exit::kNotComparable;
  if (!failed || baseline.status == ArmState::kSetUpFailed) return {};
  return std::string(to_string(baseline.status)) + ": " + baseline.reason;
}

AgentRecord WithoutMeasuring(const std::vector<ArmRecord>& arms, const ArmRecord& agent) {
  AgentRecord record{.label = agent.label};
  const ArmRecord* why = nullptr;
  for (const ArmRecord* arm : {&arms[0], &arms[1], &agent}) {
    if (arm->status == ArmState::kReady) continue;
    if (arm == &arms[0] && !WhyNoBaseline(*arm).empty()) continue;
    const Exit exit = ExitOfState(arm->status, arm == &agent);
    why = arm;
    record.exit = exit;
    break;  // where the references do not work either, the agent is not to blame
  }
  if (why == nullptr) return {};
  record.reason = why->label + ": " + std::string(to_string(why->status)) + ": " + why->reason;
  record.outcome = ParityStatus::kNotComparable;
  if (record.exit == Exit::kFailed) record.outcome = ParityStatus::kFailed;
  if (record.exit == Exit::kInvalid) record.outcome = ParityStatus::kInvalid;
  return record;
}

void MarkMeasured(const AgentRecord& agent, ArmRecord& arm) {
  if (agent.cases.empty()) return;
  arm.status = ArmState::kMeasured;
  if (agent.outcome != ParityStatus::kFailed) return;
  const std::string& why = agent.cases.front().reason;
  arm.reason = why;
  arm.status = ArmState::kCrash;
  if (why.starts_with("timeout")) arm.status = ArmState::kTimeout;
  if (TellsOfMemory(why)) arm.status = ArmState::kOutOfMemory;
  if (why.starts_with("no_output") || why.starts_with("bad_value")) {
    arm.status = ArmState::kNoMetrics;
  }
}

}  // namespace perfgate::study
