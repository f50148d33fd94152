// SPDX-License-Identifier: Apache-2.0
// Laws that an op must obey whatever its reference says, for every implementation and level, and a
// few answers worked out by hand for the references themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/bf16.h"
#include "kernels/element.h"
#include "kernels/registry.h"
#include "tests/kernels/arena.h"

namespace kernels::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// Row-major table of position times 10000^(-pair / half).
double Angle(std::int64_t i, std::int64_t half) {
  const auto pair = static_cast<double>(i % half), position = static_cast<double>(i - i % half);
  return position / static_cast<double>(half) *
         std::pow(10000.0, -pair / static_cast<double>(half));
}

// Calls test(run) for each implementation and level; run(args) executes it.
template <class Args, class Test>
void Everywhere(Test test) {
  for (const auto& row : Table<Args>::rows) {
    for (const Isa isa : kAllIsas) {
      if (isa > BestIsa()) {
        continue;
      }
      SCOPED_TRACE(std::string(row.impl) + " " + std::string(Name(isa)));
      test([&](const Args& args) { kernels::Run(row, args, Context{isa}); });
    }
  }
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

TEST(DecodeAttention, OneSlotReturnsItsValue) {
  Everywhere<DecodeAttentionArgs>([](auto run) {
    for (const DType dtype : {DType::kF32, DType::kBf16}) {
      Arena arena(9, 1);
      constexpr std::int64_t kHeads = 14, kKv = 2, kDim = 50, kAll = kHeads * kDim;
      const DecodeAttentionShape shape{1, kHeads, kKv, kDim, dtype};
      const DecodeAttentionArgs args{.shape = shape,
                                     .scale = 3.0F,
                                     .q = arena.Input(DType::kF32, kAll, Fill::kUniform),
                                     .k = arena.Input(dtype, kKv * kDim, Fill::kUniform),
                                     .v = arena.Input(dtype, kKv * kDim, Fill::kUniform),
                                     .out = arena.Output(DType::kF32, kAll)};
      run(args);
      for (std::int64_t i = 0; i < kAll; ++i) {
        ASSERT_EQ(At(args.out, i), At(args.v, i / kDim / (kHeads / kKv) * kDim + i % kDim));
      }
    }
  });
}

TEST(DecodeAttention, EqualKeysGiveTheMeanAndAPeakGivesItsValue) {
  Everywhere<DecodeAttentionArgs>([](auto run) {
    constexpr std::int64_t kLength = 130, kDim = 16;
    std::vector<float> q(kDim, 1), k(kLength * kDim, 0.5F), v(kLength * kDim), out(kDim);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const std::size_t slot = i / kDim;
      v[i] = static_cast<float>(slot);
    }
    const DecodeAttentionArgs args{{kLength, 1, 1, kDim, DType::kF32}, 1.0F,
                                   std::span<const float>(q),          std::span<const float>(k),
                                   std::span<const float>(v),          std::span(out)};
    run(args);
    // Sums of integers below 2^24 are exact; one division.
    EXPECT_EQ(out[0], 64.5F);
    k[70 * kDim] = 1000;
    run(args);
    EXPECT_EQ(out[0], 70.0F);
    // A later peak replaces an earlier one across chunks.
    k[129 * kDim] = 2000;
    run(args);
    EXPECT_EQ(out[kDim - 1], 129.0F);
  });
}

TEST(DecodeAttention, ChunksOfMinusInfinityDoNotPoisonLaterOnes) {
  Everywhere<DecodeAttentionArgs>([](auto run) {
    constexpr std::int64_t kLength = 70;
    std::vector<float> q = {1}, k(kLength, -kInf), v(kLength, 1), out(1);
    const DecodeAttentionArgs args{{kLength, 1, 1, 1, DType::kF32}, 1.0F,
                                   std::span<const float>(q),       std::span<const float>(k),
                                   std::span<const float>(v),       std::span(out)};
    run(args);
    EXPECT_TRUE(std::isnan(out[0]));
    k[69] = 0;
    v[69] = 5;
    run(args);
    EXPECT_EQ(out[0], 5.0F);
    k[3] = kNan;
    run(args);
    EXPECT_TRUE(std::isnan(out[0]));
  });
}

