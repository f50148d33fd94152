// SPDX-License-Identifier: Apache-2.0
// parity_views.h: counts over many items, seen through several views, with what each leaves out.
//
// Every item has one class, one outcome, one disposition and one readiness, so every column of
// counts adds up to the view's n, and n plus the excluded items to the population. That is checked
// when the views are made, not hoped for. Skipped items are in no view, and every view counts them
// among those it leaves out.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/published/device_need.h"
#include "perfgate/published/failure_kind.h"
#include "perfgate/published/published_parity.h"
#include "perfgate/published/review/data_set_verdict.h"
#include "perfgate/published/review/human_slowdowns.h"
#include "perfgate/published/review/retry_plan.h"
#include "perfgate/published/review/skip_list.h"
#include "perfgate/stats/estimate/proportion.h"

namespace perfgate::published {

struct Excluded {
  std::string id;
  std::string reason;
};

struct OutcomeCount {
  std::size_t count = 0;
  stats::ProportionInterval share;  // 95 %, exact binomial; 0 to 1 where n is 0
};

struct View {
  std::string name;     // "all", "evaluable", "three_way", "human_vs_agent_only"
  std::string meaning;  // for people
  std::size_t n = 0;
  std::array<OutcomeCount, kOutcomeWords.size()> outcomes;
  std::array<std::size_t, kClassWords.size()> classes = {};
  std::size_t vacuous = 0;   // matches against a human without effect
  std::size_t unstable = 0;  // labels that operand rounding can turn
  std::vector<Excluded> excluded;
};

struct ItemReview {
  ItemAnswer answer;
  std::vector<Failure> failures;
  Disposition disposition = Disposition::kNotTried;
  DeviceNeed need;
  std::optional<Readiness> readiness;  // where a machine was given
  std::optional<std::string> model;
  // Of the primary metric.
  std::array<std::optional<PublishedValue>, kArms> values;
  std::optional<Direction> better;
};

struct PopulationReview {
  std::vector<ItemReview> items;  // in the order of the file
  std::vector<View> views;
  std::vector<SkippedItem> skipped;
  RetryPlan retries;
  DataSetVerdict data_set;
  std::vector<HumanSlowdown> slowdowns;
  // Per arm what the lists say of it; each adds up to the items.
  std::array<std::array<std::size_t, kArmStatusWords.size()>, kArms> statuses = {};
  std::array<std::size_t, kDispositionWords.size()> dispositions = {};
  std::array<std::size_t, kReadinessWords.size()> readiness = {};  // 0 without a machine
  std::array<std::size_t, kFailureWords.size()> failures = {};     // statements, not items
  std::optional<Devices> devices;
  Exit exit = Exit::kInconclusive;
  std::string exit_reason;
};

// Labels without samples claim nothing: the exit is 11 where an agent failed, 13 where no item
// compares, else 12; never 0.
struct ReviewRequest {
  std::optional<Devices> devices = {};
  std::vector<SkippedItem> skipped = {};  // that LeaveOut() has taken out of the set
  SizeRange assumed_run_s = kAssumedRunSeconds;
};
PopulationReview review(const PublishedSet& set, const ReviewRequest& request);
PopulationReview review(const PublishedSet& set, const std::optional<Devices>& devices = {});

// Items that are not evaluable and that no retry helps, or that the given machine cannot verify;
// first those that were skipped already.
std::vector<SkippedItem> ItemsToSkip(const PopulationReview& review);

// Why an item is in no comparison of agent with human: "no_data: missing_human, missing_agent".
std::string exclusion_reason(const ItemAnswer& answer);

}  // namespace perfgate::published
