// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/quantile_interval.h"
#include "perfgate/stats/estimate/quantiles.h"
#include "tests/calibration/coverage_methods.h"
#include "tests/calibration/coverage_tables.h"

namespace perfgate::calibration {
namespace {

constexpr std::array<double, 3> kQuantiles = {0.5, 0.95, 0.99};
constexpr std::array<std::size_t, 5> kSizes = {50, 100, 300, 1000, 3000};

// A shape with its distribution function: an interval holds the p-quantile where
// cdf(lo) <= p <= cdf(hi).
struct Shape {
  Noise noise;
  std::function<double(double)> cdf;
};

double t3_cdf(double x) {
  const double scaled = x / std::sqrt(3.0);
  return 0.5 + (scaled / (1.0 + scaled * scaled) + std::atan(scaled)) / std::acos(-1.0);
}

std::vector<Shape> shapes() {
  const auto normal = [](double x) { return stats::normal_cdf(x); };
  return {
      {normal_noise(), normal},
      {lognormal_noise(1.0),
       [](double x) { return x <= 0.0 ? 0.0 : stats::normal_cdf(std::log(x)); }},
      {t3_noise(), t3_cdf},
      {bimodal_noise(0.7), [normal](double x) { return 0.7 * normal(x) + 0.3 * normal(x - 4.0); }},
      {contaminated_noise(0.1),
       [normal](double x) { return 0.9 * normal(x) + 0.1 * normal(x / 10.0); }}};
}

// P(binomial(n, p) >= k), 0 < p < 1.
double binomial_tail(std::size_t n, double p, std::size_t k) {
  const auto log_factorial = [](std::size_t i) { return std::lgamma(static_cast<double>(i) + 1); };
  double sum = 0.0;
  for (std::size_t i = k; i <= n; ++i) {
    sum += std::exp(log_factorial(n) - log_factorial(i) - log_factorial(n - i) +
                    static_cast<double>(i) * std::log(p) +
                    static_cast<double>(n - i) * std::log1p(-p));
  }
  return sum;
}

// Ranks (0-based) that the percentile bootstrap of the ceil(pn)-th smallest value ends at with
// infinitely many resamples: that value of a resample is at most the j-th smallest (1-based) where
// at least ceil(pn) of n draws are, each with probability j / n.
struct Ranks {
  std::size_t lo = 0;
  std::size_t hi = 0;
};
Ranks bootstrap_ranks(std::size_t n, double p) {
  const auto k = static_cast<std::size_t>(std::ceil(p * static_cast<double>(n) - 1e-9));
  const auto first_reaching = [&](double level) {
    std::size_t lo = 1;
    std::size_t hi = n;
    while (lo < hi) {
      const std::size_t j = (lo + hi) / 2;
      if (binomial_tail(n, share(j, n), k) >= level) {
        hi = j;
      } else {
        lo = j + 1;
      }
    }
    return lo - 1;
  };
  return {first_reaching(0.025), first_reaching(0.975)};
}

std::string ordinal_pair(std::size_t lo, std::size_t hi) {
  return std::to_string(lo + 1) + " and " + std::to_string(hi + 1);
}

std::string name_of(double p) {
  return p == 0.5 ? "median" : "p" + std::to_string(std::lround(100.0 * p));
}

enum : std::size_t { kExactHits, kBootstrapHits, kCounters };

// One cell: how often the two intervals hold the quantile.
std::vector<std::size_t> cell_hits(const Shape& shape, std::size_t n, double p, std::size_t cell,
                                   const Options& options) {
  const Ranks resampled = bootstrap_ranks(n, p);
  return tally(options.trials, options.threads, kCounters, [&](const Batch& batch, auto found) {
    const stats::Matrix d = draw_samples(shape.noise, n, cell, batch);
    for (std::size_t c = 0; c < d.cols; ++c) {
      const std::vector<double> values = stats::sorted(d.column(c));
      const auto holds = [&](double lo, double hi) -> std::size_t {
        return shape.cdf(lo) <= p && p <= shape.cdf(hi) ? 1 : 0;
      };
      const stats::Interval interval = stats::quantile_interval(values, p);
      found[kExactHits] += interval.valid ? holds(interval.lo, interval.hi) : 0;
      found[kBootstrapHits] += holds(values[resampled.lo], values[resampled.hi]);
    }
  });
}

}  // namespace

void quantiles_table(const Options& options, Checks& checks) {
  Table table{"coverage_quantiles",
              {"quantile", "values", "interval: which values, in order of size", "exact coverage",
               "simulated", "percentile bootstrap, simulated"},
              {}};
  const std::vector<Shape> all = shapes();
  for (std::size_t q = 0; q < kQuantiles.size(); ++q) {
    const double p = kQuantiles[q];
    for (const std::size_t n : kSizes) {
      const std::optional<stats::QuantileRanks> ranks = stats::quantile_ranks(n, p);
      Extremes exact;
      Extremes bootstrap;
      for (std::size_t s = 0; s < all.size(); ++s) {
        const std::size_t cell = kQuantileCells + (q * all.size() + s) * 10000 + n;
        const auto hits = cell_hits(all[s], n, p, cell, options);
        exact.add(share(hits[kExactHits], options.trials));
        bootstrap.add(share(hits[kBootstrapHits], options.trials));
      }
      std::vector<std::string> row = {name_of(p), std::to_string(n)};
      if (ranks) {
        const double slack = 4.0 * share_se(ranks->attained, options.trials);
        const std::string cell = name_of(p) + " of " + std::to_string(n) + ": " + exact.percent();
        checks.expect(ranks->attained >= 0.95, "at least 95 %; " + cell);
        checks.expect(exact.lo() >= ranks->attained - slack, "not below the exact; " + cell);
        checks.expect(exact.hi() <= ranks->attained + slack, "not above the exact; " + cell);
        row.insert(row.end(),
                   {ordinal_pair(ranks->lo, ranks->hi), percent(ranks->attained), exact.percent()});
      } else {
        row.insert(row.end(), {"none: needs " + std::to_string(stats::values_needed(p)), "-", "-"});
        checks.expect(exact.hi() == 0.0, "no interval below the values needed");
      }
      row.push_back(bootstrap.percent());
      table.rows.push_back(row);
    }
  }
  print(table);
}

}  // namespace perfgate::calibration
