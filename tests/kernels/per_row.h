// SPDX-License-Identifier: Apache-2.0
// per_row.h: one GoogleTest test for each implementation of each op, named after both, so that one
// run shows every implementation that is wrong.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "kernels/case_name.h"
#include "tests/kernels/arena.h"

namespace kernels::testing {

inline constexpr std::array kAllDTypes = {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3,
                                          DType::kU8};

class RowTestBody final : public ::testing::Test {
 public:
  explicit RowTestBody(std::function<void()> body) : body_(std::move(body)) {}

 private:
  void TestBody() override { body_(); }

  std::function<void()> body_;
};

// Registers SUITE.OP_IMPL of the source file that calls.
template <class Args>
void RegisterTestOf(const char* suite, const Row<Args>& row, const char* file, int line,
                    std::function<void()> body) {
  const std::string name = std::string(Table<Args>::op) + "_" + std::string(row.impl);
  ::testing::RegisterTest(
      suite, name.c_str(), nullptr, nullptr, file, line,
      [body = std::move(body)]() -> ::testing::Test* { return new RowTestBody(body); });
}

// What a failure names.
template <class Args>
std::string Trace(const Row<Args>& row, const typename Args::Shape& shape, Fill fill,
                  std::size_t offset) {
  return CaseName(row, shape) + " fill " + std::to_string(static_cast<int>(fill)) + " offset " +
         std::to_string(offset);
}

template <class Args>
void PrintRuns(const Row<Args>& row, int runs, double relative_l2) {
  std::printf("%-18s %-10s %6d runs, relative L2 %.1e\n", Table<Args>::op.data(), row.impl.data(),
              runs, relative_l2);
}

}  // namespace kernels::testing
