// SPDX-License-Identifier: Apache-2.0
// gate_command.h: the command line that measures and judges a suite as a verdict says it was done.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

// "perfgate gate --baseline old/bench --candidate new/bench --filter sort --seed 6cd3..."; every
// option whose value is not the default, and the seed of the schedule. Paths as they were recorded.
// Empty where two executables or command lines were not measured.
std::string GateCommandOf(const SuiteVerdict& verdict);

}  // namespace perfgate::report
