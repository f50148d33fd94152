// SPDX-License-Identifier: Apache-2.0
// fraction.h: "2%", "2 %" and "0.02" are the same tolerance; "2" is none, since it may mean 2 % or
// 200 %.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "perfgate/base/error.h"

namespace perfgate::inline base {

// A number, or a number of per cent; spaces around either part do not matter. Negative fractions
// are read: whether one makes sense is the caller's rule. Throws Error(exit) naming `what` (an
// option or a field), the text and the accepted forms; for a number above 1 without a per cent sign
// both readings.
double parse_fraction(std::string_view text, std::string_view what, Exit exit = Exit::kUsage);

// "5 may mean 5% or 500%: write which"; none for a number that can only be a fraction.
std::optional<std::string> BareNumberProblem(double value);

}  // namespace perfgate::inline base
