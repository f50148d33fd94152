// SPDX-License-Identifier: Apache-2.0
// console_options.h: what a console report is asked for beside its content.
#pragma once

#include <string_view>

namespace perfgate::report {

struct ConsoleOptions {
  // ANSI colours on verdict words; in the report of a session on what weakens the evidence.
  bool color = false;
};

inline constexpr std::string_view kRed = "\x1b[31m";
inline constexpr std::string_view kGreen = "\x1b[32m";
inline constexpr std::string_view kYellow = "\x1b[33m";
inline constexpr std::string_view kBold = "\x1b[1m";
inline constexpr std::string_view kColorOff = "\x1b[0m";

}  // namespace perfgate::report
