// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/session_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfgate::report {

double median(std::span<const double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[half];
  // Halves first: the sum of two large doubles may not exist.
  return sorted[half - 1] / 2 + sorted[half] / 2;
}

Spread spread(std::vector<double> rounds) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (rounds.empty()) return {.median = kNaN, .lo = kNaN, .hi = kNaN, .confidence = 0, .rounds = 0};
  std::sort(rounds.begin(), rounds.end());
  const auto n = rounds.size();
  // below = P(Bin(n, 1/2) < k), built up term by term in logarithms since 2^-n underflows.
  const auto count = static_cast<double>(n);
  const auto term = [&](double i) {
    return std::exp(std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) -
                    count * std::log(2.0));
  };
  std::size_t k = 1;
  double below = term(0);
  while (2 * (k + 1) <= n && 1 - 2 * (below + term(static_cast<double>(k))) >= kWantedConfidence) {
    below += term(static_cast<double>(k));
    ++k;
  }
  return {.median = median(rounds),
          .lo = rounds[k - 1],
          .hi = rounds[n - k],
          .confidence = n == 1 ? 0 : 1 - 2 * below,
          .rounds = static_cast<int>(n)};
}

double bytes_per_second(const Session& session, std::size_t case_index, std::size_t arm) {
  const double bytes = session.cases.at(case_index).work.bytes;
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (bytes <= 0 || session.metrics.empty()) return kNaN;
  return bytes / median(round_medians(session, case_index, 0, arm));
}

double share_of_ceiling(const Session& session, std::size_t case_index, std::size_t arm) {
  const std::string& ceiling = session.cases.at(case_index).work.ceiling;
  const auto found =
      std::find_if(session.cases.begin(), session.cases.end(),
                   [&](const CaseInfo& info) { return !ceiling.empty() && info.name == ceiling; });
  if (found == session.cases.end()) return std::numeric_limits<double>::quiet_NaN();
  const auto index = static_cast<std::size_t>(found - session.cases.begin());
  return bytes_per_second(session, case_index, arm) / bytes_per_second(session, index, arm);
}

bool declares_bytes(const Session& session) {
  return std::any_of(session.cases.begin(), session.cases.end(),
                     [](const CaseInfo& info) { return info.work.bytes > 0; });
}

std::vector<double> round_medians(const Session& session, std::size_t case_index,
                                  std::size_t metric, std::size_t arm) {
  std::vector<double> medians;
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& measured : round.cases) {
      if (measured.case_index != case_index) continue;
      std::vector<double> slices = measured.values.at(metric).at(arm);
      slices.erase(
          std::remove_if(slices.begin(), slices.end(), [](double v) { return !std::isfinite(v); }),
          slices.end());
      if (!slices.empty()) medians.push_back(median(slices));
    }
  }
  return medians;
}

}  // namespace perfgate::report
