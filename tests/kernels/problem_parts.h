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

// Numbers of elements, and of columns, around the widths of vectors and blocks.
inline const std::vector<std::int64_t> kCols = {1, 7, 15, 16, 17, 63, 64, 65, 136, 257, 1024};

template <class Shape>
std::vector<Shape> RowShapes() {
  std::vector<Shape> shapes;
  for (const std::int64_t cols : kCols) {
    Shape shape{};
    shape.rows = cols < 100 ? 3 : 2;
    shape.cols = cols;
    shapes.push_back(shape);
  }
  shapes.emplace_back();
  shapes.back().cols = 5;
  return shapes;
}

template <class Shape>
std::vector<Shape> CountShapes() {
  std::vector<Shape> shapes(1);
  for (const std::int64_t count : kCols) {
    shapes.emplace_back();
    shapes.back().count = count;
  }
  return shapes;
}

template <class Shape>
std::vector<Shape> LargeCountShapes() {
  std::vector<Shape> shapes;
  for (const std::int64_t count : {4095, 4096, 70001, 1048576, 5000000}) {
    shapes.emplace_back();
    shapes.back().count = count;
  }
  return shapes;
}

// Few rows and many; within a warp, a block, a cluster of 2 and of 8, and beyond.
template <class Shape>
std::vector<Shape> LargeRowShapes() {
  constexpr struct {
    std::int64_t rows, cols;
  } kSizes[] = {{1000, 64},  {700, 257},  {600, 1024},  {300, 4096}, {5, 2048},
                {3, 4097},   {2, 8192},   {300, 5120},  {280, 8200}, {1, 16384},
                {270, 9001}, {2, 32768},  {265, 20000}, {2, 65536},  {2, 65537},
                {1, 100000}, {2, 262144}, {1, 300008},  {1, 600000}};
  std::vector<Shape> shapes;
  for (const auto& size : kSizes) {
    shapes.emplace_back();
    shapes.back().rows = size.rows;
    shapes.back().cols = size.cols;
  }
  return shapes;
}

inline OutputCheck Exact(std::string name, View view) {
  return {std::move(name), view, [](std::int64_t) { return 0.0; }};
}

}  // namespace kernels::testing
