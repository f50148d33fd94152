// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/multiplicity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "tests/perfgate/stats/samples.h"

namespace perfgate::stats {
namespace {

TEST(Holm, ByHand) {
  EXPECT_EQ(holm(std::vector<double>{0.01, 0.04, 0.03}), (std::vector<double>{0.03, 0.06, 0.06}));
  EXPECT_EQ(holm(std::vector<double>{0.9, 0.8}), (std::vector<double>{1.0, 1.0}));
}

TEST(BenjaminiHochberg, ByHand) {
  const std::vector<double> adjusted = benjamini_hochberg(std::vector<double>{0.01, 0.04, 0.03});
  EXPECT_NEAR(adjusted[0], 0.03, 1e-15);
  EXPECT_NEAR(adjusted[1], 0.04, 1e-15);
  EXPECT_NEAR(adjusted[2], 0.04, 1e-15);
}

TEST(Multiplicity, OneTestNeedsNoCorrection) {
  EXPECT_EQ(holm(std::vector<double>{0.2}).front(), 0.2);
  EXPECT_EQ(benjamini_hochberg(std::vector<double>{0.2}).front(), 0.2);
}

TEST(Multiplicity, OrdersStayAndHolmIsTheStricter) {
  std::vector<double> p = testing::sample(200, 1, 1.0);
  for (double& v : p) v = (v + 0.5) * (v + 0.5);
  const std::vector<double> by_holm = holm(p);
  const std::vector<double> by_bh = benjamini_hochberg(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_LE(p[i], by_bh[i]);
    EXPECT_LE(by_bh[i], by_holm[i]);
    for (std::size_t j = 0; j < p.size(); ++j) {
      if (p[i] < p[j]) {
        EXPECT_LE(by_holm[i], by_holm[j]);
        EXPECT_LE(by_bh[i], by_bh[j]);
      }
    }
  }
}

// With every hypothesis true, Holm rejects any in at most 5 % of families.
TEST(Multiplicity, HolmKeepsTheFamilywiseError) {
  std::mt19937_64 random(3);
  int families = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> p(10);
    for (double& v : p) v = testing::uniform(random) + 0.5;
    const std::vector<double> adjusted = holm(p);
    families += *std::min_element(adjusted.begin(), adjusted.end()) <= 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(families / 4000.0, 1.0 - std::pow(1.0 - 0.005, 10), 4.0 * 0.0034);
}

TEST(Multiplicity, EmptyStaysEmptyAndNonsenseIsRefused) {
  EXPECT_TRUE(holm({}).empty());
  EXPECT_TRUE(benjamini_hochberg({}).empty());
  for (const double bad : {-0.1, 1.1, testing::kNaN, testing::kInfinity}) {
    EXPECT_THROW(holm(std::vector<double>{0.5, bad}), std::invalid_argument);
    EXPECT_THROW(benjamini_hochberg(std::vector<double>{0.5, bad}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace perfgate::stats
