// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/round.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "perfgate/base/index.h"
#include "perfgate/evidence/metrics/distribution.h"
#include "perfgate/measure/slot_orders.h"

namespace perfgate::measure {
namespace {

// What the gate's clock saw of a slice, and what the arm's report accounts for.
void EnterClocks(const SliceResult& result, std::size_t arm, std::size_t slot, CaseRound& round) {
  if (!result.has_wall || result.wall_s <= 0) return;
  const auto enter_into = [&](std::vector<std::vector<double>>& times, double seconds) {
    if (times.empty()) {
      const std::vector<double> slices(round.values[0][arm].size(),
                                       std::numeric_limits<double>::quiet_NaN());
      times.assign(round.values[0].size(), slices);
    }
    times[arm][slot] = RoundedSeconds(seconds);
  };
  enter_into(round.slice_wall_s, result.wall_s - result.waited_s);
  enter_into(round.slice_timed_s, result.total_s + result.search_s);
}

CaseRound empty_round(const Context& context, std::size_t case_index, int first_arm, int pairs) {
  CaseRound round;
  round.case_index = case_index;
  round.first_arm = first_arm;
  const std::vector<double> slices(Index(pairs), std::numeric_limits<double>::quiet_NaN());
  round.values.assign(context.matched.metrics.size(),
                      std::vector<std::vector<double>>(context.listings.size(), slices));
  return round;
}

// The value of matched.metrics[m] in an arm's slice; none where the case does not report it.
std::optional<double> value_of(const MatchedCases& matched, std::size_t m, int arm,
                               const SliceResult& result) {
  const Metric& metric = matched.metrics[m];
  if (metric.name == "real_time") return result.real_s;
  if (matched.redeclared.contains({m, arm})) return std::nullopt;
  const auto found =
      std::find_if(result.counters.begin(), result.counters.end(),
                   [&](const auto& counter) { return counter.first == metric.name; });
  if (found == result.counters.end()) return std::nullopt;
  return found->second;
}

// What is wrong with the numbers of a slice that itself succeeded.
std::optional<std::string> bad_value(const MatchedCases& matched, int arm,
                                     const SliceResult& result) {
  for (std::size_t m = 0; m < matched.metrics.size(); ++m) {
    const Metric& metric = matched.metrics[m];
    const std::optional<double> value = value_of(matched, m, arm, result);
    if (!value) continue;
    if (!std::isfinite(*value)) return metric.name + " is not finite";
    if (is_relative(metric.kind) && *value <= 0) {
      return metric.name + " is " + std::to_string(*value) + " " + metric.unit + "; a " +
             std::string(to_string(metric.kind)) + " must be positive";
    }
  }
  return std::nullopt;
}

// Of the arms that have the case and were not lost.
bool are_enough_left(const Context& context, const CaseOutcome& outcome) {
  const auto& ids = context.matched.ids[outcome.measured->case_index];
  return HasEnoughArms(context.plan, ids.size(), [&](std::size_t arm) {
    return ids[arm] && !outcome.lost.contains(static_cast<int>(arm));
  });
}

// Goes on without an optional arm; the loss of any other ends the case. True: goes on.
bool goes_on_without(const Context& context, int arm, CaseOutcome& outcome) {
  const bool optional = IsOptional(context.plan, arm);
  if (optional) outcome.lost.insert(arm);
  if (optional && are_enough_left(context, outcome)) return true;
  outcome.measured.reset();
  return false;
}

// Loops that can only go on in batches make more iterations than asked, the same number in every
// arm. A report of more makes them look shorter.
std::optional<std::string> OtherIterations(const SliceResult& result, CaseOutcome& outcome) {
  constexpr double kSame = 0.01;
  if (result.iterations <= 0) return std::nullopt;
  const double made = result.ran > 0
                          ? static_cast<double>(result.ran) / static_cast<double>(result.iterations)
                          : 1.0;
  const double expected = outcome.made.value_or(made);
  outcome.made = expected;
  if (std::abs(made - expected) <= kSame * expected) return std::nullopt;
  return fmt::format(
      "it reports {:.2f} iterations for each that was asked for, and the other arm {:.2f}; let the "
      "loops of both go on in batches of one size",
      made, expected);
}

// Enters a slice into the case's round, or its fault into the outcome; false when the case failed.
bool enter(const Context& context, const SliceResult& result, int arm, int slot, int round,
           CaseOutcome& outcome) {
  const std::size_t case_index = outcome.measured->case_index;
  std::optional<Fault> fault;
  if (result.fault) {
    fault = Fault{case_index, arm, round, *result.fault, result.detail};
  } else if (const auto bad = bad_value(context.matched, arm, result)) {
    fault = Fault{case_index, arm, round, FaultKind::kBadValue, *bad};
  } else if (const auto other = OtherIterations(result, outcome)) {
    fault = Fault{case_index, arm, round, FaultKind::kOtherWorkload, *other};
  }
  if (fault) {
    outcome.faults.push_back(*fault);
    return goes_on_without(context, arm, outcome);
  }
  if (slot < 0) return true;  // warm-up
  for (std::size_t m = 0; m < context.matched.metrics.size(); ++m) {
    outcome.measured->values[m][Index(arm)][Index(slot)] =
        value_of(context.matched, m, arm, result)
            .value_or(std::numeric_limits<double>::quiet_NaN());
  }
  EnterClocks(result, Index(arm), Index(slot), *outcome.measured);
  if (result.checked) outcome.checked.insert(arm);
  for (const auto& [name, calls] : result.calls) outcome.calls[{name, arm}].Add(calls);
  outcome.timed_s += result.real_s * static_cast<double>(result.iterations);
  return true;
}

// The value of a summary, or of the number of calls; none below the fewest that it is shown from.
std::optional<double> SummaryValue(const std::string& metric, const std::string& recorder,
                                   const stats::CallHistogram& calls) {
  const auto count = static_cast<std::int64_t>(calls.count());
  if (metric == SamplesMetric(recorder).name) return static_cast<double>(count);
  const auto summary = ReadSummaryName(metric);
  if (!summary || summary->base != recorder || count < FewestShown(summary->quantile)) {
    return std::nullopt;
  }
  return summary->word == kTailMean ? calls.TailMeanS(summary->quantile)
                                    : calls.NearestRankS(summary->quantile);
}

// What the calls of a round say stands at its first slice: they are of all of them.
void EnterCalls(const MatchedCases& matched, CaseOutcome& outcome) {
  if (!outcome.measured) return;
  for (const auto& [key, calls] : outcome.calls) {
    const auto& [recorder, arm] = key;
    for (std::size_t m = 0; m < matched.metrics.size(); ++m) {
      if (matched.redeclared.contains({m, arm})) continue;
      const auto value = SummaryValue(matched.metrics[m].name, recorder, calls);
      if (value) outcome.measured->values[m][Index(arm)].front() = *value;
    }
  }
}

SliceRequest request_for(const Context& context, const CaseInfo& info, const Calibrated& calibrated,
                         std::size_t case_index, int arm) {
  return {*context.matched.ids[case_index][Index(arm)], IterationsOf(info, Index(arm)),
          info.slice_s, calibrated.limit_s};
}

// Slots -warmup .. pairs-1 with the arms in the order of each.
template <typename Visit>
bool for_each_slot(int warmup, int pairs, std::span<const int> order, const Visit& visit) {
  for (int slot = -warmup; slot < pairs; ++slot) {
    for (const int arm : OrderOfSlot(order, slot)) {
      if (!visit(slot, arm)) return false;
    }
  }
  return true;
}

}  // namespace

double RoundedSeconds(double seconds) {
  if (!(seconds > 0)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(seconds)) - 4);
  const double digits = std::round(seconds / unit);
  // A whole number divided is the nearest to its decimal text; multiplied it may not be.
  return unit < 1 ? digits / std::round(1 / unit) : digits * unit;
}

