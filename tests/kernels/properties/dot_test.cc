// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "kernels/bf16.h"
#include "tests/kernels/properties/everywhere.h"

namespace kernels::testing {
namespace {

TEST(Gemv, ARowDoesNotDependOnItsNeighbours) {
  Everywhere<GemvArgs>([](auto run) {
    constexpr std::int64_t kRows = 9, kCols = 203;
    Arena arena(10, 0);
    const ConstView weight = arena.Input(DType::kBf16, kRows * kCols, Fill::kUniform);
    const ConstView x = arena.Input(DType::kF32, kCols, Fill::kUniform);
    const View all = arena.Output(DType::kF32, kRows), one = arena.Output(DType::kF32, 1);
    run(GemvArgs{{kRows, kCols, DType::kBf16}, weight, x, all});
    for (std::int64_t row = 0; row < kRows; ++row) {
      const ConstView only{static_cast<const Bf16*>(weight.data) + row * kCols, kCols,
                           DType::kBf16};
      run(GemvArgs{{1, kCols, DType::kBf16}, only, x, one});
      ASSERT_EQ(At(one, 0), At(all, row));
    }
  });
}

// Both ways to go through short and long rows, and every remainder of rows and vectors.
TEST(Gemv, AVectorOfSeveralHasTheBitsThatItHasAlone) {
  Everywhere<GemvArgs>([](auto run) {
    for (const std::int64_t cols : {203, 2115}) {
      constexpr std::int64_t kRows = 7;
      for (const std::int64_t vectors : {2, 3, 4, 5, 7}) {
        Arena arena(12, 0);
        const ConstView weight = arena.Input(DType::kBf16, kRows * cols, Fill::kUniform);
        const ConstView x = arena.Input(DType::kF32, vectors * cols, Fill::kUniform);
        const View all = arena.Output(DType::kF32, vectors * kRows);
        const View one = arena.Output(DType::kF32, kRows);
        run(GemvArgs{{kRows, cols, DType::kBf16, vectors}, weight, x, all});
        for (std::int64_t v = 0; v < vectors; ++v) {
          const ConstView only{static_cast<const float*>(x.data) + v * cols,
                               static_cast<std::size_t>(cols), DType::kF32};
          run(GemvArgs{{kRows, cols, DType::kBf16}, weight, only, one});
          for (std::int64_t row = 0; row < kRows; ++row) {
            ASSERT_EQ(At(one, row), At(all, v * kRows + row)) << cols << " " << vectors;
          }
        }
      }
    }
  });
}

TEST(Gemm, ByHand) {
  for (const auto& row : Table<GemmArgs>::rows) {
    const std::vector<float> a = {1, 2, 3, 4, 5, 6};        // 2 x 3
    const std::vector<float> weight = {1, 0, -1, 2, 2, 2};  // 2 x 3
    std::vector<float> c(4, kNan);
    const GemmShape shape{2, 2, 3};
    if (!Unsupported(row, shape).empty()) {
      continue;
    }
    kernels::Run(row, GemmArgs{shape, std::span<const float>(a), std::span<const float>(weight),
                               std::span(c)});
    EXPECT_EQ(c, (std::vector<float>{-2, 12, -2, 30})) << row.impl;
  }
}

TEST(GemvMxfp4, EveryCodeUnderEveryKindOfScale) {
  // OCP MX 1.0, table of FP4 E2M1, and E8M0 scales at both ends.
  const std::vector<double> values = {0,  0.5,  1,  1.5,  2,  3,  4,  6,
                                      -0, -0.5, -1, -1.5, -2, -3, -4, -6};
  const auto inf = static_cast<double>(kInf);
  const std::vector<std::pair<std::uint8_t, double>> scales = {
      {0, 0x1p-127}, {1, 0x1p-126}, {127, 1}, {254, 0x1p127}, {255, static_cast<double>(kNan)}};
  Everywhere<GemvMxfp4Args>([&](auto run) {
    for (std::size_t hot = 0; hot < 32; ++hot) {
      for (const auto& [scale, factor] : scales) {
        for (std::size_t code = 0; code < 16; ++code) {
          // The code alone at `hot`, 1 everywhere else, where x is 0.
          std::vector<std::uint8_t> blocks(16, 0x22), exponents = {scale};
          blocks[hot / 2] = static_cast<std::uint8_t>(hot % 2 == 0 ? 0x20 | code : code << 4 | 2);
          std::vector<float> x(32), y(1);
          x[hot] = 1;
          run(GemvMxfp4Args{.shape = {1, 32},
                            .blocks = {blocks.data(), 16, DType::kU8},
                            .scales = {exponents.data(), 1, DType::kU8},
                            .x = std::span<const float>(x),
                            .y = std::span(y)});
          const double want = values[code] * factor;
          if (std::isnan(want)) {
            EXPECT_TRUE(std::isnan(y[0]));
          } else {
            // 6 x 2^127 leaves float32.
            const double rounded = std::abs(want) < 0x1p128 ? want : std::copysign(inf, want);
            EXPECT_EQ(static_cast<double>(y[0]), rounded) << "code " << code << " at " << hot;
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace kernels::testing
