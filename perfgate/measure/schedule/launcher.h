// SPDX-License-Identifier: Apache-2.0
// launcher.h: the only way from a schedule to an arm: what it offers, and one launch of it.
//
// Schedules know arms as numbers and drivers as an interface. Executables, paths of equal length
// and the folder of the run are the launcher's. A test gives two functions instead, and no process
// is started.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/listing.h"
#include "perfgate/measure/plan.h"

namespace perfgate::measure {

enum class LaunchPurpose { kMeasure, kInspectKernels };

struct ArmLaunch {
  int arm = 0;
  int slot = 0;  // of path_slots.h
  DriverKind driver = DriverKind::kWorker;
  const Listing* listing = nullptr;  // the arm's own
  std::vector<int> cpus{};           // none: not pinned
  int nice = 0;
  int layout = -1;  // index into ArmPlan::layouts; -1: the arm's executable
  LaunchPurpose purpose = LaunchPurpose::kMeasure;
};

// kBest: by the worker protocol wherever the arm can be made to speak it.
enum class ListBy { kBest, kProcesses };

struct Launcher {
  // kProcesses makes no difference to an arm that links perfgate::main. Throws as list_arm() in
  // driver/arm.h.
  std::function<Listing(int arm, double limit_s, ListBy by)> list;
  // Throws Error where the arm cannot be launched at all; other faults are those of its slices.
  std::function<std::unique_ptr<Driver>(const ArmLaunch& launch)> start;
  // Called when all is measured: Error(kInvalid) where an executable is no longer what was listed.
  std::function<void()> require_unchanged{};
};

// Starts the plan's executables as processes. It makes the private folders that they are started
// through, which live as long as a copy of the result does. `plan` must live as long.
// counted: what is counted beside the time, of what this machine can count (counters/countable.h).
Launcher ProcessLauncher(const MeasurePlan& plan, const std::vector<std::string>& counted = {});

}  // namespace perfgate::measure
