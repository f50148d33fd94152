// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/published_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "perfgate/published/cross_source.h"
#include "perfgate/published/primary_metric.h"
#include "perfgate/published/review/proxy_baseline.h"

namespace perfgate::published {
namespace {

// Correctly rounded from the binary value, without a negative zero.
double round2(double value) {
  char text[400];  // 309 digits of the largest double and its fraction
  std::snprintf(text, sizeof text, "%.2f", value);
  return std::strtod(text, nullptr) + 0.0;
}

std::vector<const PublishedMeasurement*> usable_measurements(const PublishedItem& item) {
  std::vector<const PublishedMeasurement*> usable;
  for (const PublishedMeasurement& m : item.measurements) {
    if (IsUsable(m)) usable.push_back(&m);
  }
  return usable;
}

// The word of a rule in answers; none where the published rule lets a metric decide nothing: a tail
// of the time to first token or of the latency, and the time of a case.
std::optional<std::string_view> AnswerWordOf(PrimaryRule rule) {
  switch (rule) {
    case PrimaryRule::kTtft:
    case PrimaryRule::kLatency:
    case PrimaryRule::kTime:
      return std::nullopt;
    case PrimaryRule::kTtftMean:
      return "ttft_output_len_1";
    default:
      return WordOf(rule);
  }
}

struct Primary {
  const PublishedMeasurement* measurement = nullptr;
  std::string_view why;
};

Primary PrimaryOf(const std::vector<const PublishedMeasurement*>& usable) {
  std::vector<std::string> names;
  std::vector<const PublishedMeasurement*> candidates;
  for (const PublishedMeasurement* m : usable) {
    const auto rule = PrimaryRuleOf(*m->metric);
    if (!rule || !AnswerWordOf(*rule)) continue;
    names.push_back(*m->metric);
    candidates.push_back(m);
  }
  const auto chosen = ChoosePrimary(names);
  return chosen ? Primary{candidates[chosen->index], *AnswerWordOf(chosen->rule)} : Primary{};
}

double delta_pct(double first, double second, Direction better) {
  const double change = (second - first) / first * 100;
  return better == Direction::kHigher ? change : -change;
}

struct Delta {
  double value = 0;
  double lo = 0;
  double hi = 0;
};

// The difference and its extremes while both operands stay inside their rounding.
Delta delta_of(const PublishedValue& first, const PublishedValue& second, Direction better) {
  Delta delta;
  delta.value = delta_pct(first.value, second.value, better);
  delta.lo = delta.hi = delta.value;
  for (const double f : {-1.0, 1.0}) {
    for (const double s : {-1.0, 1.0}) {
      const double corner =
          delta_pct(first.value + f * HalfUnit(first), second.value + s * HalfUnit(second), better);
      delta.lo = std::min(delta.lo, corner);
      delta.hi = std::max(delta.hi, corner);
    }
  }
  return delta;
}

bool crosses_threshold(const Delta& delta) {
  return point_outcome(delta.lo) != point_outcome(delta.hi);
}

using Words = std::vector<std::string>;

std::string word(std::string_view prefix, Arm arm, std::string_view suffix) {
  return std::string(prefix) + std::string(name_of(arm)) + std::string(suffix);
}

Words missing_reasons(const PublishedItem& item, const PublishedMeasurement* m, Arm a, Arm b,
                      bool nothing_measured) {
  Words reasons;
  for (const Arm arm : {a, b}) {
    if (ValueOf(m, arm) != nullptr) continue;
    reasons.push_back(word("missing_", arm, ""));
    if (item.status[index_of(arm)] == ArmStatus::kFailed) {
      reasons.push_back(word("", arm, "_failed"));
    }
  }
  if (nothing_measured && item.verified) reasons.emplace_back("verification_only");
  return reasons;
}

// Why two values of separate runs do not compare; empty where they do.
Words mismatches(const PublishedValue& a, const PublishedValue& b) {
  Words reasons;
  if (!a.model || !b.model) {
    reasons.emplace_back("model_unstated");
  } else if (*a.model != *b.model) {
    reasons.emplace_back("model_mismatch");
  }
  if (a.mode != b.mode) reasons.emplace_back("mode_mismatch");
  return reasons;
}

Words stated_caveats(const PublishedMeasurement& m, const PublishedValue& a,
                     const PublishedValue& b) {
  Words caveats;
  if (!a.model || !b.model) caveats.emplace_back("model_unstated");
  if (!a.mode || !b.mode) caveats.emplace_back("mode_unstated");
  if (m.metric_inferred) caveats.emplace_back("metric_inferred");
  if (a.proxy) caveats.emplace_back("proxy_baseline");
  return caveats;
}

struct PairResult {
  PairAnswer answer;
  Delta delta;  // not rounded; set where the pair compares
};

// Two values of one measurement that are both there.
PairResult compare_values(const PublishedMeasurement& m, const PublishedValue& a,
                          const PublishedValue& b) {
  PairResult result;
  PairAnswer& answer = result.answer;
  const bool together = m.shared_run && !a.proxy;
  if (!together) answer.reasons = a.proxy ? ProxyProblems(a, b) : mismatches(a, b);
  // No time and no rate of work that was done is 0.
  if (a.value <= 0 || b.value <= 0) answer.reasons.emplace_back("zero_value");
  answer.comparable = answer.reasons.empty();
  if (!answer.comparable) return result;
  answer.reasons.emplace_back(together ? "same_run" : "same_model");
  answer.caveats = stated_caveats(m, a, b);
  result.delta = delta_of(a, b, *m.better);
  answer.delta_pct = round2(result.delta.value);
  // A first value that may be 0 bounds nothing.
  if (a.value > HalfUnit(a)) {
    answer.range_pct = {round2(result.delta.lo), round2(result.delta.hi)};
    if (crosses_threshold(result.delta)) answer.caveats.emplace_back("rounding_crosses_threshold");
  }
  return result;
}

ItemClass class_of(const ItemAnswer& answer, const PublishedMeasurement* m, bool verified) {
  const auto comparable = [&](Pair pair) {
    return answer.pairs[static_cast<std::size_t>(pair)].comparable;
  };
  if (comparable(Pair::kHumanAgent)) {
    if (ValueOf(m, Arm::kBaseline) == nullptr) return ItemClass::kHumanAgentOnly;
    return comparable(Pair::kBaselineHuman) && comparable(Pair::kBaselineAgent)
               ? ItemClass::kThreeWay
               : ItemClass::kBaselineMismatch;
  }
  if (answer.outcome == PointOutcome::kFailed) return ItemClass::kAgentFailed;
  const auto values = std::count_if(kAllArms.begin(), kAllArms.end(),
                                    [m](Arm arm) { return ValueOf(m, arm) != nullptr; });
  if (values >= 2) return ItemClass::kTwoArmsNoVerdict;
  if (values == 1) return ItemClass::kSingleArm;
  return verified ? ItemClass::kVerificationOnly : ItemClass::kNoData;
}

HumanEffect effect_of(const PairResult& baseline_human) {
  if (!baseline_human.answer.comparable) return HumanEffect::kUnknown;
  switch (point_outcome(baseline_human.delta.value)) {
    case PointOutcome::kWin:
      return HumanEffect::kGain;
    case PointOutcome::kLoss:
      return HumanEffect::kLoss;
    default:
      return HumanEffect::kNone;
  }
}

std::optional<bool> vacuous(const ItemAnswer& answer) {
  if (answer.outcome != PointOutcome::kMatch || answer.human_effect == HumanEffect::kUnknown) {
    return std::nullopt;
  }
  return answer.human_effect == HumanEffect::kNone;
}

// Labels of all metrics in which agent and human compare; empty for fewer than two.
std::vector<MetricAnswer> label_metrics(const std::vector<const PublishedMeasurement*>& usable,
                                        const PublishedMeasurement* primary) {
  std::vector<MetricAnswer> labels;
  const auto add = [&](const PublishedMeasurement& m) {
    const PublishedValue* human = ValueOf(&m, Arm::kHuman);
    const PublishedValue* agent = ValueOf(&m, Arm::kAgent);
    const bool known = std::any_of(labels.begin(), labels.end(),
                                   [&](const MetricAnswer& l) { return l.metric == *m.metric; });
    if (human == nullptr || agent == nullptr || known) return;
    const PairResult pair = compare_values(m, *human, *agent);
    if (!pair.answer.comparable) return;
    labels.push_back({*m.metric, *pair.answer.delta_pct, point_outcome(pair.delta.value)});
  };
  for (const PublishedMeasurement* m : usable) {
    // Where two sources have one metric, the primary one speaks for it.
    const bool shadows = primary != nullptr && m != primary && m->metric == primary->metric;
    if (!shadows) add(*m);
  }
  return labels.size() < 2 ? std::vector<MetricAnswer>() : labels;
}

}  // namespace

PointOutcome point_outcome(double delta_pct) {
  if (delta_pct > kPointThresholdPct + kSlack) return PointOutcome::kWin;
  if (delta_pct < -kPointThresholdPct - kSlack) return PointOutcome::kLoss;
  return PointOutcome::kMatch;
}

ItemAnswer answer_item(const PublishedItem& item) {
  const std::vector<const PublishedMeasurement*> usable = usable_measurements(item);
  const Primary primary = PrimaryOf(usable);
  const PublishedMeasurement* m = primary.measurement;
  ItemAnswer answer;
  answer.id = item.id;
  if (m != nullptr) answer.primary = PrimaryMetric{m->source, *m->metric, std::string(primary.why)};

  constexpr std::pair<Arm, Arm> kPairArms[kPairs] = {
      {Arm::kBaseline, Arm::kHuman}, {Arm::kBaseline, Arm::kAgent}, {Arm::kHuman, Arm::kAgent}};
  std::array<PairResult, kPairs> pairs;
  for (std::size_t p = 0; p < kPairs; ++p) {
    const auto [a, b] = kPairArms[p];
    const PublishedValue* first = ValueOf(m, a);
    const PublishedValue* second = ValueOf(m, b);
    if (first != nullptr && second != nullptr) {
      pairs[p] = compare_values(*m, *first, *second);
    } else {
      pairs[p].answer.reasons = missing_reasons(item, m, a, b, m == nullptr);
    }
    answer.pairs[p] = pairs[p].answer;
  }

  const PairResult& human_agent = pairs[static_cast<std::size_t>(Pair::kHumanAgent)];
  if (human_agent.answer.comparable) {
    answer.outcome = point_outcome(human_agent.delta.value);
    answer.outcome_stable =
        human_agent.answer.range_pct.has_value() && !crosses_threshold(human_agent.delta);
  } else if (ValueOf(m, Arm::kHuman) != nullptr && ValueOf(m, Arm::kAgent) == nullptr &&
             item.status[index_of(Arm::kAgent)] == ArmStatus::kFailed) {
    answer.outcome = PointOutcome::kFailed;
  }
  answer.human_effect = effect_of(pairs[static_cast<std::size_t>(Pair::kBaselineHuman)]);
  answer.match_vacuous = vacuous(answer);
  answer.item_class = class_of(answer, m, item.verified);
  answer.by_metric = label_metrics(usable, m);
  answer.cross_source = CrossCheck(item, usable);
  return answer;
}

AnswerSet answer_all(const PublishedSet& set) {
  AnswerSet answers;
  answers.split = set.split;
  answers.threshold_pct = kPointThresholdPct;
  for (const PublishedItem& item : set.items) answers.items.push_back(answer_item(item));
  return answers;
}

}  // namespace perfgate::published
