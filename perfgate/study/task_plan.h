// SPDX-License-Identifier: Apache-2.0
// task_plan.h: tasks with everything that their names stand for: commits, bytes of patches, arms.
#pragma once

#include <string>
#include <vector>

#include "perfgate/study/prepare_arm.h"
#include "perfgate/study/records.h"
#include "perfgate/study/task_file.h"

namespace perfgate::study {

struct TaskPlan {
  Task task{};
  std::vector<Input> inputs{};
  std::vector<ArmPlan> arms{};  // baseline, human, agents
};

// Never throws for what a task names: its arms then say what is wrong. scratch: a file that it may
// write and remove.
std::vector<TaskPlan> PlanTasks(const std::vector<Task>& tasks, const std::string& scratch);

}  // namespace perfgate::study
