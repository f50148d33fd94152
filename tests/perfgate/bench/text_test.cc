// SPDX-License-Identifier: Apache-2.0
// Names, messages and metric declarations as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex.h>

#include <random>
#include <regex>
#include <string>

#include "perfgate/bench/metrics.h"
#include "perfgate/bench/worker/case_name.h"

namespace perfgate::bench {
namespace {

TEST(NameTail, ReadsTheLibrarysSuffixes) {
  const NameTail none = ParseNameTail("plain/8/16");
  EXPECT_EQ(none.iterations, 0);
  EXPECT_EQ(none.repetitions, 0);
  EXPECT_EQ(none.threads, 1);
  EXPECT_STREQ(Word(none.clock), "cpu");

  const NameTail full = ParseNameTail(
      "f/8/min_time:0.500/iterations:12/repeats:3/process_time/manual_time/threads:4");
  EXPECT_EQ(full.iterations, 12);
  EXPECT_EQ(full.repetitions, 3);
  EXPECT_EQ(full.threads, 4);
  EXPECT_TRUE(full.process_time);
  EXPECT_STREQ(Word(full.clock), "manual");
  EXPECT_STREQ(Word(ParseNameTail("f/real_time").clock), "real");
}

TEST(NameTail, TakesOnlyWholeComponentsAtTheEnd) {
  EXPECT_EQ(ParseNameTail("f/threads:4/8").threads, 1);
  EXPECT_EQ(ParseNameTail("f/threads:4x").threads, 1);
  EXPECT_EQ(ParseNameTail("f/threads:").threads, 1);
  EXPECT_EQ(ParseNameTail("f/threads:99999999999999999999").threads, 1);
  EXPECT_EQ(ParseNameTail("threads:4").threads, 1);
  EXPECT_STREQ(Word(ParseNameTail("f_real_time").clock), "cpu");
  EXPECT_STREQ(Word(ParseNameTail("real_time").clock), "cpu");
  EXPECT_EQ(ParseNameTail("f/iterations:-3").iterations, 0);
  EXPECT_EQ(ParseNameTail("").threads, 1);
}

bool PosixMatches(const std::string& pattern, const std::string& text) {
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool matches = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return matches;
}

TEST(EscapeRegex, SelectsExactlyTheName) {
  std::mt19937 random(11);
  for (int i = 0; i < 5000; ++i) {
    std::string name;
    for (std::size_t n = random() % 6 + 1; n > 0; --n) {
      name += static_cast<char>(random() % 3 == 0 ? random() % 255 + 1 : random() % 95 + 32);
    }
    const std::string pattern = "^" + EscapeRegex(name) + "$";
    EXPECT_TRUE(PosixMatches(pattern, name)) << testing::PrintToString(name);
    EXPECT_TRUE(std::regex_search(name, std::regex(pattern, std::regex::extended)))
        << testing::PrintToString(name);
    std::string other = name;
    other[random() % other.size()] ^= 1;
    if (other.find('\0') != std::string::npos) continue;
    EXPECT_FALSE(PosixMatches(pattern, other)) << testing::PrintToString(name);
    EXPECT_FALSE(PosixMatches(pattern, name + "x"));
  }
}

TEST(Metrics, RealTimeIsFirstAndBadNamesAreNamed) {
  const Metric time = DeclaredMetrics().at(0);
  EXPECT_EQ(time.name, "real_time");
  EXPECT_EQ(time.unit, "s");
  const auto error = [&](const std::string& a, const std::string& b) {
    return MetricsError({time,
                         {a, "s", Direction::kLower, Kind::kTime},
                         {b, "", Direction::kHigher, Kind::kScore}});
  };
  EXPECT_EQ(error("tokens_per_s", "items_per_second"), "");
  EXPECT_THAT(error("fine", "iterations"), testing::HasSubstr("PERFGATE_METRIC(\"iterations\")"));
  EXPECT_THAT(error("fine", "fine"), testing::HasSubstr("twice"));
  EXPECT_THAT(error("", "fine"), testing::HasSubstr("empty"));
  EXPECT_THAT(error("\xff", "fine"), testing::HasSubstr("\\xff"));
  for (const char* name : {"real_time", "cpu_time", "name", "run_type", "threads", "label"}) {
    EXPECT_THAT(error("fine", name), testing::HasSubstr("reserved")) << name;
  }
}

}  // namespace
}  // namespace perfgate::bench
