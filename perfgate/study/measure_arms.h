// SPDX-License-Identifier: Apache-2.0
// measure_arms.h: the one place where arms of a task are measured.
#pragma once

#include <string>
#include <vector>

#include "perfgate/gate/display.h"
#include "perfgate/gate/measuring.h"
#include "perfgate/study/records.h"
#include "perfgate/study/task/task.h"

namespace perfgate::study {

struct AgentExecutable {
  std::string label{};
  std::string path{};
};

struct MeasuredArms {
  std::string baseline{};
  std::string no_baseline{};  // why there is none; empty: there is one
  std::string human{};
  std::vector<AgentExecutable> agents{};
};

// conditions: of every session, whatever the task says.
// One record for each agent, in their order; sessions and verdicts go to the task's folder. Throws
// Interrupted; other errors become the outcome of the agent that they concern.
std::vector<AgentRecord> MeasureArms(const Task& task, const MeasuredArms& arms,
                                     const std::string& task_folder,
                                     const gate::MeasureRequest& conditions,
                                     gate::GateDisplay& display);

// The severity of an exit, worst first; what a study of many tasks exits with is the first.
std::size_t SeverityOfExit(Exit exit);

}  // namespace perfgate::study
