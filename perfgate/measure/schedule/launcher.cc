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

Launch LaunchOf(const ArmLaunch& arm, const Executable& executable, Folders& folders) {
  Launch launch;
  launch.exec_path = folders.slots.path(arm.arm, arm.slot);
  launch.cpus = arm.cpus;
  launch.nice = arm.nice;
  launch.inspect = arm.purpose == LaunchPurpose::kInspectKernels;
  // An inspected process runs its cases in another way and must leave nothing to measured ones.
  if (!launch.inspect) launch.folder = folders.run.of(executable.digest);
  return launch;
}

}  // namespace

Launcher ProcessLauncher(const std::vector<ArmPlan>& arms) {
  const auto folders = std::make_shared<Folders>(arms);
  Launcher launcher;
  launcher.list = [&arms, folders](int arm, double limit_s) {
    Launch launch;
    launch.exec_path = folders->slots.path(arm, arm);
    return list_arm(arms[Index(arm)].executable, launch, limit_s);
  };
  launcher.start = [&arms, folders](const ArmLaunch& arm) {
    const Executable& executable = arms[Index(arm.arm)].executable;
    return launch_arm(executable, arm.driver, *arm.listing, LaunchOf(arm, executable, *folders));
  };
  return launcher;
}

}  // namespace perfgate::measure
