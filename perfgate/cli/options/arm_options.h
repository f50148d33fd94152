// SPDX-License-Identifier: Apache-2.0
// arm_options.h: options that say how the arms of a gate differ beside their executables.
#pragma once

#include <CLI/CLI.hpp>

#include "perfgate/gate/request.h"

namespace perfgate::cli {

// --baseline-args, --candidate-env, --baseline-filter, ..., --expect-different
void AddArmOptions(CLI::App& app, gate::GateRequest& request);

}  // namespace perfgate::cli
