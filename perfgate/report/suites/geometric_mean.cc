// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/suites/geometric_mean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/text/format.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/verdict/alternatives/pairs.h"

namespace perfgate::report {
namespace {

constexpr std::size_t kFewestCases = 2;

struct Cases {
  std::vector<const ColumnVerdict*> measured;
  int left_out = 0;
};

// Gated cases that have the metric.
Cases CasesWith(const SuiteVerdict& verdict, const std::string& metric) {
  Cases cases;
  for (const ColumnVerdict& column : verdict.columns) {
    if (!column.gated || column.metric.name != metric) continue;
    if (std::isfinite(column.effect.estimate) && column.effect.estimate > -1) {
      cases.measured.push_back(&column);
    } else {
      ++cases.left_out;
    }
  }
  return cases;
}

std::vector<Metric> MetricsIn(const SuiteVerdict& verdict) {
  std::vector<Metric> metrics;
  for (const ColumnVerdict& column : verdict.columns) {
    const bool known = std::ranges::any_of(
        metrics, [&](const Metric& metric) { return metric.name == column.metric.name; });
    if (column.gated && is_relative(column.metric.kind) && !known) metrics.push_back(column.metric);
  }
  return metrics;
}

template <class Items, class Name>
std::size_t IndexOf(const Items& items, const Name& name) {
  const auto found =
      std::ranges::find_if(items, [&](const auto& item) { return item.name == name; });
  return static_cast<std::size_t>(found - items.begin());
}

// Per round the mean of the log ratios of all these cases; empty where a case is not in the
// session.
std::vector<double> RoundMeans(const Session& session, const Cases& cases, const Metric& metric) {
  const std::size_t m = IndexOf(session.metrics, metric.name);
  if (m == session.metrics.size() || session.arms.size() != 2) return {};
  std::vector<stats::RoundSeries> series;
  for (const ColumnVerdict* column : cases.measured) {
    const std::size_t c = IndexOf(session.cases, column->case_name);
    if (c == session.cases.size()) return {};
    series.push_back(speed_ups_of(session, c, m, {0, 1}));
  }
  std::vector<double> means = mean_over_cases(series).d;
  for (double& mean : means) mean = -mean;  // of speed-ups
  return means;
}

void TakeRounds(const std::vector<double>& means, GeometricMean& mean) {
  mean.rounds = static_cast<int>(means.size());
  mean.effect = std::expm1(stats::hodges_lehmann(means));
  if (mean.rounds < stats::kMinimumRounds) return;
  const stats::Interval interval =
      stats::signed_rank_interval(means, stats::sequential_level(mean.rounds));
  if (!interval.valid) return;
  mean.lo = std::expm1(interval.lo);
  mean.hi = std::expm1(interval.hi);
}

}  // namespace

std::vector<GeometricMean> GeometricMeansOf(const ReportedSuite& suite) {
  std::vector<GeometricMean> means;
  if (!suite.verdict) return means;
  for (const Metric& metric : MetricsIn(*suite.verdict)) {
    const Cases cases = CasesWith(*suite.verdict, metric.name);
    if (cases.measured.size() < kFewestCases) continue;
    GeometricMean mean;
    mean.metric = metric;
    mean.cases = static_cast<int>(cases.measured.size());
    mean.left_out = cases.left_out;
    const std::vector<double> rounds =
        suite.session ? RoundMeans(*suite.session, cases, metric) : std::vector<double>();
    if (!rounds.empty()) {
      TakeRounds(rounds, mean);
    } else {
      double sum = 0;
      for (const ColumnVerdict* column : cases.measured) sum += std::log1p(column->effect.estimate);
      mean.effect = std::expm1(sum / static_cast<double>(cases.measured.size()));
    }
    means.push_back(mean);
  }
  return means;
}

std::string GeometricMeanText(const GeometricMean& mean) {
  std::string text = fmt::format("geometric mean over {} cases, {}: {}", mean.cases,
                                 mean.metric.name, format_change(mean.effect, mean.metric));
  if (std::isfinite(mean.lo)) {
    text += " [" + format_change_number(mean.lo, mean.metric) + ", " +
            format_change_number(mean.hi, mean.metric) + "]";
  }
  if (mean.rounds > 0) text += fmt::format(", n = {}", mean.rounds);
  if (mean.left_out > 0)
    text += " (" + counted(mean.left_out, "case") + " without a change left out)";
  return text;
}

std::string GeometricMeanMethod(const GeometricMean& mean) {
  if (mean.rounds == 0) {
    return "It is the geometric mean of the printed changes and has no interval; report the "
           "session file with the verdict to get one.";
  }
  std::string text =
      "Its sample is the rounds that measured all of these cases: each gives the mean of the log "
      "ratios candidate/baseline. ";
  text += std::isfinite(mean.lo)
              ? "Estimate: Hodges-Lehmann; interval: 95 % by signed ranks, valid after early "
                "stopping. It speaks of these cases, not of others."
              : "Estimate: Hodges-Lehmann; fewer than 6 rounds carry no interval.";
  return text;
}

}  // namespace perfgate::report
