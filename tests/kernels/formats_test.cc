// SPDX-License-Identifier: Apache-2.0
// The scalar conversions of f16.h and f8.h against definitions of the formats that share nothing
// with them: values by their formula, rounding by search over all values.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/f16.h"
#include "kernels/f8.h"
#include "tests/kernels/arena.h"

namespace kernels {
namespace {

struct Format {
  int exponent_bits, fraction_bits, bias;
  std::uint32_t nan;      // magnitudes from here on are NaN
  std::uint32_t largest;  // magnitude of the largest finite number

  std::uint32_t sign() const { return 1U << (exponent_bits + fraction_bits); }

  // Of a magnitude up to `largest`.
  double Value(std::uint32_t magnitude) const {
    const auto exponent = static_cast<int>(magnitude >> fraction_bits);
    const double fraction = std::ldexp(magnitude & ((1U << fraction_bits) - 1), -fraction_bits);
    return exponent == 0 ? std::ldexp(fraction, 1 - bias)
                         : std::ldexp(1 + fraction, exponent - bias);
  }
};

constexpr Format kF16{5, 10, 15, 0x7c01, 0x7bff};
constexpr Format kE4M3{4, 3, 7, 0x7f, 0x7e};

// The magnitude nearest to `value` >= 0, ties to the even one; largest + 1 where the format, had it
// another exponent, would have rounded to more than the largest.
std::uint32_t Nearest(const Format& format, double value) {
  std::uint32_t low = 0;
  std::uint32_t high = format.largest + 1;  // its value by formula: the next power or fraction
  if (value >= format.Value(high)) {
    return high;
  }
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (format.Value(middle) <= value ? low : high) = middle;
  }
  const double below = value - format.Value(low);
  const double above = format.Value(high) - value;
  return below < above || (below == above && low % 2 == 0) ? low : high;
}

// What the header promises for any float: f16 overflows to infinity, f8e4m3 to NaN, which is the
// pattern after the largest in both.
template <class T>
std::uint32_t Expected(const Format& format, double value) {
  const std::uint32_t sign = std::signbit(value) ? format.sign() : 0;
  return sign | Nearest(format, std::abs(value));
}

template <class T, class Narrow>
void EveryValueIsKept(const Format& format, Narrow narrow) {
  using Bits = decltype(T::bits);
  for (std::uint32_t bits = 0; bits < 2 * format.sign(); ++bits) {
    const std::uint32_t magnitude = bits & (format.sign() - 1);
    const float wide = ToFloat(T{static_cast<Bits>(bits)});
    ASSERT_EQ(std::signbit(wide), (bits & format.sign()) != 0);
    if (magnitude >= format.nan) {
      ASSERT_TRUE(std::isnan(wide)) << bits;
      ASSERT_NE(std::bit_cast<std::uint32_t>(wide) & 0x400000U, 0U) << "not quiet";
      const std::uint32_t quiet = format.exponent_bits == 5 ? bits | 0x200U : bits;
      ASSERT_EQ(narrow(wide).bits, quiet);
    } else {
      if (magnitude <= format.largest) {
        ASSERT_EQ(static_cast<double>(std::abs(wide)), format.Value(magnitude)) << bits;
      } else {
        ASSERT_TRUE(std::isinf(wide)) << bits;
      }
      ASSERT_EQ(narrow(wide).bits, bits);
    }
  }
}

TEST(F16, EveryValueIsKept) {
  EveryValueIsKept<F16>(kF16, [](float x) { return ToF16(x); });
}

TEST(F8E4M3, EveryValueIsKept) {
  EveryValueIsKept<F8E4M3>(kE4M3, [](float x) { return ToF8E4M3(x); });
}

// Every number, every midpoint of two neighbours, what lies just beside each, and random floats
// around and outside of the range.
std::vector<double> Interesting(const Format& format) {
  std::vector<double> values = {1e30, 3e38, 1e-30, 0x1p-149, 0x1p-1000, 1e300};
  for (std::uint32_t magnitude = 0; magnitude <= format.largest; ++magnitude) {
    const double low = format.Value(magnitude);
    const double middle = (low + format.Value(magnitude + 1)) / 2;
    values.insert(values.end(), {low, middle});
  }
  testing::Random random(17);
  const double smallest = std::log2(format.Value(1));
  const double largest = std::log2(format.Value(format.largest));
  for (int i = 0; i < 100000; ++i) {
    values.push_back(std::exp2(smallest - 3 + (largest - smallest + 5) * random.Uniform()));
  }
  return values;
}

template <class T, class NarrowFloat, class NarrowDouble>
void RoundsToNearestEven(const Format& format, NarrowFloat from_float, NarrowDouble from_double) {
  for (const double at : Interesting(format)) {
    for (const double wide : {at, at * (1 + 0x1p-40), at * (1 - 0x1p-40)}) {
      for (const double value : {wide, -wide}) {
        ASSERT_EQ(from_double(value).bits, Expected<T>(format, value)) << value;
      }
    }
    const auto narrow = static_cast<float>(at);
    for (const float value : {narrow, std::nextafter(narrow, 0.0F),
                              std::nextafter(narrow, std::numeric_limits<float>::infinity())}) {
      ASSERT_EQ(from_float(value).bits, Expected<T>(format, static_cast<double>(value))) << value;
      ASSERT_EQ(from_float(-value).bits, Expected<T>(format, static_cast<double>(-value)));
    }
  }
}

TEST(F16, RoundsToNearestEvenFromFloatAndDouble) {
  RoundsToNearestEven<F16>(
      kF16, [](float x) { return ToF16(x); }, [](double x) { return ToF16(x); });
}

TEST(F8E4M3, RoundsToNearestEvenFromFloatAndDouble) {
  RoundsToNearestEven<F8E4M3>(
      kE4M3, [](float x) { return ToF8E4M3(x); }, [](double x) { return ToF8E4M3(x); });
}

TEST(F16, Edges) {
  EXPECT_EQ(ToF16(65519.0F).bits, 0x7bff);
  EXPECT_EQ(ToF16(65520.0F).bits, 0x7c00) << "a tie, and infinity is even";
  EXPECT_EQ(ToF16(-std::numeric_limits<float>::infinity()).bits, 0xfc00);
  EXPECT_EQ(ToF16(0x1p-25F).bits, 0) << "a tie, and zero is even";
  EXPECT_EQ(ToF16(std::bit_cast<float>(0x7f800001U)).bits, 0x7e00) << "not infinity";
  EXPECT_EQ(ToF16(std::bit_cast<float>(0xff802000U)).bits, 0xfe01) << "the payload's upper bits";
}

TEST(F8E4M3, Edges) {
  EXPECT_EQ(ToF8E4M3(448.0F).bits, 0x7e);
  EXPECT_EQ(ToF8E4M3(464.0F).bits, 0x7e) << "a tie, and 448 is even";
  EXPECT_EQ(ToF8E4M3(std::nextafter(464.0F, 500.0F)).bits, 0x7f);
  EXPECT_EQ(ToF8E4M3(-std::numeric_limits<float>::infinity()).bits, 0xff);
  EXPECT_EQ(ToF8E4M3(0x1p-10F).bits, 0) << "a tie, and zero is even";
  EXPECT_EQ(ToF8E4M3(std::bit_cast<float>(0xffc00000U)).bits, 0xff);
}

}  // namespace
}  // namespace kernels
