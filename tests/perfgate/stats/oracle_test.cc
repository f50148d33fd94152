// SPDX-License-Identifier: Apache-2.0
// Every estimator against scipy, numpy or brute force: tests/data/stats_oracle.json, written by
// oracle/make_oracle.py.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "perfgate/stats/design/planning.h"
#include "perfgate/stats/design/stored.h"
#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/proportion.h"
#include "perfgate/stats/estimate/quantile_interval.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "perfgate/stats/estimate/scale.h"
#include "perfgate/stats/inference/max_t.h"
#include "perfgate/stats/inference/multiplicity.h"
#include "perfgate/stats/inference/rank_sum.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/stats/resample/mean_intervals.h"
#include "tests/support/arguments.h"

namespace perfgate::stats {
namespace {

using Json = nlohmann::json;

const Json& oracle() {
  static const Json json =
      Json::parse(std::ifstream(perfgate::test_support::DataFile("stats_oracle.json")));
  return json;
}

// Relative to the size of the sample, so that intervals around 0 are compared sensibly.
void expect_close(double ours, double theirs, double size, double digits = 1e-10) {
  EXPECT_NEAR(ours, theirs, digits * std::max(size, std::fabs(theirs)));
}

double size_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double v : values) largest = std::max(largest, std::fabs(v));
  return largest;
}

Matrix matrix(const Json& rows) {
  Matrix result(rows.size(), rows.at(0).size());
  for (std::size_t r = 0; r < result.rows; ++r) {
    for (std::size_t c = 0; c < result.cols; ++c) result(r, c) = rows[r][c].get<double>();
  }
  return result;
}

TEST(Oracle, LocationAndScale) {
  for (const Json& item : oracle().at("one_sample")) {
    const auto x = item.at("x").get<std::vector<double>>();
    SCOPED_TRACE(item.at("shape").get<std::string>() + " n = " + std::to_string(x.size()));
    const double size = size_of(x);
    expect_close(median(x), item.at("median"), size);
    expect_close(mean(x), item.at("mean"), size);
    expect_close(sample_sd(x), item.at("sd"), size);
    expect_close(mad_sd(x), item.at("mad_sd"), size);
    expect_close(iqr_sd(x), item.at("iqr_sd"), size);
    expect_close(sample_quantile(x, 0.1), item.at("q10"), size);
    expect_close(sample_quantile(x, 0.99), item.at("q99"), size);
    expect_close(hodges_lehmann(x), item.at("hodges_lehmann"), size);
  }
}

TEST(Oracle, IntervalsOfAMean) {
  for (const Json& item : oracle().at("one_sample")) {
    const auto x = item.at("x").get<std::vector<double>>();
    SCOPED_TRACE(item.at("shape").get<std::string>() + " n = " + std::to_string(x.size()));
    const double size = size_of(x);
    const NominalInterval t = student_t_interval(x);
    expect_close(t.lo, item.at("t").at(0), size);
    expect_close(t.hi, item.at("t").at(1), size);
    const Json& trimmed = item.at("trimmed");
    expect_close(trimmed_mean(x, 0.2), trimmed.at("mean"), size);
    expect_close(winsorised_sd(x, 0.2), trimmed.at("winsorised_sd"), size);
    if (trimmed.contains("lo")) {
      const NominalInterval interval = trimmed_t_interval(x);
      expect_close(interval.estimate, trimmed.at("mean"), size);
      expect_close(interval.lo, trimmed.at("lo"), size);
      expect_close(interval.hi, trimmed.at("hi"), size);
    } else {
      EXPECT_THROW(trimmed_t_interval(x), std::invalid_argument);
    }
  }
}

TEST(Oracle, SignedRankIntervals) {
  std::size_t compared = 0;
  for (const Json& item : oracle().at("one_sample")) {
    if (!item.contains("signed_rank")) continue;
    const auto x = item.at("x").get<std::vector<double>>();
    for (const auto& [level, expected] : item.at("signed_rank").items()) {
      SCOPED_TRACE(item.at("shape").get<std::string>() + " n = " + std::to_string(x.size()) +
                   " level " + level);
      const Interval interval = signed_rank_interval(x, std::stod(level));
      EXPECT_EQ(signed_rank_cutoff(static_cast<int>(x.size()), std::stod(level)).k,
                expected.at("k").get<int>());
      ASSERT_EQ(interval.valid, expected.contains("lo"));
      if (!interval.valid) continue;
      expect_close(interval.lo, expected.at("lo"), 0.0, 1e-15);
      expect_close(interval.hi, expected.at("hi"), 0.0, 1e-15);
      ++compared;
    }
  }
  EXPECT_GT(compared, 50U);
}

TEST(Oracle, QuantileRanks) {
  for (const Json& item : oracle().at("quantile_ranks")) {
    const auto n = item.at("n").get<std::size_t>();
    const double p = item.at("p");
    SCOPED_TRACE("n = " + std::to_string(n) + " p = " + std::to_string(p));
    const auto ranks = quantile_ranks(n, p);
    ASSERT_EQ(ranks.has_value(), item.contains("lo"));
    EXPECT_EQ(values_needed(p) <= n, ranks.has_value());
    if (!ranks) continue;
    EXPECT_EQ(ranks->lo, item.at("lo").get<std::size_t>());
    EXPECT_EQ(ranks->hi, item.at("hi").get<std::size_t>());
    EXPECT_NEAR(ranks->attained, item.at("attained").get<double>(), 1e-11);
  }
}

