// SPDX-License-Identifier: Apache-2.0
// policy_check.h: whether the values of a policy make sense, wherever they come from.
#pragma once

#include "perfgate/evidence/policy.h"

namespace perfgate::inline evidence {

// Throws Error(kUsage) naming the field, its value and the valid range.
void validate(const Policy& policy);

}  // namespace perfgate::inline evidence
