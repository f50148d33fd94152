// SPDX-License-Identifier: Apache-2.0
// problem_parts.h: what the files that define problems share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/kernels/problem.h"

namespace kernels::testing {

inline constexpr double kUnit = 0x1p-24;
inline constexpr double kTiny = 0x1p-149;

inline const std::vector<Fill> kAllFills = {Fill::kUniform,   Fill::kWide,    Fill::kHuge,
                                            Fill::kSubnormal, Fill::kSpecial, Fill::kNanRow,
                                            Fill::kOneHot,    Fill::kTies,    Fill::kZero};

inline OutputCheck Exact(std::string name, View view) {
  return {std::move(name), view, [](std::int64_t) { return 0.0; }};
}

}  // namespace kernels::testing
