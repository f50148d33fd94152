// SPDX-License-Identifier: Apache-2.0
// results.h: a gate on two files of results: sessions of perfgate or files of other tools.
#pragma once

#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/gate/request.h"

namespace perfgate::gate {

// Never paired, so the most that it says of a slowdown is `suspected`. Error(kUsage) where one of
// the two is no file of results, Error(kInvalid) where they are one file.
SuiteVerdict GateOnResults(const GateRequest& request, const Policy& policy);

}  // namespace perfgate::gate
