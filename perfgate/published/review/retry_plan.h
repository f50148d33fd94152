// SPDX-License-Identifier: Apache-2.0
// retry_plan.h: what a retry of each item would cost, and how many items it could add.
//
// A run is one arm measured once. A retry takes at least the runs that human and agent still lack
// (one where they lack none) and at most all three arms. Seconds of a run, the first that applies:
//
//   timeout_limit  the failure is a timeout with a limit: once to twice that limit
//   recorded_item  the shortest and the longest run of this item
//   recorded_file  the shortest and the longest run of the whole file
//   assumed        a range that somebody states
//
// These are ranges of what was seen or assumed, no intervals.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "perfgate/published/failure_kind.h"
#include "perfgate/published/published_parity.h"
#include "perfgate/published/review/model_size.h"

namespace perfgate::published {

enum class CostBasis { kNoRun, kTimeoutLimit, kRecordedItem, kRecordedFile, kAssumed };
inline constexpr std::array<std::string_view, 5> kCostBasisWords = {
    "no_run", "timeout_limit", "recorded_item", "recorded_file", "assumed"};
constexpr std::string_view word_of(CostBasis v) {
  return kCostBasisWords[static_cast<std::size_t>(v)];
}

// 5 minutes to an hour: starting a server with its model, and its benchmark.
inline constexpr SizeRange kAssumedRunSeconds = {300, 3600};

struct ItemRetry {
  Disposition disposition = Disposition::kNotTried;
  CostBasis basis = CostBasis::kNoRun;
  SizeRange seconds;            // of all its runs
  bool adds_evaluable = false;  // it could get a label and has none
  bool adds_compared = false;   // agent and human could compare and do not
};

struct RetryLine {
  std::size_t items = 0;
  std::size_t adds_evaluable = 0;  // at most
  std::size_t adds_compared = 0;   // at most
  SizeRange seconds;
};

struct RetryPlan {
  std::vector<ItemRetry> items;  // in the order of the file
  std::array<RetryLine, kDispositionWords.size()> lines;
  RetryLine total;
  std::array<std::size_t, kCostBasisWords.size()> bases = {};
  std::size_t evaluable_now = 0;
  std::size_t compared_now = 0;
  std::size_t never_evaluable = 0;  // neither now nor by a retry
  std::size_t never_compared = 0;
  SizeRange assumed_s = kAssumedRunSeconds;
  std::optional<SizeRange> recorded_s;  // of one run in this file
};

// `answers` are those of the set's items, in order. std::logic_error where a sum does not add up.
RetryPlan PlanRetries(const PublishedSet& set, const std::vector<ItemAnswer>& answers,
                      const SizeRange& assumed_s = kAssumedRunSeconds);

}  // namespace perfgate::published
