// SPDX-License-Identifier: Apache-2.0
// golden_report.h: what holds for the text of every report.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "perfgate/report/parts/console_options.h"
#include "tests/perfgate/evidence/golden_file.h"

namespace perfgate::report {

inline void expect_golden(const std::string& name, const std::string& text) {
  sample::expect_golden("tests/perfgate/report/golden/" + name, text);
}

// No line is wider than a table may be, but for names of cases, which are never cut and then stand
// alone.
inline void expect_fits(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.size() <= ConsoleOptions().TableWidth() || line.find("  ") == line.npos)
        << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
  }
}

}  // namespace perfgate::report
