// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/two_clocks.h"

#include <algorithm>
#include <cmath>

namespace perfgate::bench {
namespace {

// Below these nothing is said: the two clocks differ in rate and the release in latency.
constexpr double kSlackS = 10e-6;
constexpr double kShare = 0.03;

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

std::vector<double> Excesses(const std::vector<TimedSample>& samples) {
  std::vector<double> excess;
  excess.reserve(samples.size());
  for (const TimedSample& sample : samples) excess.push_back(sample.host_s - sample.device_s);
  return excess;
}

}  // namespace

TwoClocks::TwoClocks(const std::vector<TimedSample>& honest) {
  const std::vector<double> excess = Excesses(honest);
  typical_s_ = Quantile(excess, 0.5);
  // The quartile of few samples wanders within this.
  spread_s_ = std::min(Quantile(excess, 0.75) - typical_s_, 50e-6);
}

double TwoClocks::Allowed(double device_s) const {
  return typical_s_ + std::max(kSlackS, 2 * spread_s_) + kShare * device_s;
}

double TwoClocks::Unexplained(const std::vector<TimedSample>& samples) const {
  std::vector<double> over;
  std::vector<double> under;
  for (const TimedSample& sample : samples) {
    const double excess = sample.host_s - sample.device_s;
    over.push_back(excess - Allowed(sample.device_s));
    under.push_back(-excess - kSlackS - kShare * sample.device_s);
  }
  return std::max(Quantile(over, 0.25), Quantile(under, 0.25));
}

}  // namespace perfgate::bench
