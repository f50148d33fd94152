// SPDX-License-Identifier: Apache-2.0
// exit_meaning.h: what an exit code says, in a clause for people.
#pragma once

#include <string_view>

#include "perfgate/base/error.h"

namespace perfgate::report {

// "regression: a gated case is slower than its tolerance allows"
std::string_view exit_meaning(Exit exit);

}  // namespace perfgate::report
