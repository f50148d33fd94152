// SPDX-License-Identifier: Apache-2.0
// worker_driver.h: an arm that links perfgate::main, driven over the worker protocol.
//
// One process serves all slices of a round. It is blocked in read() whenever it is not asked.
#pragma once

#include <memory>

#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/listing.h"

namespace perfgate::measure {

struct WorkerLimits {
  double hello_s = 60;  // from launch to the hello line; Google Benchmark programs may load models
  double list_s = 60;
  double quit_s = 10;  // from "quit" to the process's end
};

// Starts the worker, lists it and ends it. Throws ArmError (arm.h) for whatever the worker does
// wrong and Error(kNotComparable) naming both versions when it speaks another protocol.
Listing list_worker(const Executable& executable, const Launch& launch, const WorkerLimits& limits);

// Starts the worker and waits until it is ready. What the worker does wrong is the fault of every
// slice asked of it (alive() is false from the start). Case ids of `listing` are mapped by name to
// the ids of this process; a case that it does not have answers kAbsent and leaves it alive.
// Throws Error(kNotComparable) for another protocol version, and Interrupted.
std::unique_ptr<Driver> launch_worker(const Executable& executable, const Listing& listing,
                                      const Launch& launch, const WorkerLimits& limits);

}  // namespace perfgate::measure
