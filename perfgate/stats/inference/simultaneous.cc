// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/simultaneous.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {
namespace {

// As in max_t.cc: sums of 8 rounds are tabulated for all 256 sign patterns.
constexpr std::size_t kByteRounds = 8;
constexpr std::size_t kByteValues = 256;
constexpr double kSlack = 1e-12;  // levels that differ by rounding alone are one

void require_series(const RoundSeries& series) {
  require(!series.d.empty(), "simultaneous_intervals: a comparison without rounds");
  require(series.d.size() == series.rounds.size(),
          "simultaneous_intervals: every value needs its round");
  require_finite(series.d, "simultaneous_intervals");
  require(std::adjacent_find(series.rounds.begin(), series.rounds.end(),
                             [](std::size_t a, std::size_t b) { return a >= b; }) ==
              series.rounds.end(),
          "simultaneous_intervals: rounds must ascend");
}

// What negating rounds does to the signed-rank statistic of one comparison around its estimate.
// table[g * 256 + m]: the ranks with a positive sign among the rounds of byte g where the rounds in
// m are negated. Equal distances are ranked in the order of the rounds and 0 counts as positive:
// then the statistic of every comparison has Wilcoxon's distribution, ties or none.
std::vector<int> rank_table(const RoundSeries& series, double centre, std::size_t bytes) {
  std::vector<std::size_t> order(series.d.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::fabs(series.d[a] - centre) < std::fabs(series.d[b] - centre);
  });
  std::vector<int> table(bytes * kByteValues, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t round = series.rounds[order[i]];
    const bool positive = series.d[order[i]] >= centre;
    int* sums = &table[round / kByteRounds * kByteValues];
    for (std::size_t m = 0; m < kByteValues; ++m) {
      const bool negated = ((m >> (round % kByteRounds)) & 1U) != 0;
      if (positive != negated) sums[m] += static_cast<int>(i) + 1;
    }
  }
  return table;
}

// Per sign vector the smallest p so far.
void lower_to(const std::vector<int>& table, const std::vector<double>& two_sided,
              const SignFlips& signs, std::size_t bytes, int most, std::vector<double>& smallest) {
  for (std::size_t f = 0; f < signs.count; ++f) {
    int w = 0;
    for (std::size_t g = 0; g < bytes; ++g) {
      const std::uint64_t word = signs.words[f * signs.words_per_flip + g / 8];
      w += table[g * kByteValues + ((word >> (8 * (g % 8))) & 0xFFU)];
    }
    const double p = two_sided[static_cast<std::size_t>(std::min(w, most - w))];
    smallest[f] = std::min(smallest[f], p);
  }
}

struct Level {
  double c = 0;
  double attained = 0;
};

// The largest level that at most `wrong` of the sign vectors reach, in ascending order of their p;
// `least`, which needs none, where that is larger.
Level level_of(const std::vector<double>& smallest, double wrong, double least) {
  const auto share = [&](double c) {
    const auto end = std::upper_bound(smallest.begin(), smallest.end(), c + kSlack);
    return static_cast<double>(end - smallest.begin()) / static_cast<double>(smallest.size());
  };
  double c = least;
  const auto allowed =
      static_cast<std::size_t>(wrong * static_cast<double>(smallest.size()) + kSlack);
  if (allowed < smallest.size()) {
    const auto beyond =
        std::lower_bound(smallest.begin(), smallest.end(), smallest[allowed] - kSlack);
    if (beyond != smallest.begin()) c = std::max(c, *std::prev(beyond));
  }
  return {c, 1 - share(c)};
}

// The level by joint flips of the comparisons that count.
Level flipped_level(const std::vector<const RoundSeries*>& counted, double wrong,
                    std::uint64_t seed, std::size_t flips) {
  std::size_t rounds = 0;
  for (const RoundSeries* series : counted) rounds = std::max(rounds, series->rounds.back() + 1);
  require(rounds <= static_cast<std::size_t>(kMostRounds),
          "simultaneous_intervals: more than 100,000 rounds");
  const SignFlips signs = sign_flips(static_cast<int>(rounds), seed, flips);
  const std::size_t bytes = (rounds + kByteRounds - 1) / kByteRounds;
  std::map<std::size_t, std::vector<double>> two_sided;  // by number of rounds
  std::vector<double> smallest(signs.count, 1.0);
  double least_p = 1;  // of any comparison: its smallest and largest round
  for (const RoundSeries* series : counted) {
    const std::size_t n = series->d.size();
    std::vector<double>& p = two_sided[n];
    if (p.empty()) {
      p = signed_rank_null_cdf(static_cast<std::int64_t>(n));
      for (double& value : p) value = std::min(1.0, 2 * value);
    }
    least_p = std::min(least_p, p.front());
    lower_to(rank_table(*series, hodges_lehmann(series->d), bytes), p, signs, bytes,
             static_cast<int>(n * (n + 1) / 2), smallest);
  }
  std::sort(smallest.begin(), smallest.end());
  const double m = static_cast<double>(counted.size());
  Level level = level_of(smallest, wrong, wrong / m);
  if (level.c < least_p - kSlack) level = level_of(smallest, 0, least_p);
  // What Bonferroni promises is promised without the flips.
  level.attained = std::max(level.attained, 1 - m * level.c);
  return level;
}

}  // namespace

SimultaneousIntervals simultaneous_intervals(std::span<const RoundSeries> series, double confidence,
                                             std::uint64_t seed, std::size_t flips) {
  require(confidence > 0 && confidence < 1, "simultaneous_intervals: confidence in (0, 1)");
  std::vector<const RoundSeries*> counted;
  std::size_t longest = 0;
  for (const RoundSeries& one : series) {
    require_series(one);
    if (one.d.size() < static_cast<std::size_t>(kMinimumRounds)) continue;
    counted.push_back(&one);
    longest = std::max(longest, one.d.size());
  }
  const double wrong = 1 - confidence;
  SimultaneousIntervals result;
  Level level;
  if (longest > static_cast<std::size_t>(kMostExactRounds)) {
    level = {wrong / static_cast<double>(counted.size()), confidence};
  } else if (!counted.empty()) {
    level = flipped_level(counted, wrong, seed, flips);
  }
  std::map<std::size_t, SignedRankCutoff> cutoffs;
  for (const RoundSeries& one : series) {
    const auto n = static_cast<std::int64_t>(one.d.size());
    SignedRankCutoff cutoff{n, -1, 0};
    if (n >= kMinimumRounds && level.c > 0) {
      const auto [at, is_new] = cutoffs.try_emplace(one.d.size());
      if (is_new) at->second = signed_rank_cutoff(n, std::min(0.5, level.c / 2 + kSlack));
      cutoff = at->second;
    }
    result.comparisons.push_back(signed_rank(one.d, cutoff));
  }
  result.attained = counted.empty() ? 0 : level.attained;
  result.holds = !counted.empty() && result.attained >= confidence - kSlack;
  return result;
}

int rounds_for_simultaneous(std::size_t comparisons, double confidence) {
  require(confidence > 0 && confidence < 1, "rounds_for_simultaneous: confidence in (0, 1)");
  int n = kMinimumRounds;
  while (static_cast<double>(comparisons) * std::ldexp(1.0, 1 - n) > 1 - confidence + kSlack) ++n;
  return n;
}

}  // namespace perfgate::stats
