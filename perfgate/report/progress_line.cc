// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/progress_line.h"

#include <algorithm>
#include <cmath>

#include "perfgate/report/format.h"

namespace perfgate::report {

std::string progress_line(const ProgressState& state, std::size_t width) {
  std::vector<std::string> parts = {"round " + std::to_string(state.rounds_done)};
  if (!state.looks.empty()) parts[0] += "/" + std::to_string(state.looks.back());
  parts.push_back(", " + std::to_string(state.open) + " open");
  if (state.failed > 0) parts.push_back(", " + std::to_string(state.failed) + " failed");
  parts.push_back(", " + std::to_string(state.passed) + " passed");
  if (std::isfinite(state.left_s) && state.left_s >= 0) {
    const bool long_wait = state.left_s >= 600;
    parts.push_back(", " +
                    std::to_string(std::lround(long_wait ? state.left_s / 60 : state.left_s)) +
                    (long_wait ? " min left" : " s left"));
  }
  const auto next = std::upper_bound(state.looks.begin(), state.looks.end(), state.rounds_done);
  if (next != state.looks.end()) parts.push_back(", next look at " + std::to_string(*next));
  std::string line;
  for (const std::string& part : parts) {
    if (line.size() + part.size() > width) break;
    line += part;
  }
  return line;
}

}  // namespace perfgate::report
