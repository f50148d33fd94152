// SPDX-License-Identifier: Apache-2.0
// prepare_arm.h: from a commit and a patch to an executable that was built, tested and tried.
#pragma once

#include <string>

#include "perfgate/study/arm/box.h"
#include "perfgate/study/records.h"
#include "perfgate/study/task/task_plan.h"

namespace perfgate::study {

// The record of the arm, after the steps that it takes; also written to its folder. An earlier
// record of the same inputs is taken where its executable still lies there. Never throws for what
// the arm does; Error for the machine's own faults becomes kSetUpFailed.
ArmRecord PrepareArm(const Task& task, const ArmPlan& plan, const std::string& task_folder,
                     const Boxes& boxes);

// The executable of a record.
std::string ExecutableOf(const ArmRecord& arm, const std::string& task_folder);

}  // namespace perfgate::study
