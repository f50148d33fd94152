// SPDX-License-Identifier: Apache-2.0
// problem_parts.h: what the files that define problems share.
#pragma once

#include <cstdint>
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

// Sums of huge values may leave float32, which their contracts do not cover.
inline const std::vector<Fill> kSumFills = {Fill::kUniform, Fill::kWide,   Fill::kSubnormal,
                                            Fill::kSpecial, Fill::kNanRow, Fill::kOneHot,
                                            Fill::kTies,    Fill::kZero};

// Times u: the error of a sum of n terms relative to the sum of magnitudes.
inline double SumError(std::int64_t n) { return static_cast<double>(n) / 64 + 8; }

// f(first element of the row of i), computed once per row as long as i does not go back.
template <class Shape, class F>
auto PerRow(const Shape& shape, F f) {
  return [cols = shape.cols, f, row = std::int64_t{-1}, value = 0.0](std::int64_t i) mutable {
    if (row != i / cols) {
      row = i / cols;
      value = f(row * cols);
    }
    return value;
  };
}

inline OutputCheck Exact(std::string name, View view) {
  return {std::move(name), view, [](std::int64_t) { return 0.0; }};
}

}  // namespace kernels::testing
