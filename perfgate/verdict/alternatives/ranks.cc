// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/ranks.h"

#include <algorithm>

namespace perfgate::inline verdict {
namespace {

constexpr double kRounding = 1e-12;  // of sums of bounds

template <class Visit>
void for_each_path(std::size_t n, const Visit& visit) {
  for (std::size_t between = 0; between < n; ++between) {
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t y = 0; y < n; ++y) visit(x * n + y, x * n + between, between * n + y);
    }
  }
}

}  // namespace

std::vector<RankRange> PossibleRanks(SpeedUpBounds bounds) {
  const std::size_t n = bounds.count;
  std::vector<double>& least = bounds.log_speed_up;
  for_each_path(n, [&](std::size_t whole, std::size_t front, std::size_t back) {
    least[whole] = std::max(least[whole], least[front] + least[back]);
  });
  std::vector<bool> faster(n * n);
  for (std::size_t i = 0; i < faster.size(); ++i) faster[i] = least[i] > kRounding;
  for_each_path(n, [&](std::size_t whole, std::size_t front, std::size_t back) {
    if (faster[front] && faster[back]) faster[whole] = true;
  });
  std::vector<RankRange> ranks(n, {1, static_cast<int>(n)});
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t y = 0; y < n; ++y) {
      if (!faster[x * n + y] || faster[y * n + x]) continue;
      ++ranks[y].lo;
      --ranks[x].hi;
    }
  }
  return ranks;
}

}  // namespace perfgate::inline verdict
