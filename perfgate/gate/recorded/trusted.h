// SPDX-License-Identifier: Apache-2.0
// trusted.h: what a run that takes its policy from a trusted revision may change: nothing that lets
// a larger slowdown pass.
#pragma once

#include "perfgate/evidence/policy.h"
#include "perfgate/gate/policy_request.h"
#include "perfgate/gate/request.h"

namespace perfgate::gate {

// Error(kUsage) naming the option. What a field of the policy may become stands beside the field,
// in evidence/files/policy_fields.h; a field without such a rule does not compile here.
void RequireTighter(const Policy& trusted, const Policy& asked, const GateRequest& request);

}  // namespace perfgate::gate
