// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/inference/max_t.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "perfgate/stats/estimate/order_statistics.h"
#include "perfgate/stats/estimate/preconditions.h"
#include "perfgate/stats/resample/parallel.h"

namespace perfgate::stats {
namespace {

// Rounds are summed in bytes: for 8 rounds all 256 signed sums are tabulated once per column, so a
// Z costs rounds / 8 additions instead of `rounds`. The order of the additions is fixed: ascending
// rounds within a byte, then ascending bytes.
constexpr std::size_t kByteRounds = 8;
constexpr std::size_t kByteValues = 256;

// Columns handled together. A table of 5 bytes x 256 values x 8 columns is 80 KiB: it stays in a
// second-level cache while all flips pass over it.
constexpr std::size_t kBlock = 8;
using BlockSums = std::array<double, kBlock>;

// byte g of flip f at [f * bytes + g], bits of absent rounds cleared.
std::vector<std::uint8_t> flip_bytes(const SignFlips& flips, std::size_t bytes) {
  const auto rounds = static_cast<std::size_t>(flips.rounds);
  std::vector<std::uint8_t> result(flips.count * bytes);
  for (std::size_t f = 0; f < flips.count; ++f) {
    for (std::size_t g = 0; g < bytes; ++g) {
      const std::uint64_t word = flips.words[f * flips.words_per_flip + g / 8];
      const std::size_t present = std::min(kByteRounds, rounds - g * kByteRounds);
      const std::uint64_t mask = (std::uint64_t{1} << present) - 1;
      result[f * bytes + g] = static_cast<std::uint8_t>((word >> (8 * (g % 8))) & mask);
    }
  }
  return result;
}

// table[g * 256 + m][b] = sum of +-u over the rounds of byte g, negated where m has a bit, for the
// columns order[first + b]. Unused columns of the last block stay 0.
void fill_table(const Matrix& u, std::span<const std::size_t> columns, std::size_t bytes,
                std::vector<BlockSums>& table) {
  std::fill(table.begin(), table.end(), BlockSums{});
  for (std::size_t g = 0; g < bytes; ++g) {
    BlockSums* sums = &table[g * kByteValues];
    const std::size_t present = std::min(kByteRounds, u.rows - g * kByteRounds);
    for (std::size_t bit = 0; bit < present; ++bit) {
      const std::size_t half = std::size_t{1} << bit;
      for (std::size_t m = 0; m < half; ++m) {
        for (std::size_t b = 0; b < columns.size(); ++b) {
          const double score = u(g * kByteRounds + bit, columns[b]);
          sums[m | half][b] = sums[m][b] - score;
          sums[m][b] += score;
        }
      }
    }
  }
}

BlockSums z_of_flip(const std::vector<BlockSums>& table, const std::uint8_t* bytes,
                    std::size_t count) {
  BlockSums z = table[bytes[0]];
  for (std::size_t g = 1; g < count; ++g) {
    const BlockSums& term = table[g * kByteValues + bytes[g]];
    for (std::size_t b = 0; b < kBlock; ++b) {
      z[b] += term[b];
    }
  }
  return z;
}

std::vector<std::size_t> order_by_descending(const std::vector<double>& z) {
  std::vector<std::size_t> order(z.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return z[a] > z[b]; });
  return order;
}

struct Counts {
  std::vector<std::size_t> raw, step;  // per position in the order
  std::vector<double> largest;         // per flip, over all columns
};

// Columns are visited from the last position to the first, so that one running maximum per flip is
// the maximum over "this position and all after it".
Counts count_some_flips(const Matrix& u, const std::vector<std::size_t>& order,
                        const std::vector<double>& z, std::span<const std::uint8_t> bytes,
                        std::size_t flips) {
  const std::size_t bytes_per_flip = bytes.size() / flips;
  Counts counts;
  counts.raw.assign(order.size(), 0);
  counts.step.assign(order.size(), 0);
  counts.largest.assign(flips, -std::numeric_limits<double>::infinity());
  std::vector<BlockSums> table(bytes_per_flip * kByteValues);

  for (std::size_t end = order.size(); end > 0;) {
    const std::size_t size = std::min(kBlock, end);
    const std::size_t first = end - size;
    fill_table(u, std::span(order).subspan(first, size), bytes_per_flip, table);
    std::array<double, kBlock> threshold{};
    for (std::size_t b = 0; b < size; ++b) {
      threshold[b] = z[order[first + b]] - kTie;
    }
    std::array<std::size_t, kBlock> raw{};
    std::array<std::size_t, kBlock> step{};
    for (std::size_t f = 0; f < flips; ++f) {
      const BlockSums sums = z_of_flip(table, &bytes[f * bytes_per_flip], bytes_per_flip);
      double running = counts.largest[f];
      for (std::size_t b = size; b-- > 0;) {
        running = std::max(running, sums[b]);
        raw[b] += static_cast<std::size_t>(sums[b] >= threshold[b]);
        step[b] += static_cast<std::size_t>(running >= threshold[b]);
      }
      counts.largest[f] = running;
    }
    for (std::size_t b = 0; b < size; ++b) {
      counts.raw[first + b] = raw[b];
      counts.step[first + b] = step[b];
    }
    end = first;
  }
  return counts;
}

// The same over all flips, which the threads share out.
Counts count_flips(const Matrix& u, const std::vector<std::size_t>& order,
                   const std::vector<double>& z, std::span<const std::uint8_t> bytes,
                   std::size_t flips, std::size_t threads) {
  const std::size_t bytes_per_flip = bytes.size() / flips;
  const std::size_t share = (flips + threads - 1) / threads;
  std::vector<Counts> parts((flips + share - 1) / share);
  parallel_for(parts.size(), threads, [&](std::size_t i) {
    const std::size_t first = i * share;
    const std::size_t count = std::min(share, flips - first);
    parts[i] = count_some_flips(
        u, order, z, bytes.subspan(first * bytes_per_flip, count * bytes_per_flip), count);
  });
  Counts total = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    for (std::size_t c = 0; c < order.size(); ++c) {
      total.raw[c] += parts[i].raw[c];
      total.step[c] += parts[i].step[c];
    }
    total.largest.insert(total.largest.end(), parts[i].largest.begin(), parts[i].largest.end());
  }
  return total;
}

