// SPDX-License-Identifier: Apache-2.0
// run_perfgate.h: the executable of this build, as somebody who types it sees it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/perfgate/cli/run_command.h"

namespace perfgate::testing_command {

inline Finished run_perfgate(std::vector<std::string> arguments) {
  return run_program(PERFGATE_EXE, std::move(arguments));
}

}  // namespace perfgate::testing_command
