// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/ranks.h"

namespace perfgate::inline verdict {

std::vector<RankRange> PossibleRanks(CertainlyFaster certain) {
  const std::size_t n = certain.count;
  std::vector<bool>& faster = certain.faster;
  for (std::size_t between = 0; between < n; ++between) {
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t y = 0; y < n; ++y) {
        if (faster[x * n + between] && faster[between * n + y]) faster[x * n + y] = true;
      }
    }
  }
  std::vector<RankRange> ranks(n, {1, static_cast<int>(n)});
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t y = 0; y < n; ++y) {
      if (!faster[x * n + y]) continue;
      ++ranks[y].lo;
      --ranks[x].hi;
    }
  }
  return ranks;
}

}  // namespace perfgate::inline verdict
