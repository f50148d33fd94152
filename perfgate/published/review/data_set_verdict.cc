// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/review/data_set_verdict.h"

#include <algorithm>
#include <stdexcept>

namespace perfgate::published {
namespace {

enum AfterKinds : std::size_t {
  kDoesNotCompare = kFailureWords.size(),
  kFailedUnexplained,
  kNotRunToTheEnd,
  kSkippedItem,
};
static_assert(kSkippedItem + 1 == kReasonWords.size());
static_assert(std::equal(kFailureWords.begin(), kFailureWords.end(), kReasonWords.begin()));

std::size_t reason_of(const PublishedItem& item, const ItemAnswer& answer) {
  if (const auto failure = DecisiveFailure(item, answer)) {
    return static_cast<std::size_t>(failure->kind);
  }
  if (HasValue(item, Arm::kHuman) && HasValue(item, Arm::kAgent)) return kDoesNotCompare;
  const bool failed = std::any_of(item.status.begin(), item.status.end(),
                                  [](ArmStatus s) { return s == ArmStatus::kFailed; });
  return failed ? kFailedUnexplained : kNotRunToTheEnd;
}

void check_verdict(const DataSetVerdict& verdict) {
  std::size_t can_yet = 0;
  std::size_t cannot = 0;
  for (const ReasonCount& reason : verdict.reasons) {
    can_yet += reason.can_yet;
    cannot += reason.cannot;
  }
  if (can_yet != verdict.can_yet || cannot != verdict.cannot ||
      verdict.verified + can_yet + cannot != verdict.n) {
    throw std::logic_error("the reasons do not add up to " + std::to_string(verdict.n) + " items");
  }
}

}  // namespace

DataSetVerdict JudgeDataSet(const PublishedSet& set, const std::vector<ItemAnswer>& answers,
                            const RetryPlan& plan, const std::vector<SkippedItem>& skipped) {
  DataSetVerdict verdict;
  verdict.n = set.items.size() + skipped.size();
  for (std::size_t i = 0; i < set.items.size(); ++i) {
    const ItemAnswer& answer = answers.at(i);
    if (answer.evaluable()) {
      ++verdict.verified;
      verdict.item_reasons.emplace_back();
      continue;
    }
    const std::size_t reason = reason_of(set.items[i], answer);
    verdict.item_reasons.push_back(kReasonWords.at(reason));
    const bool can_yet = plan.items.at(i).adds_evaluable;
    ++(can_yet ? verdict.reasons.at(reason).can_yet : verdict.reasons.at(reason).cannot);
    ++(can_yet ? verdict.can_yet : verdict.cannot);
  }
  verdict.reasons[kSkippedItem].cannot = skipped.size();
  verdict.cannot += skipped.size();
  check_verdict(verdict);
  if (verdict.n > 0) {
    verdict.verified_share = stats::clopper_pearson(verdict.verified, verdict.n);
    verdict.at_most_share = stats::clopper_pearson(verdict.verified + verdict.can_yet, verdict.n);
  }
  return verdict;
}

}  // namespace perfgate::published
