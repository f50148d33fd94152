// SPDX-License-Identifier: Apache-2.0
// data_set_verdict.h: how much of a data set can be verified at all, and why the rest cannot.
//
// An item is verified where it has a label now. Every other item has one reason, that of its
// decisive failure where it has one, so verified + reasons = n; and it can be verified yet or not.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/published/review/retry_plan.h"
#include "perfgate/published/review/skip_list.h"
#include "perfgate/stats/estimate/proportion.h"

namespace perfgate::published {

// The failure kinds of failure_kind.h, then what is no failure.
inline constexpr std::array<std::string_view, 15> kReasonWords = {"crash",
                                                                  "no_metrics",
                                                                  "timeout",
                                                                  "out_of_memory",
                                                                  "incompatible_hardware",
                                                                  "missing_feature_in_baseline",
                                                                  "bad_configuration",
                                                                  "unsupported_model",
                                                                  "infrastructure",
                                                                  "bad_patch",
                                                                  "unknown",
                                                                  "does_not_compare",
                                                                  "failed_unexplained",
                                                                  "not_run_to_the_end",
                                                                  "skipped"};

struct ReasonCount {
  std::size_t can_yet = 0;  // a retry, a change, other hardware or a first run could verify it
  std::size_t cannot = 0;
};

struct DataSetVerdict {
  std::size_t n = 0;  // skipped items included
  std::size_t verified = 0;
  std::size_t can_yet = 0;
  std::size_t cannot = 0;
  std::array<ReasonCount, kReasonWords.size()> reasons;
  std::vector<std::string_view> item_reasons;  // in the order of the set; empty: verified
  stats::ProportionInterval verified_share;    // 95 %, exact binomial; 0 to 1 where n is 0
  stats::ProportionInterval at_most_share;     // of verified + can_yet
};

// std::logic_error where a sum does not add up.
DataSetVerdict JudgeDataSet(const PublishedSet& set, const std::vector<ItemAnswer>& answers,
                            const RetryPlan& plan, const std::vector<SkippedItem>& skipped);

}  // namespace perfgate::published
