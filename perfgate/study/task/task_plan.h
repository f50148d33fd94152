// SPDX-License-Identifier: Apache-2.0
// task_plan.h: tasks with everything that their names stand for: commits, bytes of patches, arms.
#pragma once

#include <string>
#include <vector>

#include "perfgate/study/records.h"
#include "perfgate/study/task/task.h"

namespace perfgate::study {

// All that an arm is made of.
struct ArmPlan {
  std::string label{};
  std::string folder{};       // below the task's folder; of one length for all arms
  std::string commit{};       // full id; empty: there is none, see `trouble`
  std::string patch{};        // file; empty: the commit as it is
  std::string patch_bytes{};  // digest of the patch
  std::string executable{};   // built already; empty: it is to be built
  std::string inputs{};       // digest of all of it
  // Found out before anything was built: the status and its reason.
  ArmState trouble = ArmState::kReady;
  std::string reason{};
};

struct TaskPlan {
  Task task{};
  std::vector<Input> inputs{};
  std::vector<ArmPlan> arms{};  // baseline, human, agents
};

// Never throws for what a task names: its arms then say what is wrong. scratch: a file that it may
// write and remove.
std::vector<TaskPlan> PlanTasks(const std::vector<Task>& tasks, const std::string& scratch);

}  // namespace perfgate::study
