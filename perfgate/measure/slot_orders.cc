// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/slot_orders.h"

#include <algorithm>
#include <numeric>

#include "perfgate/base/index.h"

namespace perfgate::measure {

std::uint64_t PermutationCount(int arms) {
  std::uint64_t count = 1;
  for (int i = 2; i <= arms; ++i) count *= static_cast<std::uint64_t>(i);
  return count;
}

std::vector<int> Permutation(std::uint64_t p, int arms) {
  std::vector<int> left(Index(arms));
  std::iota(left.begin(), left.end(), 0);
  std::vector<int> order;
  for (int places = arms; places > 0; --places) {
    const std::uint64_t block = PermutationCount(places - 1);
    const auto chosen = left.begin() + static_cast<std::ptrdiff_t>(p / block);
    order.push_back(*chosen);
    left.erase(chosen);
    p %= block;
  }
  return order;
}

std::vector<int> WilliamsRow(int row, int arms) {
  // 0, 1, k-1, 2, k-2, ...: neighbours differ by every number once, or for odd k by half of them,
  // and the mirrored rows have the others.
  const bool mirrored = arms % 2 == 1 && row % 2 == 1;
  const int shift = arms % 2 == 1 ? row / 2 : row;
  std::vector<int> order;
  for (int place = 0; place < arms; ++place) {
    const int step = (place + 1) / 2;
    const int base = place % 2 == 1 ? step : (arms - step) % arms;
    order.push_back((base + shift) % arms);
  }
  if (mirrored) std::reverse(order.begin(), order.end());
  return order;
}

std::vector<int> OrderOfSlot(std::span<const int> order, int slot) {
  constexpr std::size_t kForthAndBack = 3;  // up to so many arms
  std::vector<int> arms(order.begin(), order.end());
  if (slot <= 0) return arms;
  if (arms.size() <= kForthAndBack) {
    if (slot % 2 == 1) std::reverse(arms.begin(), arms.end());
    return arms;
  }
  // The first row is the order itself.
  const int count = static_cast<int>(arms.size());
  const std::vector<int> first = WilliamsRow(0, count);
  const std::vector<int> row = WilliamsRow(slot, count);
  std::vector<int> label(arms.size());
  for (std::size_t place = 0; place < arms.size(); ++place) {
    label[Index(first[place])] = order[place];
  }
  for (std::size_t place = 0; place < arms.size(); ++place) {
    arms[place] = label[Index(row[place])];
  }
  return arms;
}

}  // namespace perfgate::measure
