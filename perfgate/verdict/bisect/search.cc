// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/bisect/search.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace perfgate::inline verdict {

BisectRange RangeOf(std::span<const BisectAnswer> answers) {
  if (answers.size() < 2 || answers.front() != BisectAnswer::kGood ||
      answers.back() != BisectAnswer::kBad) {
    throw std::invalid_argument("RangeOf: a good end and a bad end are needed");
  }
  const auto bad = std::find(answers.begin(), answers.end(), BisectAnswer::kBad);
  BisectRange range{0, static_cast<std::size_t>(bad - answers.begin())};
  for (std::size_t i = 0; i < range.first_bad; ++i) {
    if (answers[i] == BisectAnswer::kGood) range.last_good = i;
  }
  return range;
}

std::optional<std::size_t> NextCommit(std::span<const BisectAnswer> answers) {
  const BisectRange range = RangeOf(answers);
  const std::size_t doubled_middle = range.last_good + range.first_bad;
  std::optional<std::size_t> best;
  std::size_t best_distance = 0;
  for (std::size_t i = range.last_good + 1; i < range.first_bad; ++i) {
    if (answers[i] != BisectAnswer::kOpen) continue;
    const std::size_t distance = std::max(2 * i, doubled_middle) - std::min(2 * i, doubled_middle);
    if (!best || distance < best_distance) {
      best = i;
      best_distance = distance;
    }
  }
  return best;
}

int LooksLeft(std::span<const BisectAnswer> answers) {
  const BisectRange range = RangeOf(answers);
  const auto open = std::count(answers.begin() + static_cast<std::ptrdiff_t>(range.last_good),
                               answers.begin() + static_cast<std::ptrdiff_t>(range.first_bad),
                               BisectAnswer::kOpen);
  return static_cast<int>(std::bit_width(static_cast<std::size_t>(open)));
}

}  // namespace perfgate::inline verdict
