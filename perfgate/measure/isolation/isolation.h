// SPDX-License-Identifier: Apache-2.0
// isolation.h: isolates the launches of a measurement, and says what level that is.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "perfgate/evidence/trust.h"
#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/isolation/abilities.h"
#include "perfgate/measure/isolation/isolation_request.h"
#include "perfgate/measure/isolation/private_copies.h"
#include "perfgate/measure/plan.h"

namespace perfgate::measure {

// kBest takes what the machine has; kRequire refuses to run with less than all of it.
class Isolation {
 public:
  // Error(kData) with kRequire where something is lacking, and for a path to read that is not
  // there.
  Isolation(const Abilities& abilities, const IsolationRequest& request);

  // What is reached.
  const TrustRecord& record() const { return record_; }

  // Makes `launch` start `executable`, the arm's own or a layout of it, inside a sandbox of its own
  // and under the path that it has there. Error as PrivateCopies::Of.
  void Isolate(const std::vector<ArmPlan>& arms, std::size_t arm, const Executable& executable,
               Launch& launch) const;

 private:
  Abilities abilities_;
  IsolationRequest request_;
  TrustRecord record_;
  std::shared_ptr<PrivateCopies> copies_;
};

// Makes a launch of an arm of the plan isolated where the plan's arms are.
void IsolateLaunch(const MeasurePlan& plan, std::size_t arm, const Executable& executable,
                   Launch& launch);

}  // namespace perfgate::measure