// Scores of one column, in place.
void normalise(std::vector<double>& x, double clip) {
  std::vector<double> magnitude(x.size());
  std::transform(x.begin(), x.end(), magnitude.begin(), [](double v) { return std::fabs(v); });
  const double limit = clip * median(magnitude);
  if (limit > 0.0) {
    for (double& v : x) {
      v = std::clamp(v, -limit, limit);
    }
  }
  double largest = 0.0;
  for (const double v : x) {
    largest = std::max(largest, std::fabs(v));
  }
  if (largest == 0.0) {
    return;
  }
  // A power of two changes no digit and keeps the squares away from overflow and underflow.
  const int exponent = std::ilogb(largest);
  double squares = 0.0;
  for (double& v : x) {
    v = std::scalbn(v, -exponent);
    squares += v * v;
  }
  const double length = std::sqrt(squares);
  for (double& v : x) {
    v /= length;
  }
}

double fraction(std::size_t count, std::size_t flips) {
  return static_cast<double>(count) / static_cast<double>(flips);
}

// Up to so many columns, looking through all flips for each is faster than sorting them once.
constexpr std::size_t kFewColumns = 64;

std::size_t count_at_least(const std::vector<double>& values, bool sorted, double threshold) {
  if (!sorted) {
    return static_cast<std::size_t>(std::count_if(
        values.begin(), values.end(), [threshold](double value) { return value >= threshold; }));
  }
  const auto first = std::lower_bound(values.begin(), values.end(), threshold);
  return static_cast<std::size_t>(values.end() - first);
}

}  // namespace

Matrix max_t_scores(const Matrix& x, double clip) {
  require(x.data.size() == x.rows * x.cols, "max_t: matrix data does not match its shape");
  require(clip > 0.0, "max_t: clip must be positive");
  require_finite(x.data, "max_t");
  Matrix u(x.rows, x.cols);
  for (std::size_t c = 0; c < x.cols; ++c) {
    std::vector<double> column = x.column(c);
    normalise(column, clip);
    for (std::size_t r = 0; r < x.rows; ++r) {
      u(r, c) = column[r];
    }
  }
  return u;
}

MaxT max_t(const Matrix& x, double clip, std::uint64_t seed, std::size_t flips,
           std::size_t threads) {
  require(x.rows >= 1, "max_t: needs at least one round");
  const Matrix u = max_t_scores(x, clip);
  const SignFlips signs = sign_flips(static_cast<int>(x.rows), seed, flips);

  MaxT result;
  result.flips = signs.count;
  result.exact = signs.exact;
  result.z.assign(x.cols, 0.0);
  result.p_raw.assign(x.cols, 1.0);
  result.p_single.assign(x.cols, 1.0);
  result.p_adjusted.assign(x.cols, 1.0);
  for (std::size_t r = 0; r < x.rows; ++r) {
    for (std::size_t c = 0; c < x.cols; ++c) {
      result.z[c] += u(r, c);
    }
  }

  const std::vector<std::size_t> order = order_by_descending(result.z);
  const std::size_t bytes_per_flip = (x.rows + kByteRounds - 1) / kByteRounds;
  Counts counts = count_flips(u, order, result.z, flip_bytes(signs, bytes_per_flip), signs.count,
                              thread_count(threads));
  const bool sorted = x.cols > kFewColumns;
  if (sorted) {
    std::sort(counts.largest.begin(), counts.largest.end());
  }

  double adjusted = 0.0;
  for (std::size_t j = 0; j < order.size(); ++j) {
    const std::size_t c = order[j];
    const std::size_t reached = count_at_least(counts.largest, sorted, result.z[c] - kTie);
    adjusted = std::max(adjusted, fraction(counts.step[j], signs.count));
    result.p_raw[c] = fraction(counts.raw[j], signs.count);
    result.p_single[c] = fraction(reached, signs.count);
    result.p_adjusted[c] = adjusted;
  }
  return result;
}

}  // namespace perfgate::stats
