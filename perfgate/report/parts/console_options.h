// SPDX-License-Identifier: Apache-2.0
// console_options.h: what a console report is asked for beside its content.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "perfgate/report/text/text.h"

namespace perfgate::report {

struct ConsoleOptions {
  // ANSI colours on verdict words; in the report of a session on what weakens the evidence.
  bool color = false;
  // Columns of the terminal; 0: no terminal. Tables are then as wide as a log may be.
  std::size_t width = 0;
  bool all = false;      // a line for every case, also for those that passed
  bool verbose = false;  // and everything that the verdict rests on

  // Sentences of more than 120 columns are hard to read.
  std::size_t ProseWidth() const {
    return width == 0 ? kConsoleWidth : std::clamp(width, kNarrowest, kWideTable);
  }
  std::size_t TableWidth() const { return width == 0 ? kLogTable : std::max(width, kNarrowest); }

  static constexpr std::size_t kNarrowest = 20;
  static constexpr std::size_t kLogTable = 160;
};

inline constexpr std::string_view kRed = "\x1b[31m";
inline constexpr std::string_view kGreen = "\x1b[32m";
inline constexpr std::string_view kYellow = "\x1b[33m";
inline constexpr std::string_view kBold = "\x1b[1m";
inline constexpr std::string_view kColorOff = "\x1b[0m";

}  // namespace perfgate::report
