// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/planning/pair_choice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "perfgate/stats/design/two_stage.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/planning/rounds_to_pass.h"

namespace perfgate::inline verdict {
namespace {

constexpr int kLastLook = 40;

struct GatedColumn {
  std::size_t case_index;  // into the costs
  stats::ColumnRule rule;
  stats::NoiseParts parts;
};

struct Suite {
  std::vector<GatedColumn> columns;
  std::vector<double> pair_s;  // per case
  double launch_s = 0;
  int warmup = 0;
};

// The look at which it passes with so many pairs; none where unchanged code never does.
std::optional<int> look_to_pass(const GatedColumn& column, int pairs) {
  const auto rounds = rounds_to_pass(stats::round_sd_of(column.parts, pairs), column.rule);
  if (!rounds) return std::nullopt;
  return next_look(*rounds);
}

PairChoice predict(const Suite& suite, int pairs, const std::vector<bool>& hopeless) {
  PairChoice choice{.pairs = pairs};
  std::vector<int> rounds(suite.pair_s.size(), next_look(1));
  int last = next_look(1);
  for (std::size_t i = 0; i < suite.columns.size(); ++i) {
    const int needed = hopeless[i] ? kLastLook : *look_to_pass(suite.columns[i], pairs);
    int& of_case = rounds[suite.columns[i].case_index];
    of_case = std::max(of_case, needed);
    last = std::max(last, needed);
    if (!hopeless[i]) choice.rounds = std::max(choice.rounds, needed);
  }
  choice.suite_s = last * suite.launch_s;
  for (std::size_t c = 0; c < rounds.size(); ++c) {
    choice.suite_s += static_cast<double>(rounds[c]) * (pairs + suite.warmup) * suite.pair_s[c];
  }
  return choice;
}

Suite suite_of(const Calibration& calibration, const Policy& policy) {
  Suite suite{.columns = {},
              .pair_s = {},
              .launch_s = calibration.launch_s,
              .warmup = policy.warmup_slices};
  std::map<std::string, std::size_t> cases;
  for (const CalibratedColumn& column : calibration.columns) {
    const auto [found, added] = cases.emplace(column.case_name, suite.pair_s.size());
    if (added) suite.pair_s.push_back(column.pair_s);
    const ColumnPolicy rule = column_policy(policy, column.case_name, column.metric);
    if (!rule.gate) continue;
    Column gated;
    gated.tolerance = rule.tolerance;
    const bool known = std::isfinite(column.pair_sd) && std::isfinite(column.between_sd);
    suite.columns.push_back({found->second, column_rule(gated, column.metric),
                             known ? stats::NoiseParts{column.pair_sd, column.between_sd}
                                   : stats::NoiseParts{0, column.round_sd}});
  }
  return suite;
}

}  // namespace

PairAdvice advise_pairs(const Calibration& calibration, const Policy& policy) {
  constexpr double kWorthwhile = 0.95;
  const Suite suite = suite_of(calibration, policy);
  const bool known =
      std::all_of(calibration.columns.begin(), calibration.columns.end(),
                  [](const CalibratedColumn& column) { return std::isfinite(column.pair_sd); });
  std::set<int> candidates = {calibration.policy.pairs};
  if (known) candidates.insert({1, 2, 4, 8, 16, 32});

  PairAdvice advice;
  std::vector<bool> hopeless;
  for (const GatedColumn& column : suite.columns) {
    hopeless.push_back(std::none_of(candidates.begin(), candidates.end(), [&](int pairs) {
      return look_to_pass(column, pairs).value_or(kLastLook + 1) <= kLastLook;
    }));
  }
  advice.hopeless = static_cast<int>(std::count(hopeless.begin(), hopeless.end(), true));
  for (const int pairs : candidates) {
    if (pairs == calibration.policy.pairs) advice.measured = advice.choices.size();
    advice.choices.push_back(predict(suite, pairs, hopeless));
  }
  advice.best = advice.measured;
  for (std::size_t i = 0; i < advice.choices.size(); ++i) {
    if (advice.choices[i].suite_s < advice.choices[advice.best].suite_s) advice.best = i;
  }
  if (advice.choices[advice.best].suite_s > kWorthwhile * advice.choices[advice.measured].suite_s) {
    advice.best = advice.measured;
  }
  return advice;
}

}  // namespace perfgate::inline verdict
