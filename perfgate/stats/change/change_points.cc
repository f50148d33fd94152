// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/change/change_points.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "perfgate/stats/change/best_split.h"
#include "perfgate/stats/estimate/order_statistics.h"

namespace perfgate::stats {
namespace {

// Orders per 1 / alpha: p-values below alpha then have some resolution.
constexpr double kOrdersPerAlpha = 4;
// Twice the log likelihood ratio below the best split within which another one is as plausible:
// the 95 % point of the change's place (Siegmund, 1988, Confidence sets in change-point problems,
// section 2, takes 5 to 7 for shifts of one to three standard deviations).
constexpr double kPlausible = 6;

void RequireRule(std::span<const double> x, const ChangeRule& rule) {
  if (!(rule.alpha > 0 && rule.alpha < 0.5)) {
    throw std::invalid_argument("FindChangePoints: alpha must be above 0 and below 0.5");
  }
  if (rule.shortest < 2)
    throw std::invalid_argument("FindChangePoints: shortest must be 2 or more");
  if (!(rule.least_shift >= 0)) {
    throw std::invalid_argument("FindChangePoints: least_shift must be at least 0");
  }
  if (!std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); })) {
    throw std::invalid_argument("FindChangePoints: a value is not finite");
  }
}

struct Found {
  std::size_t index;
  double p;
};

class Search {
 public:
  Search(std::span<const double> x, const ChangeRule& rule) : x_(x), rule_(rule) {}

  void Look(std::size_t from, std::size_t to, std::vector<Found>& found) const {
    if (to - from < 2 * rule_.shortest) return;
    const std::vector<double> y = Clipped(x_.subspan(from, to - from));
    const Split split = BestSplit(y, rule_.shortest);
    const auto orders = static_cast<std::size_t>(std::ceil(kOrdersPerAlpha / rule_.alpha));
    const double p = SplitChance(y, rule_.shortest, BlockLength(y), orders, rule_.seed + from);
    if (p > rule_.alpha) return;
    const std::size_t at = from + split.index;
    Look(from, at, found);
    found.push_back({at, p});
    Look(at, to, found);
  }

 private:
  std::span<const double> x_;
  const ChangeRule& rule_;
};

double MedianOf(std::span<const double> x, std::size_t from, std::size_t to) {
  return median(x.subspan(from, to - from));
}

// Splits between `from` and `to` whose likelihood is close to the best one's.
void PlaceChange(std::span<const double> part, std::size_t from, std::size_t shortest,
                 ChangePoint& change) {
  const std::vector<double> y = Clipped(part);
  const auto n = static_cast<double>(y.size());
  const double mean = stats::mean(y);
  std::vector<double> squared(y.size(), 0);
  double sum = 0;
  double total = 0;
  for (std::size_t k = 1; k < y.size(); ++k) {
    sum += y[k - 1] - mean;
    const auto left = static_cast<double>(k);
    squared[k] = sum * sum / (left * (n - left) / n);
  }
  for (const double value : y) total += (value - mean) * (value - mean);
  const auto first = squared.begin() + static_cast<std::ptrdiff_t>(shortest);
  const auto last = squared.end() - static_cast<std::ptrdiff_t>(shortest) + 1;
  const auto best = std::max_element(first, last);
  const double variance = std::max(0.0, total - *best) / std::max(1.0, n - 2);
  const auto is_plausible = [&](double value) { return *best - value <= kPlausible * variance; };
  change.index = from + static_cast<std::size_t>(best - squared.begin());
  change.range_lo =
      from + static_cast<std::size_t>(std::find_if(first, last, is_plausible) - squared.begin());
  auto end = last;
  while (end > best + 1 && !is_plausible(*(end - 1))) --end;
  change.range_hi = from + static_cast<std::size_t>(end - 1 - squared.begin());
}

// Neighbours of a change move when it does, so each is placed anew between those beside it.
void PlaceAll(std::span<const double> x, std::size_t shortest, std::vector<ChangePoint>& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::size_t from = i == 0 ? 0 : changes[i - 1].index;
    const std::size_t to = i + 1 == changes.size() ? x.size() : changes[i + 1].index;
    PlaceChange(x.subspan(from, to - from), from, shortest, changes[i]);
  }
}

void EnterLevels(std::span<const double> x, std::vector<ChangePoint>& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::size_t from = i == 0 ? 0 : changes[i - 1].index;
    const std::size_t to = i + 1 == changes.size() ? x.size() : changes[i + 1].index;
    changes[i].before = MedianOf(x, from, changes[i].index);
    changes[i].after = MedianOf(x, changes[i].index, to);
  }
}

}  // namespace

std::vector<ChangePoint> FindChangePoints(std::span<const double> x, const ChangeRule& rule) {
  RequireRule(x, rule);
  std::vector<Found> found;
  Search(x, rule).Look(0, x.size(), found);
  std::vector<ChangePoint> changes;
  changes.reserve(found.size());
  for (const Found& one : found) changes.push_back({.index = one.index, .p = one.p});
  PlaceAll(x, rule.shortest, changes);
  EnterLevels(x, changes);
  // The smallest shift goes first: its neighbours' levels change with it.
  while (!changes.empty()) {
    const auto size = [](const ChangePoint& c) { return std::abs(c.after - c.before); };
    const auto least = std::min_element(
        changes.begin(), changes.end(),
        [&](const ChangePoint& a, const ChangePoint& b) { return size(a) < size(b); });
    if (size(*least) >= rule.least_shift) break;
    changes.erase(least);
    PlaceAll(x, rule.shortest, changes);
    EnterLevels(x, changes);
  }
  return changes;
}

}  // namespace perfgate::stats
