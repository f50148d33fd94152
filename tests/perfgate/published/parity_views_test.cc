// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/parity_views.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "tests/support/arguments.h"

namespace perfgate::published {
namespace {

using perfgate::test_support::DataFile;
template <class Counts>
std::size_t sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

const View& view_of(const PopulationReview& review, const std::string& name) {
  for (const View& view : review.views) {
    if (view.name == name) return view;
  }
  throw std::logic_error("no view " + name);
}

void expect_sums(const PopulationReview& review) {
  const std::size_t population = review.items.size();
  EXPECT_EQ(sum(review.dispositions), population);
  for (const View& view : review.views) {
    std::size_t outcomes = 0;
    for (const OutcomeCount& outcome : view.outcomes) {
      outcomes += outcome.count;
      EXPECT_LE(outcome.share.lo, outcome.share.hi);
    }
    EXPECT_EQ(outcomes, view.n) << view.name;
    EXPECT_EQ(sum(view.classes), view.n) << view.name;
    EXPECT_EQ(view.n + view.excluded.size(), population) << view.name;
    std::set<std::string> left_out;
    for (const Excluded& item : view.excluded) {
      EXPECT_FALSE(item.reason.empty());
      left_out.insert(item.id);
    }
    EXPECT_EQ(left_out.size(), view.excluded.size()) << "an item is left out twice";
  }
  // The evaluable items are those of the disjoint views and those whose agent failed.
  const auto failed = static_cast<std::size_t>(PointOutcome::kFailed);
  EXPECT_EQ(view_of(review, "evaluable").n, view_of(review, "three_way").n +
                                                view_of(review, "human_vs_agent_only").n +
                                                view_of(review, "all").outcomes[failed].count);
}

TEST(ParityViews, AddUp) {
  for (const char* file : {"commits.json", "synthetic.json"}) {
    expect_sums(review(read_published(DataFile(std::string("parity/") + file))));
  }
  const PopulationReview real = review(read_published(DataFile("parity/commits.json")),
                                       Devices{.count = 8, .vendor = "nvidia"});
  EXPECT_EQ(sum(real.readiness), 60U);
  EXPECT_EQ(view_of(real, "evaluable").n, 33U);
  EXPECT_EQ(view_of(real, "three_way").n, 13U);
  EXPECT_EQ(view_of(real, "evaluable").vacuous, 6U);
}

TEST(ParityViews, IntervalsAreExactBinomial) {
  // 7 of 33: P(X >= 7 | lo) = P(X <= 7 | hi) = .025, summed here term by term.
  const PopulationReview real = review(read_published(DataFile("parity/commits.json")));
  const OutcomeCount& failed =
      view_of(real, "evaluable").outcomes[static_cast<std::size_t>(PointOutcome::kFailed)];
  ASSERT_EQ(failed.count, 7U);
  const auto at_most = [](int k, int n, double p) {
    double total = 0;
    for (int i = 0; i <= k; ++i) {
      total += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) +
                        i * std::log(p) + (n - i) * std::log1p(-p));
    }
    return total;
  };
  EXPECT_NEAR(at_most(7, 33, failed.share.hi), 0.025, 1e-9);
  EXPECT_NEAR(1 - at_most(6, 33, failed.share.lo), 0.025, 1e-9);
}

TEST(ParityViews, NeverExitZero) {
  PublishedSet set = read_published(DataFile("parity/commits.json"));
  EXPECT_EQ(review(set).exit, Exit::kFailed);
  std::erase_if(set.items, [](const PublishedItem& item) {
    return item.status[index_of(Arm::kAgent)] == ArmStatus::kFailed;
  });
  EXPECT_EQ(review(set).exit, Exit::kInconclusive);
  std::erase_if(set.items, [](const PublishedItem& item) { return !item.measurements.empty(); });
  EXPECT_FALSE(set.items.empty());
  EXPECT_EQ(review(set).exit, Exit::kNotComparable);
  set.items.clear();
  EXPECT_EQ(review(set).exit, Exit::kNotComparable);
  expect_sums(review(set));
}

}  // namespace
}  // namespace perfgate::published
