// SPDX-License-Identifier: Apache-2.0
// recorded.h: sessions that somebody recorded, taken together.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::calibration {

// One session with the rounds of all. Error(kData) where a file is no session of two arms, or is of
// other executables or cases than the first.
Session joined(const std::vector<std::string>& files);

}  // namespace perfgate::calibration
