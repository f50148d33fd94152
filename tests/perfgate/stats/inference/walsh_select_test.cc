// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/walsh_select.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

std::vector<double> all_sorted(const std::vector<double>& d) {
  std::vector<double> walsh;
  for (std::size_t i = 0; i < d.size(); ++i) {
    for (std::size_t j = i; j < d.size(); ++j) walsh.push_back(std::midpoint(d[i], d[j]));
  }
  std::sort(walsh.begin(), walsh.end());
  return walsh;
}

std::vector<std::vector<double>> samples(std::size_t n) {
  std::vector<double> plain = testing::sample(n, n, 1.0);
  std::vector<double> skew = plain;
  std::vector<double> ties = plain;
  std::vector<double> tiny = plain;
  for (std::size_t i = 0; i < n; ++i) {
    skew[i] = std::exp(20.0 * plain[i]);
    ties[i] = std::round(4.0 * plain[i]);
    tiny[i] = 1e-308 * plain[i];
  }
  return {plain, skew, ties, tiny, std::vector<double>(n, -1.5)};
}

TEST(SelectWalsh, IsTheSortedListBitForBit) {
  for (std::size_t n = 1; n <= 60; ++n) {
    for (const std::vector<double>& d : samples(n)) {
      const std::vector<double> expected = all_sorted(d);
      std::vector<std::int64_t> ranks(expected.size());
      std::iota(ranks.begin(), ranks.end(), 0);
      std::reverse(ranks.begin(), ranks.end());  // any order of ranks
      const std::vector<double> selected = select_walsh(d, ranks);
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        ASSERT_EQ(selected[i], expected[static_cast<std::size_t>(ranks[i])]) << n;
      }
    }
  }
}

// On both sides of the size at which listing ends.
TEST(SelectWalsh, DoesNotDependOnTheWayItIsFound) {
  for (const std::size_t n : {499U, 500U, 501U, 502U, 1500U}) {
    for (const std::vector<double>& d : samples(n)) {
      const std::vector<double> expected = all_sorted(d);
      const auto last = static_cast<std::int64_t>(expected.size()) - 1;
      const std::vector<std::int64_t> ranks = {0, 1, last / 40, last / 2, last / 2 + 1, last, last};
      const std::vector<double> selected = select_walsh(d, ranks);
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        ASSERT_EQ(selected[i], expected[static_cast<std::size_t>(ranks[i])]) << n;
      }
    }
  }
}

TEST(SelectWalsh, RefusesRanksThatDoNotExist) {
  const std::vector<double> d = {1.0, 2.0};
  EXPECT_THROW(select_walsh(d, std::vector<std::int64_t>{3}), std::invalid_argument);
  EXPECT_THROW(select_walsh(d, std::vector<std::int64_t>{-1}), std::invalid_argument);
  EXPECT_THROW(select_walsh({}, std::vector<std::int64_t>{0}), std::invalid_argument);
  EXPECT_TRUE(select_walsh(d, {}).empty());
}

}  // namespace
}  // namespace perfgate::stats
