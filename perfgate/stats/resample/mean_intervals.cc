// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/resample/mean_intervals.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/estimate/quantiles.h"

namespace perfgate::stats {
namespace {

// Values cut from each end. The product of a decimal fraction may fall just below a whole number:
// .29 * 100 is 28.999999999999996.
std::size_t cut(std::size_t n, double trim) {
  require(n >= 1, "trimmed mean: no values");
  require(trim >= 0.0 && trim < 0.5, "trimmed mean: trim must be in [0, .5)");
  const double exact = trim * static_cast<double>(n);
  return static_cast<std::size_t>(std::floor(exact + 1e-9 * std::max(1.0, exact)));
}

NominalInterval around(double estimate, double half, double confidence) {
  require(std::isfinite(estimate) && std::isfinite(half),
          "interval of a mean: the values spread beyond the range of a double");
  return {estimate, estimate - half, estimate + half, confidence};
}

void require_confidence(double confidence) {
  require(confidence > 0.0 && confidence < 1.0,
          "interval of a mean: the confidence must be in (0, 1)");
}

}  // namespace

NominalInterval student_t_interval(std::span<const double> d, double confidence) {
  require_confidence(confidence);
  const auto n = static_cast<double>(d.size());
  const double se = sample_sd(d) / std::sqrt(n);
  return around(mean(d), student_t_quantile(0.5 + 0.5 * confidence, n - 1.0) * se, confidence);
}

double trimmed_mean(std::span<const double> values, double trim) {
  const std::size_t g = cut(values.size(), trim);
  const std::vector<double> ascending = sorted(values);
  return mean(std::span(ascending).subspan(g, ascending.size() - 2 * g));
}

double winsorised_sd(std::span<const double> values, double trim) {
  const std::size_t g = cut(values.size(), trim);
  std::vector<double> ascending = sorted(values);
  const std::size_t last = ascending.size() - 1 - g;
  for (std::size_t i = 0; i < g; ++i) {
    ascending[i] = ascending[g];
    ascending[ascending.size() - 1 - i] = ascending[last];
  }
  return sample_sd(ascending);
}

NominalInterval trimmed_t_interval(std::span<const double> d, double trim, double confidence) {
  require_confidence(confidence);
  const std::size_t g = cut(d.size(), trim);
  const std::size_t left = d.size() - 2 * g;
  require(left >= 2, "trimmed_t_interval: fewer than two values are left");
  const auto n = static_cast<double>(d.size());
  const double se =
      winsorised_sd(d, trim) / ((1.0 - 2.0 * static_cast<double>(g) / n) * std::sqrt(n));
  const double t = student_t_quantile(0.5 + 0.5 * confidence, static_cast<double>(left) - 1.0);
  return around(trimmed_mean(d, trim), t * se, confidence);
}

}  // namespace perfgate::stats
