// SPDX-License-Identifier: Apache-2.0
// prepare_arm.h: from a commit and a patch to an executable that was built, tested and tried.
#pragma once

#include <string>

#include "perfgate/study/box.h"
#include "perfgate/study/records.h"
#include "perfgate/study/task_file.h"

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

// The record of the arm, after the steps that it takes; also written to its folder. An earlier
// record of the same inputs is taken where its executable still lies there. Never throws for what
// the arm does; Error for the machine's own faults becomes kSetUpFailed.
ArmRecord PrepareArm(const Task& task, const ArmPlan& plan, const std::string& task_folder,
                     const Boxes& boxes);

// The executable of a record.
std::string ExecutableOf(const ArmRecord& arm, const std::string& task_folder);

}  // namespace perfgate::study
