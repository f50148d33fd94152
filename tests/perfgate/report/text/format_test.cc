// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::report {
namespace {

const Metric kSeconds;
const Metric kCount{
    .name = "allocs", .unit = "1", .direction = Direction::kLower, .kind = Kind::kCount};
const Metric kBytes{
    .name = "peak", .unit = "B", .direction = Direction::kLower, .kind = Kind::kCount};
const Metric kRate{
    .name = "rate", .unit = "B/s", .direction = Direction::kHigher, .kind = Kind::kRate};
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(FormatTime, HasFourDigitsAndAUnit) {
  EXPECT_EQ(format_time(1.2345e-9), "1.234 ns");
  EXPECT_EQ(format_time(12.3456e-9), "12.35 ns");
  EXPECT_EQ(format_time(123.456e-9), "123.5 ns");
  EXPECT_EQ(format_time(1.5e-6), "1.500 us");
  EXPECT_EQ(format_time(0.02), "20.00 ms");
  EXPECT_EQ(format_time(1), "1.000 s");
  EXPECT_EQ(format_time(12345), "12345 s");
  EXPECT_EQ(format_time(0), "0.000 ns");
  EXPECT_EQ(format_time(2e-10), "0.200 ns");
  EXPECT_EQ(format_time(1e-15), "1e-06 ns");
  EXPECT_EQ(format_time(kNaN), "-");
}

TEST(FormatTime, RoundsIntoTheNextUnit) {
  EXPECT_EQ(format_time(999.94e-9), "999.9 ns");
  EXPECT_EQ(format_time(999.96e-9), "1.000 us");
  EXPECT_EQ(format_time(9.9996e-6), "10.00 us");
  EXPECT_EQ(format_time(99.996e-6), "100.0 us");
}

// Read back, every time is within half of the last of four digits.
TEST(FormatTime, IsTheTime) {
  sample::Random random(13);
  for (int i = 0; i < 20000; ++i) {
    const double seconds = std::pow(10, std::uniform_real_distribution<>(-9, 3)(random));
    const std::string text = format_time(seconds);
    const std::string unit = text.substr(text.find(' ') + 1);
    const double factor = unit == "ns" ? 1e-9 : unit == "us" ? 1e-6 : unit == "ms" ? 1e-3 : 1;
    ASSERT_NEAR(std::stod(text) * factor, seconds, seconds * 0.501e-3) << text;
    ASSERT_LE(text.size(), 8U) << text;
  }
}

TEST(FormatValue, FollowsTheMetric) {
  EXPECT_EQ(format_value(1.5e-6, kSeconds), "1.500 us");
  EXPECT_EQ(format_value(12.3e9, kRate), "12.30 GB/s");
  EXPECT_EQ(format_value(12.3, kRate), "12.30 B/s");
  EXPECT_EQ(format_value(3, kCount), "3");
  EXPECT_EQ(format_value(1048576, kBytes), "1.000 MiB");
  EXPECT_EQ(format_value(-0.5, kBytes), "-0.5 B");
  EXPECT_EQ(format_value(kNaN, kBytes), "-");
}

TEST(FormatChange, IsSigned) {
  EXPECT_EQ(format_change(0.0502, kSeconds), "+5.02 %");
  EXPECT_EQ(format_change(-0.0502, kSeconds), "-5.02 %");
  EXPECT_EQ(format_change(-0.000001, kSeconds), "+0.00 %");
  EXPECT_EQ(format_change(0.99996, kSeconds), "+100 %");
  EXPECT_EQ(format_change(12.34, kSeconds), "+1234 %");
  EXPECT_EQ(format_change(1e6, kSeconds), "+1e+08 %");
  EXPECT_EQ(format_change(3, kCount), "+3");
  EXPECT_EQ(format_change(-64, kBytes), "-64 B");
  EXPECT_EQ(format_change(0, kBytes), "+0 B");
  EXPECT_EQ(format_change(kNaN, kSeconds), "-");
}

TEST(FormatShare, HasThreeDigits) {
  EXPECT_EQ(format_share(0.02), "2 %");
  EXPECT_EQ(format_share(0.125), "12.5 %");
  EXPECT_EQ(format_share(1), "100 %");
  EXPECT_EQ(format_tolerance(0.06, kSeconds), "6 %");
  EXPECT_EQ(format_tolerance(3, kBytes), "3 B");
}

TEST(FormatWall, HasAUnit) {
  EXPECT_EQ(format_wall(0.421), "0.42 s");
  EXPECT_EQ(format_wall(61.23), "61.2 s");
  EXPECT_EQ(format_wall(4500), "75 min");
}

TEST(FormatP, NeverReadsZero) {
  EXPECT_EQ(format_p(0.001953125), "0.002");
  EXPECT_EQ(format_p(0.00005), "< 0.0001");
  EXPECT_EQ(format_p(0), "< 0.0001");
}

}  // namespace
}  // namespace perfgate::report
