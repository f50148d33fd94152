// SPDX-License-Identifier: Apache-2.0
// matrix.h: a small row-major matrix of doubles, rounds (or sessions) x columns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace perfgate::stats {

// data: [rows * cols], element (r, c) at data[r * cols + c].
struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> data;

  Matrix() = default;
  Matrix(std::size_t rows_in, std::size_t cols_in)
      : rows(rows_in), cols(cols_in), data(rows_in * cols_in, 0.0) {}

  double& operator()(std::size_t r, std::size_t c) { return data[r * cols + c]; }
  double operator()(std::size_t r, std::size_t c) const { return data[r * cols + c]; }

  std::span<const double> row(std::size_t r) const {
    return std::span<const double>(data).subspan(r * cols, cols);
  }
  std::vector<double> column(std::size_t c) const {
    std::vector<double> values(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      values[r] = (*this)(r, c);
    }
    return values;
  }
};

}  // namespace perfgate::stats
