// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/fraction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace perfgate {
namespace {

using testing::HasSubstr;

TEST(Fraction, ReadsPerCentAndPlainNumbers) {
  for (const char* text : {"2%", "2 %", " 2% ", "0.02", "2e-2", ".02", "+0.02", "2.0%"}) {
    EXPECT_EQ(parse_fraction(text, "--tolerance"), 0.02) << text;
  }
  EXPECT_EQ(parse_fraction("0", "x"), 0);
  EXPECT_EQ(parse_fraction("150%", "x"), 1.5);
  EXPECT_EQ(parse_fraction("-5 %", "x"), -0.05);
}

TEST(Fraction, RefusesTheRest) {
  for (const char* text : {"", " ", "%", "2%%", "2 per cent", "0,02", "nan", "inf", "-inf%",
                           "1e999", "2%x", "x2%", "0x2", "--2", "+-2", "2 2", "1e"}) {
    try {
      parse_fraction(text, "--tolerance");
      ADD_FAILURE() << "\"" << text << "\" was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kUsage);
      EXPECT_THAT(error.what(), HasSubstr("--tolerance: \"" + std::string(text) + "\""));
      EXPECT_THAT(error.what(), HasSubstr("2%"));
    }
  }
}

TEST(Fraction, ANumberAboveOneWithoutASignIsRefusedWithBothReadings) {
  EXPECT_EQ(parse_fraction("1", "x"), 1);
  EXPECT_EQ(parse_fraction("500%", "x"), 5);
  try {
    parse_fraction("5", "--tolerance");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    EXPECT_STREQ(error.what(),
                 "--tolerance: 5 without a per cent sign may mean 5% or 500%; write \"5%\" or "
                 "\"500%\"");
  }
  EXPECT_THROW(parse_fraction("1.5", "x"), Error);
}

TEST(Fraction, ExitCodeIsTheCallers) {
  try {
    parse_fraction("x", "/tolerance", Exit::kData);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
  }
}

}  // namespace
}  // namespace perfgate