CaseOutcome measure_case(Stage& stage, const Context& context, const CaseInfo& info,
                         std::size_t case_index, const Calibrated& calibrated,
                         std::span<const int> order, int round) {
  const int pairs = PairsOf(info, context.plan.policy);
  const int warmup = WarmupSlicesOf(info, context.plan.policy);
  CaseOutcome outcome;
  outcome.measured = empty_round(context, case_index, order[0], pairs);
  stage.pin_for(info.threads);
  int voided = 0;
  for_each_slot(warmup, pairs, order, [&](int slot, int arm) {
    if (outcome.lost.contains(arm)) return true;
    const SliceResult result =
        stage.slice(arm, request_for(context, info, calibrated, case_index, arm), &voided);
    if (!enter(context, result, arm, slot, round, outcome)) return false;
    // At the first slice, and at the last so that nothing is left to be blamed on the next case.
    if (slot == (warmup > 0 ? -1 : 0) || slot == pairs - 1) {
      if (const auto leftovers = stage.collect_leftovers(arm)) {
        outcome.faults.push_back({case_index, arm, round, FaultKind::kLeftover, *leftovers});
        return goes_on_without(context, arm, outcome);
      }
    }
    return true;
  });
  EnterCalls(context.matched, outcome);
  if (outcome.measured) outcome.measured->void_slices = voided;
  return outcome;
}

std::vector<CaseOutcome> measure_suite(Stage& stage, const Context& context,
                                       std::span<const CaseInfo> cases,
                                       std::span<const std::size_t> case_indices,
                                       const CaseIds& ids, std::span<const Calibrated> calibrated,
                                       std::span<const int> order, int round) {
  std::vector<CaseOutcome> outcomes(case_indices.size());
  int threads = 1;
  int pairs = 0;
  int warmup = 0;
  for (std::size_t i = 0; i < case_indices.size(); ++i) {
    const CaseInfo& info = cases[case_indices[i]];
    pairs = PairsOf(info, context.plan.policy);  // the same for all cases
    warmup = WarmupSlicesOf(info, context.plan.policy);
    outcomes[i].measured = empty_round(context, case_indices[i], order[0], pairs);
    threads = std::max(threads, info.threads);
  }
  stage.pin_for(threads);
  for_each_slot(warmup, pairs, order, [&](int slot, int arm) {
    std::vector<SliceRequest> requests;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < case_indices.size(); ++i) {
      const std::size_t c = case_indices[i];
      if (!outcomes[i].measured || outcomes[i].lost.contains(arm) || !ids[c][Index(arm)]) continue;
      requests.push_back(request_for(context, cases[c], calibrated[c], c, arm));
      asked.push_back(i);
    }
    if (requests.empty()) return context.plan.optional_arm != -1;
    const std::vector<SliceResult> results = stage.suite_slice(arm, requests);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      enter(context, results[k], arm, slot, round, outcomes[asked[k]]);
    }
    return true;
  });
  for (CaseOutcome& outcome : outcomes) EnterCalls(context.matched, outcome);
  return outcomes;
}

}  // namespace perfgate::measure
