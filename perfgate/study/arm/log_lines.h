// SPDX-License-Identifier: Apache-2.0
// log_lines.h: the lines of a log that say why something failed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfgate::study {

struct LogLine {
  int line = 0;        // counted from 1
  std::string kind{};  // "undefined_reference", "out_of_memory", ...; "last": the log's last lines
  std::string text{};  // cut where it is long

  bool operator==(const LogLine&) const = default;
};

inline constexpr std::size_t kMostLogLines = 5;

// The kind of a line; empty: it tells nothing.
std::string_view KindOfLine(std::string_view line);

// At most kMostLogLines lines, in their order: at most two of each kind, causes before what follows
// from them. Where no line is of a known kind, the last three.
std::vector<LogLine> TellingLines(std::string_view log);

bool HasKind(const std::vector<LogLine>& lines, std::string_view kind);

}  // namespace perfgate::study