TEST(Oracle, Proportions) {
  for (const Json& item : oracle().at("proportions")) {
    const auto x = item.at("successes").get<std::uint64_t>();
    const auto n = item.at("trials").get<std::uint64_t>();
    SCOPED_TRACE(std::to_string(x) + " of " + std::to_string(n));
    const ProportionInterval exact = clopper_pearson(x, n, item.at("confidence"));
    const ProportionInterval score = wilson(x, n, item.at("confidence"));
    EXPECT_NEAR(exact.lo, item.at("exact").at(0).get<double>(), 1e-11);
    EXPECT_NEAR(exact.hi, item.at("exact").at(1).get<double>(), 1e-11);
    EXPECT_NEAR(score.lo, item.at("wilson").at(0).get<double>(), 1e-11);
    EXPECT_NEAR(score.hi, item.at("wilson").at(1).get<double>(), 1e-11);
  }
}

TEST(Oracle, Multiplicity) {
  for (const Json& item : oracle().at("multiplicity")) {
    const auto p = item.at("p").get<std::vector<double>>();
    const std::vector<double> by_holm = holm(p);
    const std::vector<double> by_bh = benjamini_hochberg(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_NEAR(by_holm[i], item.at("holm").at(i).get<double>(), 1e-14);
      EXPECT_NEAR(by_bh[i], item.at("benjamini_hochberg").at(i).get<double>(), 1e-14);
    }
  }
}

TEST(Oracle, RankSums) {
  for (const Json& item : oracle().at("rank_sums")) {
    const auto a = item.at("a").get<std::vector<double>>();
    const auto b = item.at("b").get<std::vector<double>>();
    SCOPED_TRACE(std::to_string(a.size()) + " and " + std::to_string(b.size()));
    const RankSum test = rank_sum_test(a, b);
    EXPECT_EQ(test.u, item.at("u").get<double>());
    EXPECT_NEAR(test.p_two_sided, item.at("two_sided").get<double>(), 1e-10);
    EXPECT_NEAR(test.p_greater, item.at("greater").get<double>(), 1e-10);
  }
}

TEST(Oracle, MaxT) {
  for (const Json& item : oracle().at("max_t")) {
    const MaxT test = max_t(matrix(item.at("x")));
    EXPECT_TRUE(test.exact);
    for (std::size_t c = 0; c < test.z.size(); ++c) {
      EXPECT_NEAR(test.z[c], item.at("z").at(c).get<double>(), 1e-12);
      EXPECT_NEAR(test.p_adjusted[c], item.at("adjusted").at(c).get<double>(), 1e-12);
      EXPECT_NEAR(test.p_single[c], item.at("single").at(c).get<double>(), 1e-12);
    }
  }
}

TEST(Oracle, StoredSessions) {
  for (const Json& item : oracle().at("stored")) {
    const Matrix base = matrix(item.at("baseline"));
    const std::vector<double> taus(base.cols, item.at("tau").get<double>());
    const Stored result = compare_stored(base, matrix(item.at("candidate")), taus);
    for (std::size_t c = 0; c < base.cols; ++c) {
      EXPECT_NEAR(result.columns[c].p_adjusted, item.at("p").at(c).get<double>(), 1e-12);
      EXPECT_NEAR(result.columns[c].delta, item.at("delta").at(c).get<double>(), 1e-12);
      ASSERT_TRUE(result.columns[c].interval);
      EXPECT_NEAR(result.columns[c].interval->lo, item.at("lo").at(c).get<double>(), 1e-11);
      EXPECT_NEAR(result.columns[c].interval->hi, item.at("hi").at(c).get<double>(), 1e-11);
    }
  }
}

TEST(Oracle, Planning) {
  for (const Json& item : oracle().at("planning")) {
    const double s = item.at("s");
    const double alpha = item.at("alpha");
    EXPECT_EQ(rounds_needed(s, item.at("theta"), alpha), item.at("rounds").get<int>());
    EXPECT_NEAR(detectable_distance(s, 16, alpha), item.at("distance").get<double>(), 1e-12);
  }
}

TEST(Oracle, Quantiles) {
  const Json& item = oracle().at("quantiles");
  for (std::size_t i = 0; i < item.at("p").size(); ++i) {
    const double p = item.at("p")[i];
    expect_close(normal_quantile(p), item.at("normal")[i], 1.0);
    expect_close(student_t_quantile(p, 3.0), item.at("t3")[i], 1.0);
    expect_close(student_t_quantile(p, 39.0), item.at("t39")[i], 1.0);
  }
  for (std::size_t i = 0; i < item.at("cdf_at").size(); ++i) {
    expect_close(normal_cdf(item.at("cdf_at")[i]), item.at("cdf")[i], 0.0);
  }
}

}  // namespace
}  // namespace perfgate::stats
