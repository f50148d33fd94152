// SPDX-License-Identifier: Apache-2.0
// fraction.h: "2%", "2 %" and "0.02" are the same tolerance.
#pragma once

#include <string_view>

#include "perfgate/base/error.h"

namespace perfgate::inline base {

// A number, or a number of per cent; spaces around either part do not matter. Negative fractions
// are read: whether one makes sense is the caller's rule. Throws Error(exit) naming `what` (an
// option or a field), the text and the accepted forms.
double parse_fraction(std::string_view text, std::string_view what, Exit exit = Exit::kUsage);

}  // namespace perfgate::inline base
