// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/human_slowdowns.h"

#include <fmt/format.h>

#include <algorithm>

#include "perfgate/published/cross_source.h"
#include "perfgate/published/published_rules.h"

namespace perfgate::published {
namespace {

constexpr auto kBaselineHumanPair = static_cast<std::size_t>(Pair::kBaselineHuman);

std::string percent_text(double value) { return fmt::format("{:+.2f} %", value); }

// What the human changes in one measurement, positive is better; none without both values.
std::optional<double> human_change(const PublishedMeasurement& m) {
  const PublishedValue* baseline = ValueOf(&m, Arm::kBaseline);
  const PublishedValue* human = ValueOf(&m, Arm::kHuman);
  if (baseline == nullptr || human == nullptr || !m.better || baseline->value <= 0) {
    return std::nullopt;
  }
  const double change = (human->value - baseline->value) / baseline->value * 100;
  return *m.better == Direction::kHigher ? change : -change;
}

// Two arms of one run that name different models or modes.
void add_mismatches(const PublishedMeasurement& m, std::vector<std::string>& causes) {
  const PublishedValue* baseline = ValueOf(&m, Arm::kBaseline);
  const PublishedValue* human = ValueOf(&m, Arm::kHuman);
  if (baseline == nullptr || human == nullptr) return;
  if (baseline->model && human->model && *baseline->model != *human->model) {
    causes.push_back("model_mismatch: " + *baseline->model + " and " + *human->model);
  }
  if (baseline->mode && human->mode && *baseline->mode != *human->mode) {
    causes.push_back("mode_mismatch: " + *baseline->mode + " and " + *human->mode);
  }
}

void add_metrics(const PublishedItem& item, const PublishedMeasurement& primary,
                 std::vector<std::string>& causes) {
  const bool targets_other = primary.target && *primary.target != *primary.metric;
  bool target_is_there = false;
  for (const PublishedMeasurement& m : item.measurements) {
    if (&m == &primary || m.replaced || !m.metric || m.metric == primary.metric) continue;
    const std::optional<double> change = human_change(m);
    if (!change || point_outcome(*change) == PointOutcome::kLoss) continue;
    const bool target = targets_other && *m.metric == *primary.target;
    target_is_there = target_is_there || target;
    causes.push_back("metric_conflict: " + std::string(target ? "the target metric " : "") +
                     *m.metric + " says " + percent_text(*change));
  }
  if (targets_other && !target_is_there) {
    causes.push_back("target_metric: the change aims at " + *primary.target + ", not at " +
                     *primary.metric);
  }
}

void add_reruns(const PublishedItem& item, std::vector<std::string>& causes) {
  for (const PublishedMeasurement& m : item.measurements) {
    if (!m.replaced) continue;
    const std::optional<double> change = human_change(m);
    causes.push_back("rerun_replaced: an older entry of " + m.source + " does not count" +
                     (change ? ", which says " + percent_text(*change) : ""));
  }
}

void add_sources(const ItemAnswer& answer, std::vector<std::string>& causes) {
  for (const CrossSource& cross : answer.cross_source) {
    if (cross.arm == Arm::kAgent) continue;
    causes.push_back("secondary_source: list " + cross.by + ", " + std::string(name_of(cross.arm)) +
                     ": " + cross.finding);
  }
}

std::vector<std::string> causes_of(const PublishedItem& item, const ItemAnswer& answer) {
  std::vector<std::string> causes;
  const PairAnswer& pair = answer.pairs[kBaselineHumanPair];
  if (const PublishedMeasurement* primary = PrimaryMeasurement(item, answer)) {
    add_mismatches(*primary, causes);
    add_metrics(item, *primary, causes);
  }
  for (const std::string& caveat : pair.caveats) {
    if (caveat == "rounding_crosses_threshold") {
      causes.push_back("rounding: the printed digits allow " + percent_text((*pair.range_pct)[1]));
    } else if (caveat == "proxy_baseline") {
      causes.push_back(caveat + ": the baseline was measured in another run");
    } else if (caveat != "metric_inferred") {
      causes.push_back(caveat + ": the facts do not exclude another one");
    } else {
      causes.emplace_back("metric_inferred: the list does not name the metric");
    }
  }
  add_reruns(item, causes);
  add_sources(answer, causes);
  if (causes.empty()) causes.emplace_back("none_in_the_facts: measure baseline and human again");
  return causes;
}

}  // namespace

std::vector<HumanSlowdown> HumanSlowdowns(const PublishedSet& set,
                                          const std::vector<ItemAnswer>& answers) {
  std::vector<HumanSlowdown> slowdowns;
  for (std::size_t i = 0; i < set.items.size(); ++i) {
    const ItemAnswer& answer = answers.at(i);
    if (answer.human_effect != HumanEffect::kLoss) continue;
    slowdowns.push_back({answer.id, answer.primary->metric,
                         *answer.pairs[kBaselineHumanPair].delta_pct,
                         causes_of(set.items[i], answer)});
  }
  return slowdowns;
}

}  // namespace perfgate::published
