// SPDX-License-Identifier: Apache-2.0
// progress_line.h: one line of a running measurement.
#pragma once

#include <string>
#include <vector>

namespace perfgate::report {

struct ProgressState {
  int rounds_done = 0;
  std::vector<int> looks;  // rounds at which decisions are taken, rising; may be empty
  int open = 0;            // cases that need more rounds
  int passed = 0;
  int failed = 0;
  double left_s = -1;  // of the budget; negative: not known
};

// "round 7/40, 3 open, 1 failed, 12 passed, 43 s left, next look at 10", without a newline and at
// most `width` columns: facts are left out from the end where it is narrow.
std::string progress_line(const ProgressState& state, std::size_t width = 80);

}  // namespace perfgate::report
