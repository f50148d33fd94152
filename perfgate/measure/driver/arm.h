// SPDX-License-Identifier: Apache-2.0
// arm.h: lists and launches an executable by the driver that fits it.
#pragma once

#include <memory>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/measure/driver/driver.h"

namespace perfgate::measure {

// An arm that cannot be listed: the kind as in faults. Error(kFailed); whoever knows whose arm it
// is decides what that means (a broken baseline is not the candidate's failure).
class ArmError : public Error {
 public:
  ArmError(FaultKind kind, const std::string& what) : Error(Exit::kFailed, what), kind_(kind) {}
  FaultKind kind() const { return kind_; }

 private:
  FaultKind kind_;
};

// Lists by the worker protocol when the executable speaks it, else by running it. `limit_s` bounds
// the discovery of an unmodified executable, and a worker's start and its answer each. Throws
// ArmError, Error(kNotComparable) for another protocol version, and Interrupted.
Listing list_arm(const Executable& executable, const Launch& launch, double limit_s);

// `kind` kWorker needs executable.speaks_protocol (std::logic_error otherwise). Faults of the
// launch are faults of its slices.
std::unique_ptr<Driver> launch_arm(const Executable& executable, DriverKind kind,
                                   const Listing& listing, const Launch& launch);

}  // namespace perfgate::measure
