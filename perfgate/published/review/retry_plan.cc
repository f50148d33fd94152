// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/retry_plan.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace perfgate::published {
namespace {

void widen(std::optional<SizeRange>& range, double seconds) {
  if (!range) range = SizeRange{seconds, seconds};
  range->lo = std::min(range->lo, seconds);
  range->hi = std::max(range->hi, seconds);
}

// Seconds of each recorded run of an item. What measured all arms is shared out among them.
std::optional<SizeRange> recorded_runs(const PublishedItem& item) {
  std::optional<SizeRange> range;
  for (const PublishedMeasurement& m : item.measurements) {
    const auto arms = std::count_if(m.arms.begin(), m.arms.end(),
                                    [](const auto& arm) { return arm.has_value(); });
    if (m.duration_s && arms > 0) widen(range, *m.duration_s / static_cast<double>(arms));
    for (const auto& arm : m.arms) {
      if (arm && arm->duration_s) widen(range, *arm->duration_s);
    }
  }
  return range;
}

// A failed run tells how long one takes at least where no run of the item ended well.
std::optional<SizeRange> recorded_with_failures(const PublishedItem& item) {
  std::optional<SizeRange> range = recorded_runs(item);
  if (range) return range;
  for (const PublishedError& error : item.errors) {
    if (error.duration_s) widen(range, *error.duration_s);
  }
  return range;
}

bool takes_a_run(Disposition disposition) {
  return disposition != Disposition::kDone && disposition != Disposition::kDoNotRetry;
}

struct RunSeconds {
  CostBasis basis;
  SizeRange seconds;
};

RunSeconds seconds_of_run(const PublishedItem& item, const ItemAnswer& answer,
                          const RetryPlan& plan) {
  const std::optional<Failure> failure = DecisiveFailure(item, answer);
  if (failure && failure->limit_s) {
    const double limit = *failure->limit_s;
    return {CostBasis::kTimeoutLimit, {limit, 2 * limit}};
  }
  if (const auto own = recorded_with_failures(item)) return {CostBasis::kRecordedItem, *own};
  if (plan.recorded_s) return {CostBasis::kRecordedFile, *plan.recorded_s};
  return {CostBasis::kAssumed, plan.assumed_s};
}

ItemRetry retry_of(const PublishedItem& item, const ItemAnswer& answer, const RetryPlan& plan) {
  ItemRetry retry;
  retry.disposition = dispose(item, answer);
  if (!takes_a_run(retry.disposition)) return retry;
  const RunSeconds run = seconds_of_run(item, answer, plan);
  const int lacking = (HasValue(item, Arm::kHuman) ? 0 : 1) + (HasValue(item, Arm::kAgent) ? 0 : 1);
  retry.basis = run.basis;
  retry.seconds = {std::max(lacking, 1) * run.seconds.lo,
                   static_cast<double>(kArms) * run.seconds.hi};
  retry.adds_evaluable = !answer.evaluable();
  retry.adds_compared = true;
  return retry;
}

void add(RetryLine& line, const ItemRetry& retry) {
  ++line.items;
  line.adds_evaluable += retry.adds_evaluable ? 1U : 0U;
  line.adds_compared += retry.adds_compared ? 1U : 0U;
  line.seconds.lo += retry.seconds.lo;
  line.seconds.hi += retry.seconds.hi;
}

// Every item is counted once: now, by a retry, or never.
void check_plan(const RetryPlan& plan) {
  RetryLine sum;
  for (const RetryLine& line : plan.lines) {
    sum.items += line.items;
    sum.adds_evaluable += line.adds_evaluable;
    sum.adds_compared += line.adds_compared;
  }
  const std::size_t n = plan.items.size();
  if (sum.items != n || plan.total.items != n || sum.adds_evaluable != plan.total.adds_evaluable ||
      sum.adds_compared != plan.total.adds_compared ||
      plan.evaluable_now + sum.adds_evaluable + plan.never_evaluable != n ||
      plan.compared_now + sum.adds_compared + plan.never_compared != n) {
    throw std::logic_error("the retries do not add up to " + std::to_string(n) + " items");
  }
}

}  // namespace

RetryPlan PlanRetries(const PublishedSet& set, const std::vector<ItemAnswer>& answers,
                      const SizeRange& assumed_s) {
  RetryPlan plan;
  plan.assumed_s = assumed_s;
  for (const PublishedItem& item : set.items) {
    if (const auto own = recorded_runs(item)) {
      widen(plan.recorded_s, own->lo);
      widen(plan.recorded_s, own->hi);
    }
  }
  for (std::size_t i = 0; i < set.items.size(); ++i) {
    const ItemAnswer& answer = answers.at(i);
    const ItemRetry retry = retry_of(set.items[i], answer, plan);
    const bool compared = answer.evaluable() && answer.outcome != PointOutcome::kFailed;
    plan.evaluable_now += answer.evaluable() ? 1U : 0U;
    plan.compared_now += compared ? 1U : 0U;
    plan.never_evaluable += !answer.evaluable() && !retry.adds_evaluable ? 1U : 0U;
    plan.never_compared += !compared && !retry.adds_compared ? 1U : 0U;
    add(plan.lines[static_cast<std::size_t>(retry.disposition)], retry);
    add(plan.total, retry);
    ++plan.bases[static_cast<std::size_t>(retry.basis)];
    plan.items.push_back(retry);
  }
  check_plan(plan);
  return plan;
}

}  // namespace perfgate::published
