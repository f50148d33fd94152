// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/case_filter.h"

#include <gtest/gtest.h>
#include <regex.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "perfgate/base/os/entropy.h"
#include "perfgate/base/text/utf8.h"
#include "perfgate/measure/driver/process/benchmark_json.h"

namespace perfgate::measure {
namespace {

// The dialects that Google Benchmark is built with. It searches, so that anchors must hold.
bool matches_everywhere(const std::string& filter, const std::string& name) {
  regex_t posix;
  if (::regcomp(&posix, filter.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool by_posix = ::regexec(&posix, name.c_str(), 0, nullptr, 0) == 0;
  ::regfree(&posix);
  const bool by_extended =
      std::regex_search(name, std::regex(filter, std::regex_constants::extended));
  const bool by_ecma =
      std::regex_search(name, std::regex(filter, std::regex_constants::ECMAScript));
  EXPECT_EQ(by_posix, by_extended) << filter;
  EXPECT_EQ(by_posix, by_ecma) << filter;
  return by_posix && by_extended && by_ecma;
}

TEST(CaseFilter, MatchesEveryNameInEveryDialect) {
  for (int byte = 1; byte < 128; ++byte) {
    const std::string name = std::string("a") + static_cast<char>(byte) + "b";
    EXPECT_TRUE(matches_everywhere(filter_of(name), name)) << byte;
    EXPECT_FALSE(matches_everywhere(filter_of(name), name + "c")) << byte;
    EXPECT_FALSE(matches_everywhere(filter_of(name), "c" + name)) << byte;
  }
  RandomStream random(11);
  const std::string marks = ".[]{}()\\*+?|^$-/:<>, ,x0";
  for (int i = 0; i < 3000; ++i) {
    std::string name;
    for (std::uint64_t k = 0, n = 1 + random.below(12); k < n; ++k) {
      name += marks[random.below(marks.size())];
    }
    EXPECT_TRUE(matches_everywhere(filter_of(name), name)) << name;
  }
}

TEST(CaseFilter, QuotedCharactersAreNoWildcards) {
  EXPECT_FALSE(matches_everywhere(filter_of("a.b"), "axb"));
  EXPECT_FALSE(matches_everywhere(filter_of("a*"), "aa"));
  EXPECT_FALSE(matches_everywhere(filter_of("a|b"), "a"));
}

TEST(CaseFilter, BytesThatAreNotTextMatchAsTheyAreAndAsTheyAreShown) {
  const std::string raw = "latin1 \xfc end";
  const std::string filter = filter_of(VisibleText(raw));
  EXPECT_TRUE(std::regex_search(raw, std::regex(filter, std::regex_constants::extended)));
  EXPECT_TRUE(
      std::regex_search(VisibleText(raw), std::regex(filter, std::regex_constants::extended)));
}

TEST(CaseFilter, SplitsWithinTheLimitAndCoversEveryNameOnce) {
  std::vector<std::string> names;
  names.reserve(5001);
  for (int i = 0; i < 5000; ++i) {
    names.push_back("family<int>/case:" + std::to_string(i) + "/threads:4");
  }
  names.emplace_back(100000, 'l');
  constexpr std::size_t kLimit = 8192;
  std::vector<int> covered(names.size());
  for (const FilterPart& part : filters_of(names, kLimit)) {
    EXPECT_LE(part.filter.size(), kLimit);
    for (const std::size_t i : part.indices) ++covered[i];
    const std::string& some = names[part.indices.front()];
    EXPECT_TRUE(some.size() > 1000 || matches_everywhere(part.filter, some));
  }
  EXPECT_EQ(covered, std::vector<int>(names.size(), 1));
}

TEST(CaseFilter, AFilterOfManyMatchesExactlyThose) {
  RandomStream random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> names;
    for (std::uint64_t k = 0, n = 1 + random.below(8); k < n; ++k) {
      std::string name;
      for (std::uint64_t j = 0, length = 1 + random.below(6); j < length; ++j) {
        name += "ab/.("[random.below(5)];
      }
      names.push_back(name);
    }
    const std::vector<FilterPart> parts = filters_of(names);
    ASSERT_EQ(parts.size(), 1U);
    for (int i = 0; i < 20; ++i) {
      std::string other = names[random.below(names.size())];
      if (random.coin()) other += 'b';
      if (random.coin()) other[random.below(other.size())] = 'a';
      const bool among = std::find(names.begin(), names.end(), other) != names.end();
      EXPECT_EQ(matches_everywhere(parts[0].filter, other), among)
          << parts[0].filter << " on " << other;
    }
  }
}

TEST(CaseFilter, NoneMatchesNothing) {
  EXPECT_FALSE(matches_everywhere(filter_of_none(), ""));
  EXPECT_FALSE(matches_everywhere(filter_of_none(), "BM_x"));
  EXPECT_TRUE(filters_of({}).empty());
}

}  // namespace
}  // namespace perfgate::measure
