// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/arm.h"

#include <stdexcept>

#include "perfgate/measure/driver/process/process_driver.h"
#include "perfgate/measure/driver/worker/worker_driver.h"

namespace perfgate::measure {

Listing list_arm(const Executable& executable, const Launch& launch, double limit_s) {
  if (executable.speaks_protocol) {
    WorkerLimits limits;
    limits.hello_s = limits.list_s = limit_s;
    return list_worker(executable, launch, limits);
  }
  return list_processes(executable, launch, limit_s);
}

std::unique_ptr<Driver> launch_arm(const Executable& executable, DriverKind kind,
                                   const Listing& listing, const Launch& launch) {
  if (kind != DriverKind::kWorker) return launch_processes(executable, kind, listing, launch);
  if (!executable.speaks_protocol) {
    throw std::logic_error("launch_arm: " + executable.path + " does not speak the protocol");
  }
  return launch_worker(executable, listing, launch, WorkerLimits{});
}

}  // namespace perfgate::measure