TEST(Argmax, TiesNanAndInfinities) {
  struct Case {
    std::vector<float> x;
    std::int32_t id;
    bool ok;
  };
  std::vector<Case> cases = {
      {{5}, 0, true},
      {{1, 3, 3, 2}, 1, true},
      {{kNan, kNan}, 0, false},
      {{kNan, -kInf, kNan}, 1, true},
      {{-kInf, -kInf}, 0, true},
      {{-0.0F, 0.0F}, 0, true},
      {{kNan, 2, kInf, kInf}, 2, true},
  };
  // The winner in each place around the ends of blocks and lanes, and a later tie.
  for (const std::size_t place : {0U, 15U, 16U, 4095U, 4096U, 8191U, 8192U, 9000U}) {
    std::vector<float> x(9002, 1);
    x[place] = 2;
    x[9001] = 2;
    cases.push_back({x, static_cast<std::int32_t>(place), true});
  }
  Everywhere<ArgmaxArgs>([&](auto run) {
    for (const Case& c : cases) {
      std::int32_t id = -7;
      std::uint8_t ok = 7;
      run(ArgmaxArgs{{1, static_cast<std::int64_t>(c.x.size()), DType::kF32},
                     std::span<const float>(c.x),
                     std::span(&id, 1),
                     std::span(&ok, 1)});
      EXPECT_EQ(id, c.id);
      EXPECT_EQ(ok, c.ok);
    }
  });
}

TEST(TopK, OrderTiesAndNan) {
  Everywhere<TopKArgs>([](auto run) {
    const std::vector<float> x = {1, kNan, 3, 3, -kInf, 2, kInf};
    std::vector<std::int32_t> ids(7);
    std::vector<float> values(7);
    std::uint8_t ok = 7;
    run(TopKArgs{{1, 7, 3, DType::kF32}, std::span<const float>(x), ids, values, {&ok, 1}});
    EXPECT_EQ(std::vector<std::int32_t>(ids.begin(), ids.begin() + 3),
              (std::vector<std::int32_t>{6, 2, 3}));
    EXPECT_EQ(ok, 1);
    run(TopKArgs{{1, 7, 7, DType::kF32}, std::span<const float>(x), ids, values, {&ok, 1}});
    EXPECT_EQ(ids, (std::vector<std::int32_t>{6, 2, 3, 5, 0, 4, 1}));
    EXPECT_EQ(ok, 0);
    EXPECT_TRUE(std::isnan(values[6]));
    // A heap that starts on NaN alone still finds the numbers behind it.
    std::vector<float> late(300, kNan);
    late[200] = 1;
    late[299] = 4;
    run(TopKArgs{{1, 300, 3, DType::kF32}, std::span<const float>(late), ids, values, {&ok, 1}});
    EXPECT_EQ(ids[0], 299);
    EXPECT_EQ(ids[1], 200);
    EXPECT_EQ(ids[2], 0);
    EXPECT_EQ(ok, 0);
  });
}

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

TEST(DecodeAttention, ABatchIsItsSequencesOneByOne) {
  constexpr std::int64_t kHeads = 6, kKv = 2, kDim = 40, kCapacity = 90;
  const std::vector<std::int32_t> lengths = {1, 90, 64, 33};
  const auto batch = static_cast<std::int64_t>(lengths.size());
  constexpr std::int64_t kQueries = kHeads * kDim, kSlots = kCapacity * kKv * kDim;
  Everywhere<DecodeAttentionArgs>([&](auto run) {
    Arena arena(5, 0);
    const ConstView q = arena.Input(DType::kF32, batch * kQueries, Fill::kUniform);
    const ConstView k = arena.Input(DType::kBf16, batch * kSlots, Fill::kUniform);
    const ConstView v = arena.Input(DType::kBf16, batch * kSlots, Fill::kUniform);
    const View out = arena.Output(DType::kF32, batch * kQueries);
    run(DecodeAttentionArgs{.shape = {70, kHeads, kKv, kDim, DType::kBf16, batch, kCapacity},
                            .scale = 0.3F,
                            .q = q,
                            .k = k,
                            .v = v,
                            .out = out,
                            .lengths = lengths});
    for (std::int64_t b = 0; b < batch; ++b) {
      const View alone = arena.Output(DType::kF32, kQueries);
      const auto part = [b](ConstView view, std::int64_t size) {
        const auto bytes = static_cast<std::size_t>(b * size) * ByteSize(view.dtype);
        return ConstView(static_cast<const std::byte*>(view.data) + bytes,
                         static_cast<std::size_t>(size), view.dtype);
      };
      run(DecodeAttentionArgs{
          .shape = {lengths[static_cast<std::size_t>(b)], kHeads, kKv, kDim, DType::kBf16},
          .scale = 0.3F,
          .q = part(q, kQueries),
          .k = part(k, kSlots),
          .v = part(v, kSlots),
          .out = alone});
      for (std::int64_t i = 0; i < kQueries; ++i) {
        ASSERT_EQ(At(out, b * kQueries + i), At(alone, i)) << "sequence " << b;
      }
    }
  });
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
