// SPDX-License-Identifier: Apache-2.0
// run.h: executables measured side by side; nothing is decided.
#pragma once

#include <string>
#include <vector>

#include "perfgate/gate/measuring.h"

namespace perfgate::gate {

struct RunRequest {
  std::vector<std::string> executables;  // at most 5
  MeasureRequest measure;                // 10 rounds unless the policy names them
};

// Arms are called by their file names. Errors as RunGate.
Session RunArms(const RunRequest& request, GateDisplay& display);

}  // namespace perfgate::gate
