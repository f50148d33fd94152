// SPDX-License-Identifier: Apache-2.0
// Sampling: the generator against its published answers, the exponential against long double, drawn
// frequencies against the distribution, and the rules of top k and top p.
#include "kernels/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/philox.h"
#include "kernels/sample_draw.h"
#include "tests/kernels/arena.h"

namespace kernels::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// The known answers that the generator's authors publish for philox4x32 with 10 rounds.
TEST(Philox, KnownAnswers) {
  struct Answer {
    PhiloxCounter counter;
    PhiloxKey key;
    PhiloxCounter result;
  };
  constexpr std::uint32_t kOnes = 0xffffffffU;
  constexpr Answer kAnswers[] = {
      {{{0, 0, 0, 0}}, {{0, 0}}, {{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}}},
      {{{kOnes, kOnes, kOnes, kOnes}},
       {{kOnes, kOnes}},
       {{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}}},
      {{{0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}},
       {{0xa4093822U, 0x299f31d0U}},
       {{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}}},
  };
  for (const Answer& answer : kAnswers) {
    const PhiloxCounter got = Philox(answer.counter, answer.key);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(got.word[i], answer.result.word[i]) << i;
    }
  }
}

TEST(Philox, UniformIsInRangeAndDependsOnEveryWord) {
  double sum = 0;
  for (std::uint64_t step = 0; step < 4096; ++step) {
    const double u = PhiloxUniform(7, step, 0);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 4096, 0.5, 5 / std::sqrt(12.0 * 4096));
  for (const std::uint64_t bit : {std::uint64_t{1}, std::uint64_t{1} << 63}) {
    EXPECT_NE(PhiloxUniform(5, 6, 7), PhiloxUniform(5 ^ bit, 6, 7));
    EXPECT_NE(PhiloxUniform(5, 6, 7), PhiloxUniform(5, 6 ^ bit, 7));
    EXPECT_NE(PhiloxUniform(5, 6, 7), PhiloxUniform(5, 6, 7 ^ bit));
  }
}

