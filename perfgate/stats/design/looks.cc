// SPDX-License-Identifier: Apache-2.0
#include "perfgate/stats/design/looks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "perfgate/stats/estimate/preconditions.h"

namespace perfgate::stats {
namespace {

struct Share {
  int rounds;
  double weight;
};

constexpr std::array<Share, 5> kMembers = {{{6, 0.0}, {10, 3.0}, {16, 2.0}, {24, 2.0}, {40, 3.0}}};
constexpr double kLastWeight = 3.0;

// Gives the shares their alphas; returns the first that is below what can be attained.
std::vector<Look>::iterator divide(double alpha, const std::vector<Share>& shares,
                                   std::vector<Look>& looks) {
  double total = 0.0;
  for (const Share& share : shares) {
    total += share.weight;
  }
  for (std::size_t i = 0; i < looks.size(); ++i) {
    looks[i].alpha = total > 0.0 ? alpha * shares[i].weight / total : 0.0;
  }
  return std::find_if(looks.begin(), looks.end(), [](const Look& look) {
    return look.alpha > 0.0 && look.alpha < std::ldexp(2.0, -look.rounds);
  });
}

}  // namespace

std::vector<Look> default_looks() {
  return {{6, 0.0}, {10, 0.003}, {16, 0.002}, {24, 0.002}, {40, 0.003}};
}

std::vector<Look> plan_looks(double alpha, int max_rounds, bool exact_end) {
  require(alpha > 0.0 && alpha < 1.0, "plan_looks: alpha must be in (0, 1)");
  std::vector<Share> shares;
  for (const Share& member : kMembers) {
    if (member.rounds <= max_rounds) {
      shares.push_back(member);
    }
  }
  if (exact_end && !shares.empty() && shares.back().rounds != max_rounds) {
    shares.push_back({max_rounds, kLastWeight});
  }
  std::vector<Look> looks;
  looks.reserve(shares.size());
  for (const Share& share : shares) {
    looks.push_back({share.rounds, 0.0});
  }
  for (auto bad = divide(alpha, shares, looks); bad != looks.end();
       bad = divide(alpha, shares, looks)) {
    shares[static_cast<std::size_t>(bad - looks.begin())].weight = 0.0;
  }
  return looks;
}

bool can_fail(const std::vector<Look>& looks) {
  return std::any_of(looks.begin(), looks.end(), [](const Look& look) { return look.alpha > 0.0; });
}

}  // namespace perfgate::stats
