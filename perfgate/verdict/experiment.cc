// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/experiment.h"

#include <algorithm>
#include <numeric>

#include "perfgate/error.h"

namespace perfgate {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(Exit::kNotComparable,
              "the ledger's earlier attempt on these executables had " + what +
                  ": measure as before, or give this experiment a ledger of its own");
}

void require_one_experiment(const Session& before, const Session& now) {
  const auto same = [](const auto& a, const auto& b, auto key) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const auto& x, const auto& y) { return key(x) == key(y); });
  };
  if (!same(before.arms, now.arms, [](const ArmInfo& arm) { return arm.digest; })) {
    refuse("other executables");
  }
  if (!same(before.cases, now.cases, [](const CaseInfo& info) { return info.name; })) {
    refuse("other cases");
  }
  if (before.metrics != now.metrics) refuse("other metrics");
}

}  // namespace

Session pool_attempts(const Session& before, const Session& now) {
  require_one_experiment(before, now);
  Session pooled = now;
  const int shift = static_cast<int>(before.rounds.size());
  for (RoundInfo& round : pooled.rounds) round.index += shift;
  for (Fault& fault : pooled.faults) {
    if (fault.round >= 0) fault.round += shift;
  }
  for (int& look : pooled.schedule.looks) look += shift;
  const auto prepend = [](auto& list, const auto& first) {
    list.insert(list.begin(), first.begin(), first.end());
  };
  prepend(pooled.rounds, before.rounds);
  prepend(pooled.faults, before.faults);
  prepend(pooled.schedule.looks, before.schedule.looks);
  prepend(pooled.schedule.look_alpha, before.schedule.look_alpha);
  // Looks of an attempt that ended before it reached them were never taken.
  for (std::size_t i = before.schedule.looks.size(); i-- > 0;) {
    if (before.schedule.looks[i] <= shift) continue;
    pooled.schedule.looks.erase(pooled.schedule.looks.begin() + static_cast<std::ptrdiff_t>(i));
    pooled.schedule.look_alpha.erase(pooled.schedule.look_alpha.begin() +
                                     static_cast<std::ptrdiff_t>(i));
  }
  pooled.wall_s += before.wall_s;
  pooled.timed_s += before.timed_s;
  return pooled;
}

std::vector<stats::Look> looks_after(const Session& before, const Policy& policy, int more_rounds) {
  constexpr int kMost = 40;
  const int done = static_cast<int>(before.rounds.size());
  const int total =
      policy.rounds > 0 ? done + more_rounds : std::min(done + more_rounds, std::max(kMost, done));
  double spent = 0;
  for (std::size_t i = 0; i < before.schedule.looks.size(); ++i) {
    if (before.schedule.looks[i] <= done) spent += before.schedule.look_alpha[i];
  }
  std::vector<stats::Look> looks = stats::plan_looks(policy.alpha, total, policy.rounds > 0);
  std::erase_if(looks, [&](const stats::Look& look) { return look.rounds <= done; });
  if (looks.empty() && total > done) looks.push_back({total, 0.0});
  const double planned =
      std::accumulate(looks.begin(), looks.end(), 0.0,
                      [](double sum, const stats::Look& look) { return sum + look.alpha; });
  const double left = std::max(0.0, policy.alpha - spent);
  // What earlier looks have spent is gone; rounding must not invent a last 1e-19.
  constexpr double kNothing = 1e-12;
  const double scale = planned <= left ? 1.0 : left < kNothing ? 0.0 : left / planned;
  for (stats::Look& look : looks) look.alpha *= scale;
  return looks;
}

}  // namespace perfgate
