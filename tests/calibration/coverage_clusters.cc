// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/inference/signed_rank.h"
#include "perfgate/stats/resample/bootstrap.h"
#include "perfgate/stats/resample/mean_intervals.h"
#include "tests/calibration/coverage_methods.h"
#include "tests/calibration/coverage_tables.h"

namespace perfgate::calibration {
namespace {

constexpr std::array<std::size_t, 4> kSessions = {5, 10, 20, 40};
constexpr std::size_t kPerSession = 10;
// SD between sessions over SD within a session.
constexpr std::array<double, 4> kRatios = {0.0, 0.5, 1.0, 2.0};

enum : std::size_t { kNaive, kCluster, kStudent, kSignedRank, kCounters };

using Sessions = std::vector<std::vector<double>>;

// Normal noise with mean 0 in and between sessions: the case that favours every method here.
Sessions draw_sessions(std::size_t count, double ratio, Stream& stream) {
  Sessions sessions(count);
  for (std::vector<double>& session : sessions) {
    const double shift = ratio * stream.normal();
    for (std::size_t i = 0; i < kPerSession; ++i) {
      session.push_back(shift + stream.normal());
    }
  }
  return sessions;
}

// The resamples of a batch: of single values for the naive interval, of sessions for the other.
struct Weights {
  stats::ResampleWeights values;
  stats::ResampleWeights sessions;
};

void count_trial(const Sessions& sessions, const Weights& weights, std::span<std::size_t> found) {
  const auto holds = [](const auto& interval) -> std::size_t {
    return interval.lo <= 0.0 && 0.0 <= interval.hi ? 1 : 0;
  };
  stats::Matrix pooled(sessions.size() * kPerSession, 1);
  std::vector<double> means;
  std::size_t next = 0;
  for (const std::vector<double>& session : sessions) {
    means.push_back(stats::mean(session));
    for (const double value : session) {
      pooled(next++, 0) = value;
    }
  }
  found[kNaive] += holds(
      stats::bootstrap_means(pooled, stats::BootstrapMethod::kPercentile, weights.values).front());
  found[kCluster] += holds(stats::cluster_bootstrap(sessions, weights.sessions));
  found[kStudent] += holds(stats::student_t_interval(means));
  const stats::Interval ranks = stats::signed_rank_interval(means, 0.025);
  found[kSignedRank] += ranks.valid ? holds(ranks) : 0;
}

std::array<double, kCounters> cell_coverage(std::size_t count, double ratio, std::size_t cell,
                                            const Options& options) {
  const auto hits =
      tally(options.trials, options.threads, kCounters, [&](const Batch& batch, auto found) {
        const Weights weights = {
            stats::resample_weights(count * kPerSession, kResamples, batch.index + 1),
            stats::resample_weights(count, kResamples, batch.index + 1)};
        for (std::size_t trial = batch.first; trial < batch.last; ++trial) {
          Stream stream(cell, trial);
          count_trial(draw_sessions(count, ratio, stream), weights, found);
        }
      });
  std::array<double, kCounters> coverage{};
  for (std::size_t m = 0; m < kCounters; ++m) {
    coverage[m] = share(hits[m], options.trials);
  }
  return coverage;
}

}  // namespace

void clusters_table(const Options& options, Checks& checks) {
  Table table{"coverage_clusters",
              {"sessions of 10 values", "SD between / within", "percentile bootstrap of all values",
               "cluster bootstrap", "Student t of session means", "signed rank of session means"},
              {}};
  for (const std::size_t count : kSessions) {
    for (std::size_t r = 0; r < kRatios.size(); ++r) {
      const double ratio = kRatios[r];
      const auto coverage = cell_coverage(count, ratio, kClusterCells + 100 * count + r, options);
      const std::string cell = std::to_string(count) + " sessions, ratio " + fixed(ratio, 1);
      table.rows.push_back(
          {std::to_string(count), fixed(ratio, 1), percent(coverage[kNaive]),
           percent(coverage[kCluster]), percent(coverage[kStudent]),
           count < stats::kMinimumRounds ? "none" : percent(coverage[kSignedRank])});
      // Means of normal sessions are normal and independent, so two of the four are exact.
      const double slack = 4.0 * share_se(0.95, options.trials);
      checks.expect(std::abs(coverage[kStudent] - 0.95) <= slack,
                    "t of session means is exact; " + cell + ": " + percent(coverage[kStudent]));
      if (count >= stats::kMinimumRounds) {
        const double exact =
            stats::signed_rank_cutoff(static_cast<std::int64_t>(count), 0.025).attained;
        checks.expect(std::abs(coverage[kSignedRank] - exact) <= slack,
                      "signed rank of session means is exact; " + cell);
      }
      if (ratio > 0.0) {
        checks.expect(coverage[kNaive] < coverage[kCluster], "sessions count; " + cell);
      }
      checks.expect(coverage[kCluster] < 0.95 + slack, "the cluster bootstrap's fault; " + cell);
    }
  }
  print(table);
}

}  // namespace perfgate::calibration
