// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/percent.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

TEST(Percent, HasAFixedNumberOfDecimals) {
  EXPECT_EQ(Percent(0.125, 1), "12.5 %");
  EXPECT_EQ(Percent(0.99999, 1), "100.0 %");
  EXPECT_EQ(Percent(-0.5, 0), "-50 %");
}

TEST(SignedPercent, AlwaysShowsTheSign) {
  EXPECT_EQ(SignedPercent(0.0125), "+1.25 %");
  EXPECT_EQ(SignedPercent(-0.003), "-0.30 %");
  EXPECT_EQ(SignedPercent(0), "+0.00 %");
}

TEST(ShortPercent, HasANumberOfSignificantDigits) {
  EXPECT_EQ(ShortPercent(0.0025, 3), "0.25 %");
  EXPECT_EQ(ShortPercent(0.1234, 2), "12 %");
  EXPECT_EQ(ShortPercent(1e-7, 2), "1e-05 %");
}

}  // namespace
}  // namespace perfgate
