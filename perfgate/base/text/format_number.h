// SPDX-License-Identifier: Apache-2.0
// format_number.h: the shortest text that reads back as the same double.
#pragma once

#include <string>

namespace perfgate::inline base {

// "0.1", "1e-09", "-0.0", "60"; JSON's grammar for every finite number. The sign of -0 is kept by
// a fraction, since "-0" would be read back as the integer 0.
std::string format_number(double value);

}  // namespace perfgate::inline base
