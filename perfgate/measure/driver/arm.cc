// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/arm.h"

#include <stdexcept>

#include "perfgate/measure/driver/command/command_driver.h"
#include "perfgate/measure/driver/process/process_driver.h"
#include "perfgate/measure/driver/worker/worker_driver.h"

namespace perfgate::measure {

namespace {

Listing ListByProcesses(const Executable& executable, const Launch& launch, double limit_s) {
  Launch plain = launch;
  plain.preload.clear();
  return list_processes(executable, plain, limit_s);
}

}  // namespace

Listing list_arm(const Executable& executable, const Launch& launch, double limit_s) {
  if (launch.command) return ListCommand(launch, limit_s);
  WorkerLimits limits;
  limits.hello_s = limits.list_s = limit_s;
  if (executable.speaks_protocol) return list_worker(executable, launch, limits);
  if (launch.preload.empty()) return ListByProcesses(executable, launch, limit_s);
  try {
    return list_worker(executable, launch, limits);
  } catch (const ArmError& no_worker) {
    try {
      Listing listing = ListByProcesses(executable, launch, limit_s);
      listing.no_worker = no_worker.what();
      return listing;
    } catch (const ArmError& error) {
      throw ArmError(error.kind(), std::string(error.what()) +
                                       "; nor can it be a preloaded worker: " + no_worker.what());
    }
  }
}

std::unique_ptr<Driver> launch_arm(const Executable& executable, DriverKind kind,
                                   const Listing& listing, const Launch& launch) {
  if (kind == DriverKind::kCommand) return LaunchCommand(launch);
  if (kind != DriverKind::kWorker) return launch_processes(executable, kind, listing, launch);
  if (!executable.speaks_protocol && launch.preload.empty()) {
    throw std::logic_error("launch_arm: " + executable.path + " does not speak the protocol");
  }
  return launch_worker(executable, listing, launch, WorkerLimits{});
}

}  // namespace perfgate::measure
