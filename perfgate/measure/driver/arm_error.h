// SPDX-License-Identifier: Apache-2.0
// arm_error.h: an arm that cannot be listed.
#pragma once

#include <string>

#include "perfgate/base/error.h"
#include "perfgate/evidence/session.h"

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

}  // namespace perfgate::measure
