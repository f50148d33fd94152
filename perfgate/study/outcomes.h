// SPDX-License-Identifier: Apache-2.0
// outcomes.h: what the states of arms mean for each other, before and after they are measured.
#pragma once

#include <string>
#include <vector>

#include "perfgate/study/records.h"

namespace perfgate::study {

// Two arms that are one executable: the later one says so.
void MarkIdentical(std::vector<ArmRecord>& arms);

// Why agents are compared with the human alone; empty: there is a baseline, or nothing is compared.
// A baseline whose build or tests fail says nothing of the two others.
std::string WhyNoBaseline(const ArmRecord& baseline);

// Why an agent cannot be measured. Without a label: it can.
AgentRecord WithoutMeasuring(const std::vector<ArmRecord>& arms, const ArmRecord& agent);

// An agent that failed while it was measured has the status of its fault.
void MarkMeasured(const AgentRecord& agent, ArmRecord& arm);

}  // namespace perfgate::study
