// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <span>
#include <vector>

#include "tests/kernels/properties/everywhere.h"

namespace kernels::testing {
namespace {

// Row-major table of position times 10000^(-pair / half).
double Angle(std::int64_t i, std::int64_t half) {
  const auto pair = static_cast<double>(i % half), position = static_cast<double>(i - i % half);
  return position / static_cast<double>(half) *
         std::pow(10000.0, -pair / static_cast<double>(half));
}

TEST(Softmax, RowsSumToOneAndShiftsDoNotMatter) {
  Everywhere<SoftmaxArgs>([](auto run) {
    for (const std::int64_t cols : {1, 7, 257, 4096}) {
      Arena arena(3, 0);
      ConstView x = arena.Input(DType::kF32, cols, Fill::kUniform);
      const View y = arena.Output(DType::kF32, cols);
      run(SoftmaxArgs{{1, cols, DType::kF32}, x, y});
      double sum = 0;
      for (std::int64_t i = 0; i < cols; ++i) {
        sum += At(y, i);
      }
      EXPECT_NEAR(sum, 1.0, 1e-4);

      // Multiples of 2^-10 plus 512 are exact in float32, so the results must be equal, not near.
      const View rounded = arena.Output(DType::kF32, cols),
                 shifted = arena.Output(DType::kF32, cols);
      const View y0 = arena.Output(DType::kF32, cols), y1 = arena.Output(DType::kF32, cols);
      for (std::int64_t i = 0; i < cols; ++i) {
        const double value = std::round(At(x, i) * 1024) / 1024;
        Put(rounded, i, value);
        Put(shifted, i, value + 512);
      }
      run(SoftmaxArgs{{1, cols, DType::kF32}, rounded, y0});
      run(SoftmaxArgs{{1, cols, DType::kF32}, shifted, y1});
      for (std::int64_t i = 0; i < cols; ++i) {
        ASSERT_EQ(At(y0, i), At(y1, i));
      }
    }
  });
}

TEST(Softmax, InfinitiesAndMasks) {
  Everywhere<SoftmaxArgs>([](auto run) {
    std::vector<float> masked = {-kInf, 0, -kInf, 0}, y(4);
    run(SoftmaxArgs{{1, 4, DType::kF32}, std::span<const float>(masked), std::span(y)});
    EXPECT_EQ(y, (std::vector<float>{0, 0.5F, 0, 0.5F}));
    for (const float bad : {kNan, kInf}) {
      masked[3] = bad;
      run(SoftmaxArgs{{1, 4, DType::kF32}, std::span<const float>(masked), std::span(y)});
      EXPECT_TRUE(std::isnan(y[1]) || bad == kInf);
      EXPECT_TRUE(std::isnan(y[3]));
    }
    std::vector<float> nothing(5, -kInf);
    y.assign(5, 0);
    run(SoftmaxArgs{{1, 5, DType::kF32}, std::span<const float>(nothing), std::span(y)});
    EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[4]));
  });
}

TEST(RmsNorm, ByHandAndAtTheEndsOfTheRange) {
  Everywhere<RmsNormArgs>([](auto run) {
    // mean of squares (9 + 16) / 2 = 12.5
    std::vector<float> x = {3, -4}, weight = {1, 10}, y(2);
    run(RmsNormArgs{{1, 2, DType::kF32},
                    1e-30F,
                    std::span<const float>(x),
                    std::span<const float>(weight),
                    std::span(y)});
    EXPECT_NEAR(y[0], 3 / std::sqrt(12.5), 1e-6);
    EXPECT_NEAR(y[1], -40 / std::sqrt(12.5), 1e-5);
    // Squares that leave float32 at either end, beside the least eps.
    for (const float scale : {0x1p-140F, 0x1p-65F, 0x1p-62F, 0x1p-30F, 0x1p63F, 0x1p120F}) {
      std::vector<float> scaled = {3 * scale, -4 * scale}, z(2);
      run(RmsNormArgs{{1, 2, DType::kF32},
                      0x1p-126F,
                      std::span<const float>(scaled),
                      std::span<const float>(weight),
                      std::span(z)});
      const auto s = static_cast<double>(scale);
      const double rms = std::sqrt(12.5 * s * s + 0x1p-126);
      EXPECT_NEAR(z[0], 3 * s / rms, 1e-6) << scale;
      EXPECT_NEAR(z[1], -40 * s / rms, 1e-5) << scale;
    }
  });
}

