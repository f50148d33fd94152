// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/support.h"

#include <algorithm>
#include <cmath>

namespace perfgate::audit {
namespace {

constexpr std::size_t kMostCrossed = 40;

// Share of the pairs of different rows whose printed and allowed values fit too.
double fit_across(std::span<const Fit> fits) {
  const std::size_t count = std::min(fits.size(), kMostCrossed);
  if (count < 3) return 0;
  std::size_t fitting = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      if (i != j && touch(fits[i].printed, fits[j].allowed)) ++fitting;
    }
  }
  return static_cast<double>(fitting) / static_cast<double>(count * (count - 1));
}

}  // namespace

Support support_of(std::span<const Fit> fits) {
  const double across = fit_across(fits);
  double largest = 0;
  for (const Fit& fit : fits) largest = std::max(largest, std::abs(middle(fit.printed)));
  Support support;
  for (const Fit& fit : fits) {
    if (!touch(fit.printed, fit.allowed)) {
      support.breaks.push_back(fit.at);
      continue;
    }
    support.holds.push_back(fit.at);
    if (!fit.informative) continue;
    double size = std::max(std::abs(middle(fit.printed)), std::abs(middle(fit.allowed)));
    if (size < width(fit.printed)) size = largest;
    if (size <= 0) continue;
    double fitting = width(fit.printed) + width(fit.allowed);
    if (fitting == 0) fitting = 1;  // exact counts lie on the grid of whole numbers
    const double chance = std::max(fitting / size, across);
    if (chance > 0 && chance < 1) support.evidence -= std::log10(chance);
  }
  return support;
}

double weight(const Support& support, std::size_t tried, Named named) {
  constexpr double kBonus = 2;
  return support.evidence - std::log10(static_cast<double>(std::max<std::size_t>(tried, 1))) +
         kBonus * static_cast<double>(named);
}

bool convincing(const Support& support, std::size_t unexplained, std::size_t tried, Named named) {
  const double evidence =
      support.evidence - std::log10(static_cast<double>(std::max<std::size_t>(tried, 1)));
  const std::size_t holds = support.holds.size();
  switch (named) {
    case Named::kOperands:
      return holds >= 1 && unexplained <= holds && evidence >= 0.5;
    case Named::kOperation:
      return holds >= 1 && unexplained <= holds && evidence >= 1;
    case Named::kNot:
      if (unexplained == 0) return holds >= 2 && evidence >= 3;
      if (holds == 2) return unexplained == 1 && evidence >= 5;
      return holds >= 3 && evidence >= 3 &&
             unexplained <= std::max<std::size_t>(1, (holds + unexplained) / 5);
  }
  return false;
}

}  // namespace perfgate::audit
