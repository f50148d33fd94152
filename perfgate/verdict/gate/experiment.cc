// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/experiment.h"

#include <algorithm>
#include <numeric>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/machine_class.h"

namespace perfgate::inline verdict {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(Exit::kNotComparable,
              "the ledger's earlier attempt on these executables had " + what +
                  ": measure as before, or give this experiment a ledger of its own");
}

bool is_scheduled(int rounds) {
  const std::vector<stats::Look> looks = stats::default_looks();
  return std::any_of(looks.begin(), looks.end(),
                     [&](const stats::Look& look) { return look.rounds == rounds; });
}

// The schedule's looks are at least half as far again from each other. Closer ones add up: looking
// at every number of rounds from 6 to 40 nearly doubles the chance of a false pass.
bool too_close(int rounds, int last_look) {
  return !is_scheduled(rounds) && 2 * rounds < 3 * last_look;
}

}  // namespace

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
  const std::vector<std::string> differences =
      class_differences(class_fields(before.machine), class_fields(now.machine));
  if (!differences.empty()) refuse("another machine, " + differences.front());
}

bool same_question(const Policy& one, const Policy& other) {
  const auto question = [](Policy policy) {
    const Policy defaults;
    policy.budget_s = defaults.budget_s;
    policy.slice_s = defaults.slice_s;
    policy.pairs = defaults.pairs;
    policy.warmup_slices = defaults.warmup_slices;
    policy.rounds = defaults.rounds;
    policy.overrides.clear();
    return policy_to_json(policy);
  };
  return question(one) == question(other);
}

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
  int last_look = 0;
  for (std::size_t i = 0; i < pooled.schedule.looks.size();) {
    const int rounds = pooled.schedule.looks[i];
    if (rounds > shift && pooled.schedule.look_alpha[i] == 0 && too_close(rounds, last_look)) {
      pooled.schedule.looks.erase(pooled.schedule.looks.begin() + static_cast<std::ptrdiff_t>(i));
      pooled.schedule.look_alpha.erase(pooled.schedule.look_alpha.begin() +
                                       static_cast<std::ptrdiff_t>(i));
    } else {
      last_look = rounds;
      ++i;
    }
  }
  pooled.schedule.earlier_candidates =
      std::max(pooled.schedule.earlier_candidates, before.schedule.earlier_candidates);
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
  int last_look = 0;
  for (std::size_t i = 0; i < before.schedule.looks.size(); ++i) {
    if (before.schedule.looks[i] > done) continue;
    spent += before.schedule.look_alpha[i];
    last_look = before.schedule.looks[i];
  }
  for (const stats::Look& look : stats::default_looks()) {
    if (look.rounds < total) last_look = std::max(last_look, look.rounds);
  }
  const bool look_at_end = policy.rounds > 0 && !too_close(total, last_look);
  std::vector<stats::Look> looks = stats::plan_looks(policy.alpha, total, look_at_end);
  std::erase_if(looks, [&](const stats::Look& look) { return look.rounds <= done; });
  const bool ends_later = policy.rounds > 0 && (looks.empty() || looks.back().rounds < total);
  if (total > done && (looks.empty() || ends_later)) looks.push_back({total, 0.0});
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

}  // namespace perfgate::inline verdict
