// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/launcher.h"

#include <string>

#include "perfgate/base/index.h"
#include "perfgate/measure/counters/counting_driver.h"
#include "perfgate/measure/driver/arm.h"
#include "perfgate/measure/driver/path_slots.h"
#include "perfgate/measure/driver/preload.h"
#include "perfgate/measure/driver/run_folder.h"
#include "perfgate/measure/identity/unchanged.h"
#include "perfgate/measure/isolation/isolation.h"

namespace perfgate::measure {
namespace {

std::vector<std::string> PathsOf(const std::vector<ArmPlan>& arms) {
  std::vector<std::string> paths;
  paths.reserve(arms.size());
  for (const ArmPlan& arm : arms) {
    // Nothing is started from the place of an arm that is absent.
    paths.push_back(arm.absent.empty() ? arm.executable.path : "/nowhere");
  }
  return paths;
}

struct Folders {
  explicit Folders(const std::vector<ArmPlan>& arms) : slots(PathsOf(arms)) {}
  PathSlots slots;
  RunFolder run;
  UnchangedFiles unchanged;
};

std::vector<Preloading> PreloadingsOf(const MeasurePlan& plan) {
  std::vector<Preloading> preloadings;
  preloadings.reserve(plan.arms.size());
  for (const ArmPlan& arm : plan.arms) {
    preloadings.push_back(PreloadingOf(arm.executable, plan.worker_shim));
  }
  return preloadings;
}

const Executable& ExecutableOf(const ArmPlan& plan, int layout) {
  return layout < 0 ? plan.executable : plan.layouts[Index(layout)].executable;
}

Launch LaunchOf(const ArmLaunch& arm, const MeasurePlan& measured, Folders& folders) {
  const ArmPlan& plan = measured.arms[Index(arm.arm)];
  Launch launch;
  launch.command = plan.command;
  if (!plan.command) {
    launch.exec_path = folders.slots.Point(arm.slot, ExecutableOf(plan, arm.layout).path);
  }
  launch.arguments = plan.arguments;
  launch.variables = plan.environment;
  launch.cpus = arm.cpus;
  launch.nice = arm.nice;
  launch.memory_bytes = measured.memory_bytes;
  launch.inspect = arm.purpose == LaunchPurpose::kInspectKernels;
  // An inspected process runs its cases in another way and must leave nothing to measured ones. The
  // layouts of a program make the same data.
  if (!launch.inspect) launch.folder = folders.run.of(plan.executable.digest);
  if (!plan.command) {
    IsolateLaunch(measured, Index(arm.arm), ExecutableOf(plan, arm.layout), launch);
  }
  return launch;
}

}  // namespace

Launcher ProcessLauncher(const MeasurePlan& plan, const std::vector<std::string>& counted) {
  const auto folders = std::make_shared<Folders>(plan.arms);
  const auto preloadings = std::make_shared<const std::vector<Preloading>>(PreloadingsOf(plan));
  Launcher launcher;
  launcher.list = [&plan, folders, preloadings](int arm, double limit_s, ListBy by) {
    const Preloading& preloading = (*preloadings)[Index(arm)];
    Launch launch;
    launch.arguments = plan.arms[Index(arm)].arguments;
    launch.variables = plan.arms[Index(arm)].environment;
    const Executable& executable = plan.arms[Index(arm)].executable;
    launch.command = plan.arms[Index(arm)].command;
    launch.memory_bytes = plan.memory_bytes;
    if (launch.command) return list_arm(executable, launch, limit_s);
    launch.exec_path = folders->slots.Point(arm, executable.path);
    IsolateLaunch(plan, Index(arm), executable, launch);
    if (preloading.possible && by == ListBy::kBest) launch.preload = plan.worker_shim;
    Listing listing = list_arm(executable, launch, limit_s);
    if (!preloading.why_not.empty()) listing.no_worker = preloading.why_not;
    // Old releases do not write their version into their results.
    const std::string& library = executable.benchmark_library;
    if (listing.library.empty() && !library.empty()) listing.library = LibraryVersion(library);
    return listing;
  };
  launcher.start = [&plan, folders, preloadings, counted](const ArmLaunch& arm) {
    const ArmPlan& arm_plan = plan.arms[Index(arm.arm)];
    if (!plan.isolation && !arm_plan.command) {
      folders->unchanged.Require(ExecutableOf(arm_plan, arm.layout));
    }
    Launch launch = LaunchOf(arm, plan, *folders);
    const bool preloaded =
        arm.driver == DriverKind::kWorker && (*preloadings)[Index(arm.arm)].possible;
    if (preloaded) launch.preload = plan.worker_shim;
    launch.count = counted;
    return WithCounts(
        launch_arm(ExecutableOf(arm_plan, arm.layout), arm.driver, *arm.listing, launch), counted);
  };
  launcher.require_unchanged = [&plan, folders] {
    if (plan.isolation) return;
    for (const ArmPlan& arm : plan.arms) {
      if (!arm.command && arm.absent.empty()) folders->unchanged.Require(arm.executable);
    }
  };
  return launcher;
}

}  // namespace perfgate::measure
