// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/table_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace perfgate::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(TableUnit, TheMiddleTimeHasOneToThreeDigitsBeforeThePoint) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-9, 3);
  for (int i = 0; i < 1000; ++i) {
    std::vector<double> values;
    for (int n = 0; n < 5; ++n) values.push_back(std::pow(10, exponent(random)));
    const TableUnit unit = UnitOfTimes(values);
    std::sort(values.begin(), values.end());
    EXPECT_GE(values[2] / unit.factor, 1);
    if (unit.name != "s") {
      EXPECT_LT(values[2] / unit.factor, 1000);
    }
  }
  EXPECT_EQ(UnitOfTimes({}).name, "s");
  EXPECT_EQ(UnitOfTimes(std::vector<double>{kNan, 2e-6}).name, "us");
}

// What is printed is the value, to half of its fourth digit.
TEST(TableUnit, WhatIsPrintedCanBeReadBack) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-3, 4);
  const TableUnit us{1e-6, "us"};
  for (int i = 0; i < 1000; ++i) {
    const double value = 1e-6 * std::pow(10, exponent(random));
    const std::string text = ValueInTable(value, Metric{}, us);
    EXPECT_NEAR(std::stod(text) * 1e-6, value, 0.51e-3 * value) << text;
    EXPECT_EQ(text.find(' '), std::string::npos);
  }
}

TEST(TableUnit, WhatIsFarFromTheUnitOrNoTimeHasItsOwn) {
  const TableUnit us{1e-6, "us"};
  EXPECT_EQ(ValueInTable(3, Metric{}, us), "3.000 s");
  EXPECT_EQ(ValueInTable(4e-11, Metric{}, us), "0.040 ns");
  EXPECT_EQ(ValueInTable(0.0123, Metric{}, us), "12300");
  EXPECT_EQ(ValueInTable(kNan, Metric{}, us), "-");
  const Metric bytes{"peak_rss", "B", Direction::kLower, Kind::kCount};
  EXPECT_EQ(ValueInTable(4096, bytes, us), "4.000 KiB");
  const Metric rate{"tokens", "tok/s", Direction::kHigher, Kind::kRate};
  EXPECT_EQ(ValueInTable(12300, rate, us), "12.30 ktok/s");
}

}  // namespace
}  // namespace perfgate::report
