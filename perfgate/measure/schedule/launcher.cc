// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/launcher.h"

#include <string>

#include "perfgate/base/index.h"
#include "perfgate/measure/driver/arm.h"
#include "perfgate/measure/driver/path_slots.h"
#include "perfgate/measure/driver/run_folder.h"

namespace perfgate::measure {
namespace {

std::vector<std::string> PathsOf(const std::vector<ArmPlan>& arms) {
  std::vector<std::string> paths;
  paths.reserve(arms.size());
  for (const ArmPlan& arm : arms) paths.push_back(arm.executable.path);
  return paths;
}

struct Folders {
  explicit Folders(const std::vector<ArmPlan>& arms) : slots(PathsOf(arms)) {}
  PathSlots slots;
  RunFolder run;
};

const Executable& ExecutableOf(const ArmPlan& plan, int layout) {
  return layout < 0 ? plan.executable : plan.layouts[Index(layout)].executable;
}

Launch LaunchOf(const ArmLaunch& arm, const ArmPlan& plan, Folders& folders) {
  Launch launch;
  launch.exec_path = folders.slots.Point(arm.slot, ExecutableOf(plan, arm.layout).path);
  launch.cpus = arm.cpus;
  launch.nice = arm.nice;
  launch.inspect = arm.purpose == LaunchPurpose::kInspectKernels;
  // An inspected process runs its cases in another way and must leave nothing to measured ones. The
  // layouts of a program make the same data.
  if (!launch.inspect) launch.folder = folders.run.of(plan.executable.digest);
  return launch;
}

}  // namespace

Launcher ProcessLauncher(const std::vector<ArmPlan>& arms) {
  const auto folders = std::make_shared<Folders>(arms);
  Launcher launcher;
  launcher.list = [&arms, folders](int arm, double limit_s) {
    Launch launch;
    const Executable& executable = arms[Index(arm)].executable;
    launch.exec_path = folders->slots.Point(arm, executable.path);
    return list_arm(executable, launch, limit_s);
  };
  launcher.start = [&arms, folders](const ArmLaunch& arm) {
    const ArmPlan& plan = arms[Index(arm.arm)];
    return launch_arm(ExecutableOf(plan, arm.layout), arm.driver, *arm.listing,
                      LaunchOf(arm, plan, *folders));
  };
  return launcher;
}

}  // namespace perfgate::measure
