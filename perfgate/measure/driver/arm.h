// SPDX-License-Identifier: Apache-2.0
// arm.h: lists and launches an executable by the driver that fits it.
#pragma once

#include <memory>
#include <string>

#include "perfgate/measure/driver/arm_error.h"
#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/listing.h"

namespace perfgate::measure {

// Lists by the worker protocol when the executable speaks it or launch.preload makes it speak, else
// by running it. A preloaded program that cannot be a worker is listed by running it as well, and
// Listing::no_worker says why. `limit_s` bounds the discovery of an unmodified executable, and a
// worker's start and its answer each. Throws ArmError, Error(kNotComparable) for another protocol
// version, and Interrupted.
Listing list_arm(const Executable& executable, const Launch& launch, double limit_s);

// `kind` kWorker needs executable.speaks_protocol or launch.preload (std::logic_error otherwise).
// Faults of the launch are faults of its slices.
std::unique_ptr<Driver> launch_arm(const Executable& executable, DriverKind kind,
                                   const Listing& listing, const Launch& launch);

}  // namespace perfgate::measure
