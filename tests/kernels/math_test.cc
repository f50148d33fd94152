// SPDX-License-Identifier: Apache-2.0
// The scalar conversions and the building blocks that every level shares: exp and fused
// multiply-add, against the C library in higher precision.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/bf16.h"
#include "kernels/cpu/kernels.h"
#include "tests/kernels/arena.h"

namespace kernels {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<Isa> Levels() {
  std::vector<Isa> levels;
  for (const Isa isa : kAllIsas) {
    if (isa <= BestIsa()) {
      levels.push_back(isa);
    }
  }
  return levels;
}

// Nearest bf16 by search over all of them, not by the bit trick.
Bf16 NearestBf16(double value) {
  // Largest bf16 not above |value|, by bisection over the ordered bit patterns.
  std::uint32_t first = 0, last = 0x7f80;
  const double magnitude = std::abs(value);
  while (first < last) {
    const std::uint32_t middle = (first + last + 1) / 2;
    const double at = middle == 0x7f80
                          ? 0x1p128
                          : static_cast<double>(ToFloat(Bf16{static_cast<std::uint16_t>(middle)}));
    if (at <= magnitude) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  Bf16 low{static_cast<std::uint16_t>(first)};
  if (first < 0x7f80) {
    const auto below = static_cast<double>(ToFloat(low));
    const double above =
        first + 1 == 0x7f80
            ? 0x1p128
            : static_cast<double>(ToFloat(Bf16{static_cast<std::uint16_t>(first + 1)}));
    const double to_below = magnitude - below;
    const double to_above = above - magnitude;
    if (to_above < to_below || (to_above == to_below && (first & 1U) != 0)) {
      ++low.bits;
    }
  }
  low.bits = static_cast<std::uint16_t>(low.bits | (std::signbit(value) ? 0x8000U : 0U));
  return low;
}

TEST(Bf16, EveryValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Bf16 value{static_cast<std::uint16_t>(bits)};
    const float wide = ToFloat(value);
    // Signalling NaNs become quiet; all else is unchanged.
    const std::uint32_t expected = std::isnan(wide) ? bits | 0x40U : bits;
    ASSERT_EQ(ToBf16(wide).bits, expected);
  }
}

TEST(Bf16, RoundsToNearestEvenFromFloatAndDouble) {
  testing::Random random(7);
  for (int i = 0; i < 200000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.Next());
    // A third exactly half-way, a third one bit beside it, the rest anywhere.
    const std::uint32_t lower = i % 3 == 0   ? 0x8000U
                                : i % 3 == 1 ? 0x7fffU + 2 * (bits & 1U)
                                             : bits & 0xffffU;
    const auto value = std::bit_cast<float>((bits & 0xffff0000U) | lower);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(ToFloat(ToBf16(value))));
      continue;
    }
    ASSERT_EQ(ToBf16(value).bits, NearestBf16(static_cast<double>(value)).bits) << value;
    // Just beside the float: a float in between would round to a tie and then the wrong way.
    const double wide = static_cast<double>(value) * (1 + 0x1p-40);
    if (std::abs(wide) < 0x1p127) {
      ASSERT_EQ(ToBf16(wide).bits, NearestBf16(wide).bits) << wide;
    }
  }
}

TEST(Bf16, NanWithALowPayloadDoesNotBecomeInfinity) {
  EXPECT_EQ(ToBf16(std::bit_cast<float>(0x7f800001U)).bits, 0x7fc0);
  EXPECT_EQ(ToBf16(std::bit_cast<float>(0xffbfffffU)).bits, 0xffff);
}

TEST(Exp, WithinOneUlpEverywhere) {
  std::vector<float> x;
  for (double v = -104.5; v < 89.5; v += 1.0 / 4096) {
    x.push_back(static_cast<float>(v));
  }
  std::vector<float> y(x.size());
  for (const Isa isa : Levels()) {
    cpu::For(isa).exp(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = std::exp(static_cast<double>(x[i]));
      if (exact > static_cast<double>(std::numeric_limits<float>::max())) {
        ASSERT_EQ(y[i], kInf) << x[i];
        continue;
      }
      const int exponent = std::max(std::ilogb(exact), -126);
      const double ulp = std::ldexp(1.0, exponent - 23);
      worst = std::max(worst, std::abs(static_cast<double>(y[i]) - exact) / ulp);
    }
    EXPECT_LE(worst, 1.0) << Name(isa);
    EXPECT_GT(worst, 0.4) << "better than rounding allows: is this exp?";
  }
}

TEST(Exp, EdgesAreExact) {
  const std::vector<float> x = {0.0F, -0.0F, kInf, -kInf, kNan, -kNan, 1e30F, -1e30F, 1e-40F};
  const std::vector<float> want = {1, 1, kInf, 0, kNan, kNan, kInf, 0, 1};
  std::vector<float> y(x.size());
  for (const Isa isa : Levels()) {
    cpu::For(isa).exp(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_TRUE(y[i] == want[i] || (std::isnan(y[i]) && std::isnan(want[i])))
          << Name(isa) << " exp(" << x[i] << ") = " << y[i];
    }
  }
}

// The emulation in the generic level, and that nothing contracts or splits the others.
TEST(Fma, RoundsOnce) {
  testing::Random random(11);
  std::vector<float> a, b, c;
  for (int i = 0; i < 300000; ++i) {
    const auto p = std::bit_cast<float>(static_cast<std::uint32_t>(random.Next()));
    auto q = std::bit_cast<float>(static_cast<std::uint32_t>(random.Next()));
    auto r = std::bit_cast<float>(static_cast<std::uint32_t>(random.Next()));
    if (i % 4 == 1) {
      r = -(p * q);  // cancellation: the result is the rounding error of the product
    } else if (i % 4 == 2) {
      r = p * q * 0x1p-24F;  // next to the half-way points
    } else if (i % 4 == 3) {
      q = 0x1p-126F / p;  // around the subnormals
    }
    a.push_back(p);
    b.push_back(q);
    c.push_back(r);
  }
  for (const float x : {0.0F, -0.0F, 1.0F, kInf, -kInf, kNan, 0x1p-149F, 3.4e38F}) {
    for (const float y : {0.0F, -1.0F, kInf, kNan, 2.0F}) {
      for (const float z : {0.0F, -0.0F, 1.0F, -kInf, kNan}) {
        a.push_back(x);
        b.push_back(y);
        c.push_back(z);
      }
    }
  }
  std::vector<float> y(a.size());
  for (const Isa isa : Levels()) {
    cpu::For(isa).fma(a.data(), b.data(), c.data(), y.data(), static_cast<std::int64_t>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
      const float want = std::fma(a[i], b[i], c[i]);
      ASSERT_TRUE((std::isnan(want) && std::isnan(y[i])) ||
                  std::bit_cast<std::uint32_t>(want) == std::bit_cast<std::uint32_t>(y[i]))
          << Name(isa) << " fma(" << a[i] << ", " << b[i] << ", " << c[i] << ") = " << y[i]
          << ", not " << want;
    }
  }
}

}  // namespace
}  // namespace kernels