TEST(ExpOfNegative, IsWithinTwoUnitsInTheLastPlace) {
  Random random(3);
  double worst = 0;
  const auto check = [&](double x) {
    const long double want = std::exp(static_cast<long double>(x));
    const double got = exact::ExpOfNegative(x);
    const auto unit = static_cast<long double>(std::ldexp(1.0, std::ilogb(got) - 52));
    worst =
        std::max(worst, static_cast<double>(std::abs(static_cast<long double>(got) - want) / unit));
  };
  for (int i = 0; i < 200000; ++i) {
    check(-708.0 * random.Uniform());
    check(-random.Uniform());
    check(-std::exp2(-60 * random.Uniform()));
  }
  for (int i = 0; i < 1021; ++i) {
    check(-0.693147180559945309 * i);
    check(-0.693147180559945309 * (i + 0.5));
  }
  EXPECT_LE(worst, 2);
  EXPECT_EQ(exact::ExpOfNegative(0), 1);
  EXPECT_EQ(exact::ExpOfNegative(-708.0000001), 0);
  EXPECT_EQ(exact::ExpOfNegative(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_EQ(exact::ExpOfNegative(std::numeric_limits<double>::quiet_NaN()), 0);
}

struct Drawn {
  std::vector<std::int32_t> ids;
  std::vector<float> probability;
};

struct Rule {
  float temperature = 1;
  float top_p = 1;
  std::int64_t k = 1;
};

// One row drawn from `steps` times by every implementation, which must agree.
Drawn DrawSteps(const std::vector<float>& logits, Rule rule, std::size_t steps) {
  Drawn first;
  for (const auto& row : Table<SampleArgs>::rows) {
    Drawn drawn{std::vector<std::int32_t>(steps), std::vector<float>(steps)};
    for (std::size_t step = 0; step < steps; ++step) {
      kernels::Run(row, SampleArgs{.shape = {1, static_cast<std::int64_t>(logits.size()), rule.k},
                                   .temperature = rule.temperature,
                                   .top_p = rule.top_p,
                                   .seed = 20,
                                   .step = step,
                                   .logits = std::span<const float>(logits),
                                   .ids = {&drawn.ids[step], 1},
                                   .probability = {&drawn.probability[step], 1}});
    }
    if (first.ids.empty()) {
      first = drawn;
    }
    EXPECT_EQ(first.ids, drawn.ids) << row.impl;
  }
  return first;
}

// Pearson's statistic of the draws against probabilities that add up to 1.
double ChiSquare(const std::vector<std::int32_t>& ids, const std::vector<double>& probability) {
  std::vector<double> seen(probability.size());
  for (const std::int32_t id : ids) {
    seen[static_cast<std::size_t>(id)] += 1;
  }
  double sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const double expected = probability[i] * static_cast<double>(ids.size());
    EXPECT_TRUE(expected > 0 || seen[i] == 0) << i;
    sum += expected > 0 ? (seen[i] - expected) * (seen[i] - expected) / expected : 0;
  }
  return sum;
}

TEST(Sample, FrequenciesFollowTheDistribution) {
  // e^logit: 8 4 2 1 1, so that at temperature 1 the probabilities are sixteenths.
  const double ln2 = std::log(2.0);
  const std::vector<float> logits = {0, static_cast<float>(3 * ln2), static_cast<float>(ln2),
                                     static_cast<float>(2 * ln2), 0};
  constexpr std::size_t kSteps = 20000;
  // 99.99 % points of chi-square with 4, 3 and 1 degrees of freedom: the seed is fixed, so this
  // either always passes or always fails.
  const std::vector<double> all = {1.0 / 16, 8.0 / 16, 2.0 / 16, 4.0 / 16, 1.0 / 16};
  const Drawn whole = DrawSteps(logits, {1, 1, 5}, kSteps);
  EXPECT_LT(ChiSquare(whole.ids, all), 23.5);
  const std::vector<double> wrong = {1.5 / 16, 8.0 / 16, 2.0 / 16, 4.0 / 16, 0.5 / 16};
  EXPECT_GT(ChiSquare(whole.ids, wrong), 23.5) << "the test could not fail";
  // The lowest column of the tie stays.
  const Drawn four = DrawSteps(logits, {1, 1, 4}, kSteps);
  EXPECT_LT(ChiSquare(four.ids, {1.0 / 15, 8.0 / 15, 2.0 / 15, 4.0 / 15, 0}), 21.1);
  // 8/16 + 4/16 reaches 0.7.
  const Drawn nucleus = DrawSteps(logits, {1, 0.7F, 5}, kSteps);
  EXPECT_LT(ChiSquare(nucleus.ids, {0, 2.0 / 3, 0, 1.0 / 3, 0}), 15.1);
  // Half the temperature squares the weights.
  const Drawn cold = DrawSteps(logits, {0.5F, 1, 5}, kSteps);
  EXPECT_LT(ChiSquare(cold.ids, {1.0 / 86, 64.0 / 86, 4.0 / 86, 16.0 / 86, 1.0 / 86}), 23.5);
  for (std::size_t i = 0; i < kSteps; ++i) {
    ASSERT_NEAR(whole.probability[i], all[static_cast<std::size_t>(whole.ids[i])], 1e-7);
  }
}

TEST(Sample, DrawsFromTheTopKAndTheNucleusOnly) {
  Random random(11);
  std::vector<float> logits(300);
  for (float& logit : logits) {
    logit = static_cast<float>(4 * random.Uniform());
  }
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
  });
  for (const std::int64_t k : {1, 31, 32, 33, 64, 300}) {
    for (const float top_p : {1e-6F, 0.3F, 0.999F, 1.0F}) {
      long double total = 0, mass = 0;
      for (std::int64_t i = 0; i < k; ++i) {
        total += std::exp(static_cast<long double>(
            logits[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]));
      }
      std::vector<std::int32_t> nucleus;
      for (std::int64_t i = 0; i < k && mass < total * static_cast<long double>(top_p) - 1e-9L;
           ++i) {
        nucleus.push_back(order[static_cast<std::size_t>(i)]);
        mass +=
            std::exp(static_cast<long double>(logits[static_cast<std::size_t>(nucleus.back())]));
      }
      const Drawn drawn = DrawSteps(logits, {1, top_p, k}, 500);
      for (std::size_t i = 0; i < drawn.ids.size(); ++i) {
        ASSERT_NE(std::find(nucleus.begin(), nucleus.end(), drawn.ids[i]), nucleus.end())
            << "k " << k << " top_p " << top_p;
        const auto weight =
            std::exp(static_cast<long double>(logits[static_cast<std::size_t>(drawn.ids[i])]));
        ASSERT_NEAR(drawn.probability[i], static_cast<double>(weight / mass), 1e-7);
      }
    }
  }
}

