// SPDX-License-Identifier: Apache-2.0
// executables.h: the executable of a commit: kept, found, or built.
#pragma once

#include <string>

#include "perfgate/evidence/bisect/bisect.h"
#include "perfgate/gate/bisect/request.h"
#include "perfgate/gate/display.h"

namespace perfgate::gate {

struct BuiltExecutable {
  std::string path;  // empty: there is none
  std::string digest;
  std::string trouble;  // why there is none
};

// In this order: the executable that the bisection has built of the commit before, the prebuilt
// one, a build in the checkout. Digests of kept ones are computed again. Throws Interrupted.
BuiltExecutable ExecutableOf(const BisectRequest& request, const BisectCommit& commit,
                             GateDisplay& display);

// Removes the checkout; what was kept of it stays.
void RemoveCheckout(const BisectRequest& request);

}  // namespace perfgate::gate
