// SPDX-License-Identifier: Apache-2.0
// duration.h: durations in options and messages; "90s", "1.5 min" and "90" are the same time.
#pragma once

#include <string>
#include <string_view>

#include "perfgate/base/error.h"

namespace perfgate::inline base {

// Seconds. A number and a unit of ns, us, ms, s, min (or m) or h; a plain number is seconds. Throws
// Error(exit) naming `what` (an option or a field), the text and the accepted forms; negative
// durations are refused.
double parse_duration_s(std::string_view text, std::string_view what, Exit exit = Exit::kUsage);

// "0.25 s", "10 s": for messages.
std::string seconds_text(double seconds);

}  // namespace perfgate::inline base