TEST(Sample, ExtremeRows) {
  struct Case {
    std::vector<float> logits;
    std::vector<std::int32_t> possible;
    float probability;
  };
  const std::vector<Case> cases = {
      {{kNan, kNan}, {0}, kNan},       {{kNan, -kInf, -kInf}, {0}, kNan},
      {{-kInf, 3, -kInf}, {1}, 1},     {{kNan, 3, kNan}, {1}, 1},
      {{kInf, 5, kInf}, {0, 2}, 0.5F}, {{0, -3e38F, 3e38F}, {2}, 1},
      {{-0.0F, 0.0F}, {0, 1}, 0.5F},
  };
  for (const Case& c : cases) {
    const Drawn drawn = DrawSteps(c.logits, {1, 1, static_cast<std::int64_t>(c.logits.size())}, 60);
    for (const std::int32_t id : c.possible) {
      EXPECT_NE(std::find(drawn.ids.begin(), drawn.ids.end(), id), drawn.ids.end());
    }
    for (std::size_t i = 0; i < drawn.ids.size(); ++i) {
      EXPECT_NE(std::find(c.possible.begin(), c.possible.end(), drawn.ids[i]), c.possible.end());
      EXPECT_TRUE(drawn.probability[i] == c.probability ||
                  (std::isnan(c.probability) && std::isnan(drawn.probability[i])));
    }
  }
  // Temperatures at the ends of float32.
  EXPECT_EQ(DrawSteps({1, 2, 1}, {0x1p-149F, 1, 3}, 50).ids, std::vector<std::int32_t>(50, 1));
  const Drawn hot = DrawSteps({1, 2, 1}, {3e38F, 1, 3}, 1);
  EXPECT_NEAR(hot.probability[0], 1.0 / 3, 1e-7);
}

TEST(Sample, RowsAndStepsAreIndependentDraws) {
  constexpr std::size_t kRows = 64;
  const std::vector<float> logits(kRows * 16, 0);
  std::vector<std::int32_t> ids(kRows), again(kRows), later(kRows);
  std::vector<float> probability(kRows);
  const auto run = [&](std::uint64_t step, std::vector<std::int32_t>& to) {
    kernels::Run(Table<SampleArgs>::rows[1], SampleArgs{.shape = {kRows, 16, 16},
                                                        .seed = 3,
                                                        .step = step,
                                                        .logits = std::span<const float>(logits),
                                                        .ids = to,
                                                        .probability = probability});
  };
  run(5, ids);
  run(5, again);
  run(6, later);
  EXPECT_EQ(ids, again);
  EXPECT_NE(ids, later);
  // A 16-sided die seldom shows fewer than 10 faces in 64 throws.
  std::sort(again.begin(), again.end());
  EXPECT_GE(std::unique(again.begin(), again.end()) - again.begin(), 10);
}

TEST(Sample, RefusesRulesThatMeanNothing) {
  const std::vector<float> logits = {1, 2};
  std::int32_t id = 0;
  float probability = 0;
  const auto message = [&](float temperature, float top_p, std::int64_t k) -> std::string {
    try {
      kernels::Run(Table<SampleArgs>::rows[0], SampleArgs{.shape = {1, 2, k},
                                                          .temperature = temperature,
                                                          .top_p = top_p,
                                                          .logits = std::span<const float>(logits),
                                                          .ids = {&id, 1},
                                                          .probability = {&probability, 1}});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(1, 1, 2), "no error");
  for (const float temperature : {0.0F, -1.0F, kNan, kInf}) {
    EXPECT_NE(message(temperature, 1, 2).find("temperature"), std::string::npos) << temperature;
  }
  for (const float top_p : {0.0F, -0.5F, 1.001F, kNan}) {
    EXPECT_NE(message(1, top_p, 2).find("top_p"), std::string::npos) << top_p;
  }
  EXPECT_NE(message(1, 1, 3).find("k must be"), std::string::npos);
  EXPECT_NE(message(1, 1, 0).find("k must be"), std::string::npos);
}

}  // namespace
}  // namespace kernels::testing