TEST(RmsNorm, InPlaceGivesTheSameBits) {
  Everywhere<RmsNormArgs>([](auto run) {
    for (const DType dtype : {DType::kF32, DType::kBf16}) {
      Arena arena(5, 0), again(5, 0);
      constexpr std::int64_t kRows = 3, kCols = 137, kAll = kRows * kCols;
      const RmsNormShape shape{kRows, kCols, dtype};
      const auto make = [&](Arena& a, bool in_place) {
        const ConstView x = a.Input(dtype, kAll, Fill::kUniform);
        const ConstView w = a.Input(dtype, kCols, Fill::kUniform);
        const View y =
            in_place ? View{const_cast<void*>(x.data), x.count, dtype} : a.Output(dtype, kAll);
        run(RmsNormArgs{shape, 1e-5F, x, w, y});
        return y;
      };
      const View apart = make(arena, false), in_place = make(again, true);
      for (std::int64_t i = 0; i < kAll; ++i) {
        ASSERT_EQ(At(apart, i), At(in_place, i));
      }
    }
  });
}

TEST(ResidualRmsNorm, HasTheBitsOfItsParts) {
  Everywhere<ResidualRmsNormArgs>([](auto run) {
    for (const DType dtype : {DType::kF32, DType::kBf16}) {
      for (const std::int64_t cols : {1, 100, 257}) {
        Arena arena(6, 1);
        const auto shape = ResidualRmsNormShape{{2, cols, dtype}};
        const ResidualRmsNormArgs args{.shape = shape,
                                       .x = arena.Input(dtype, 2 * cols, Fill::kUniform),
                                       .residual = arena.Input(dtype, 2 * cols, Fill::kUniform),
                                       .weight = arena.Input(dtype, cols, Fill::kUniform),
                                       .sum = arena.Output(dtype, 2 * cols),
                                       .y = arena.Output(dtype, 2 * cols)};
        run(args);
        const View y = arena.Output(dtype, 2 * cols);
        // One of the norms is of this implementation's class.
        bool found = false;
        for (const auto& row : Table<RmsNormArgs>::rows) {
          kernels::Run(row, RmsNormArgs{shape, args.eps, args.sum, args.weight, y});
          std::int64_t equal = 0;
          for (std::int64_t i = 0; i < 2 * cols; ++i) {
            equal += At(y, i) == At(args.y, i);
          }
          found = found || equal == 2 * cols;
        }
        EXPECT_TRUE(found) << "no rmsnorm gives these bits";
      }
    }
  });
}

TEST(Rope, KeepsThePairNormAndPositionZeroIsTheIdentity) {
  Everywhere<RopeArgs>([](auto run) {
    constexpr std::int64_t kDim = 34, kHalf = 17, kHeads = 3;
    std::vector<float> cos(200 * kHalf), sin(200 * kHalf);
    for (std::size_t i = 0; i < cos.size(); ++i) {
      const double angle = Angle(static_cast<std::int64_t>(i), kHalf);
      cos[i] = static_cast<float>(std::cos(angle));
      sin[i] = static_cast<float>(std::sin(angle));
    }
    Arena arena(8, 0);
    const ConstView x = arena.Input(DType::kF32, 2 * kHeads * kDim, Fill::kUniform);
    const View y = arena.Output(DType::kF32, 2 * kHeads * kDim);
    const std::vector<std::int32_t> positions = {0, 173};
    run(RopeArgs{{2, kHeads, kDim, DType::kF32},
                 x,
                 std::span<const float>(cos),
                 std::span<const float>(sin),
                 positions,
                 y});
    for (std::int64_t i = 0; i < kHeads * kDim; ++i) {
      ASSERT_EQ(At(y, i), At(x, i));
    }
    for (std::int64_t head = kHeads; head < 2 * kHeads; ++head) {
      for (std::int64_t i = 0; i < kHalf; ++i) {
        const std::int64_t at = head * kDim + i;
        const double before = std::hypot(At(x, at), At(x, at + kHalf));
        // cos and sin carry u each, the products and sums 2 u.
        ASSERT_NEAR(std::hypot(At(y, at), At(y, at + kHalf)), before, 4 * 0x1p-24 * before);
        // Not vacuous: the pair did turn.
        if (i < 4) {
          ASSERT_GT(std::abs(At(y, at) - At(x, at)), 1e-3 * before);
        }
      }
    }
  });
}

TEST(SiluMul, ByHand) {
  Everywhere<SiluMulArgs>([](auto run) {
    const std::vector<float> gate = {0, 1, -1, 100, -100, kInf}, up = {5, 2, 2, 3, 1, 1};
    std::vector<float> y(6);
    run(SiluMulArgs{{1, 6, DType::kF32},
                    std::span<const float>(gate),
                    std::span<const float>(up),
                    std::span(y)});
    EXPECT_EQ(y[0], 0.0F);
    EXPECT_NEAR(y[1], 2 * 0.7310585786, 3e-7);
    EXPECT_NEAR(y[2], -2 * 0.2689414214, 2e-7);
    EXPECT_EQ(y[3], 300.0F);
    EXPECT_NEAR(y[4], -3.720076e-42, 108 * 0x1p-149);
    EXPECT_EQ(y[5], kInf);
  });
}

}  // namespace
}  // namespace kernels::testing
