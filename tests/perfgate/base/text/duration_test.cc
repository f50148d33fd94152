// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/duration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace perfgate {
namespace {

using testing::HasSubstr;

TEST(Duration, ReadsUnits) {
  const std::pair<const char*, double> examples[] = {
      {"60s", 60},       {"60 s", 60},     {"60", 60},     {"5min", 300},
      {"2m", 120},       {"1.5 h", 5400},  {"10ms", 0.01}, {"20us", 2e-5},
      {"250 ns", 25e-8}, {" .5 min ", 30}, {"0", 0}};
  for (const auto& [text, seconds] : examples) {
    EXPECT_DOUBLE_EQ(parse_duration_s(text, "--budget"), seconds) << text;
  }
}

TEST(Duration, RefusesTheRest) {
  for (const char* text : {"", "s", "-1s", "-0", "1 day", "1 M", "1h30", "1h 30min", "nan", "inf s",
                           "1e999", "1e308h", "60S", "60 sec"}) {
    try {
      parse_duration_s(text, "--budget");
      ADD_FAILURE() << "\"" << text << "\" was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kUsage);
      EXPECT_THAT(error.what(), HasSubstr("--budget: \"" + std::string(text) + "\""));
      EXPECT_THAT(error.what(), HasSubstr("5min"));
    }
  }
}

}  // namespace
}  // namespace perfgate
