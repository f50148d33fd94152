// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/history/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using testing::HasSubstr;

constexpr const char* kTool = "perfgate test";

std::string Day(int number) {
  char text[40];
  std::snprintf(text, sizeof text, "2026-%02d-%02dT00:00:00Z", 1 + number / 28, 1 + number % 28);
  return text;
}

std::string Commit(int number) {
  std::string id(40, '0');
  const std::string digits = std::to_string(number);
  id.replace(40 - digits.size(), digits.size(), digits);
  return id;
}

// One series of `n` commits, value(i) each.
std::vector<Observation> SeriesOf(const std::string& name, int n,
                                  const std::function<double(int)>& value,
                                  const Metric& metric = {}) {
  std::vector<Observation> observations;
  for (int i = 0; i < n; ++i) {
    observations.push_back({"class",
                            "suite",
                            name,
                            metric,
                            {.started = Day(i),
                             .commit = Commit(i),
                             .session_id = std::to_string(i),
                             .source = "s.json",
                             .value = value(i),
                             .verdict = {}}});
  }
  return observations;
}

std::function<double(int)> Noisy(std::uint64_t seed, double level, double sd, int at = 1 << 30,
                                 double factor = 1) {
  return [=](int i) {
    std::mt19937_64 random(seed * 10007 + static_cast<std::uint64_t>(i));
    std::normal_distribution<double> normal(0, sd);
    return level * std::exp(normal(random)) * (i >= at ? factor : 1.0);
  };
}

TEST(BuildHistory, TellsWhereAndByHowMuch) {
  const History history =
      BuildHistory(SeriesOf("case", 100, Noisy(1, 2e-3, 0.02, 60, 1.05)), {}, kTool);
  ASSERT_EQ(history.series.size(), 1U);
  const HistorySeries& series = history.series[0];
  ASSERT_EQ(series.changes.size(), 1U);
  const HistoryChange& change = series.changes[0];
  EXPECT_NEAR(change.index, 60, 2);
  EXPECT_NEAR(change.shift, 0.05, 0.01);
  EXPECT_NEAR(change.before, 2e-3, 2e-5);
  EXPECT_NEAR(change.after, 2.1e-3, 2e-5);
  EXPECT_EQ(change.commit_before, Commit(change.range_lo - 1));
  EXPECT_EQ(change.commit_after, Commit(change.range_hi));
  EXPECT_EQ(series.first, change.before);
  EXPECT_EQ(series.now, change.after);
  EXPECT_NEAR(series.shift, 0.05, 0.01);
  EXPECT_NEAR(series.noise, 0.02, 0.004);
}

TEST(BuildHistory, WorseIsPositiveWhateverTheDirection) {
  const Metric rate{"items", "1/s", Direction::kHigher, Kind::kRate};
  const History slower =
      BuildHistory(SeriesOf("c", 60, Noisy(2, 1e6, 0.01, 30, 0.9), rate), {}, kTool);
  ASSERT_EQ(slower.series[0].changes.size(), 1U);
  EXPECT_GT(slower.series[0].changes[0].shift, 0.05);
  const Metric count{"allocations", "1", Direction::kLower, Kind::kCount};
  const History fewer =
      BuildHistory(SeriesOf(
                       "c", 60, [](int i) { return i < 30 ? 12.0 : 10.0; }, count),
                   {}, kTool);
  ASSERT_EQ(fewer.series[0].changes.size(), 1U);
  EXPECT_EQ(fewer.series[0].changes[0].shift, -2);
  EXPECT_EQ(fewer.series[0].shift, -2);
}

// The whole run has one error rate: 40 series without a change, 100 times.
TEST(BuildHistory, AlphaHoldsOverAllSeries) {
  int alarms = 0;
  for (std::uint64_t run = 0; run < 100; ++run) {
    std::vector<Observation> all;
    for (std::uint64_t s = 0; s < 10; ++s) {
      for (const Observation& one :
           SeriesOf("case" + std::to_string(s), 100, Noisy(run * 1000 + s + 1, 1e-3, 0.02))) {
        all.push_back(one);
      }
    }
    const History history = BuildHistory(all, {}, kTool);
    EXPECT_NEAR(history.series_alpha, 0.001, 1e-9);
    bool any = false;
    for (const HistorySeries& series : history.series) any = any || !series.changes.empty();
    alarms += any ? 1 : 0;
  }
  EXPECT_LE(alarms, 5) << "alpha is 1 %: more than 5 of 100 has a chance of 0.05 %";
}

// 300 series with shifts of 5 % at an SD of 2 %, ten histories of 30.
TEST(BuildHistory, FindsShiftsOfFivePercentWithinTwoCommits) {
  int found = 0;
  int within = 0;
  for (std::uint64_t run = 0; run < 10; ++run) {
    std::vector<Observation> all;
    for (std::uint64_t s = 0; s < 30; ++s) {
      const int at = 15 + static_cast<int>((run * 30 + s) * 37 % 70);
      for (const Observation& one : SeriesOf(std::to_string(at) + "/" + std::to_string(s), 100,
                                             Noisy(run * 100 + s + 90000, 1e-3, 0.02, at, 1.05))) {
        all.push_back(one);
      }
    }
    for (const HistorySeries& series : BuildHistory(all, {}, kTool).series) {
      const int at = std::stoi(series.case_name);
      for (const HistoryChange& change : series.changes) {
        if (std::abs(change.index - at) > 10) continue;
        ++found;
        within += std::abs(change.index - at) <= 2 ? 1 : 0;
        break;
      }
    }
  }
  RecordProperty("found", found);
  RecordProperty("within_two", within);
  EXPECT_GE(found, 297);
  EXPECT_GE(within, 285);
}

TEST(BuildHistory, SeriesAreKeptApartAndSorted) {
  std::vector<Observation> all = SeriesOf("calm", 40, Noisy(1, 1e-3, 0.01));
  for (const Observation& one : SeriesOf("slower", 40, Noisy(2, 1e-3, 0.01, 20, 1.2))) {
    all.push_back(one);
  }
  for (Observation one : SeriesOf("slower", 40, Noisy(3, 5e-3, 0.01, 20, 0.8))) {
    one.machine_class = "other";
    all.push_back(one);
  }
  std::shuffle(all.begin(), all.end(), std::mt19937_64(1));
  const History history = BuildHistory(all, {}, kTool);
  ASSERT_EQ(history.series.size(), 3U);
  EXPECT_EQ(history.series[0].case_name, "slower");
  EXPECT_EQ(history.series[0].machine_class, "class");
  EXPECT_EQ(history.series[0].changes[0].index, 20);
  EXPECT_EQ(history.series[1].machine_class, "other");
  EXPECT_LT(history.series[1].changes[0].shift, -0.1);
  EXPECT_TRUE(history.series[2].changes.empty());
  const std::string text = history_to_json(history);
  EXPECT_EQ(history_to_json(history_from_json(text, "h.json")), text);
  EXPECT_EQ(history_to_json(BuildHistory(all, {}, kTool)), text) << "equal seeds, equal results";
}

TEST(BuildHistory, OrderIsThatOfCommitsWhereTheyAreGiven) {
  // Recorded in the wrong order of time.
  std::vector<Observation> all = SeriesOf("case", 40, Noisy(4, 1e-3, 0.005, 20, 1.1));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].point.started = Day(static_cast<int>((i * 17) % 40));
  }
  EXPECT_TRUE(BuildHistory(all, {}, kTool).series[0].changes.empty());
  HistoryRule rule;
  for (int i = 0; i < 38; ++i) rule.commits.push_back(Commit(i));
  const History history = BuildHistory(all, rule, kTool);
  ASSERT_EQ(history.series[0].changes.size(), 1U);
  EXPECT_EQ(history.series[0].changes[0].index, 20);
  EXPECT_EQ(history.series[0].points.size(), 38U);
  EXPECT_THAT(history.warnings, testing::ElementsAre(HasSubstr("2 value(s) of commits")));
}

TEST(BuildHistory, NewestAndLeastNarrowIt) {
  const std::vector<Observation> all = SeriesOf("case", 60, Noisy(5, 1e-3, 0.002, 20, 1.03));
  EXPECT_EQ(BuildHistory(all, {}, kTool).series[0].changes.size(), 1U);
  HistoryRule rule;
  rule.least_change = 0.05;
  EXPECT_TRUE(BuildHistory(all, rule, kTool).series[0].changes.empty());
  rule = {};
  rule.newest = 30;
  const History recent = BuildHistory(all, rule, kTool);
  EXPECT_EQ(recent.series[0].points.size(), 30U);
  EXPECT_TRUE(recent.series[0].changes.empty());
}

TEST(BuildHistory, OddValuesAreLeftOutWithAWarning) {
  std::vector<Observation> all = SeriesOf("case", 10, [](int) { return 1e-3; });
  all[3].point.value = 0;
  all[4].point.session_id = all[5].point.session_id;
  all[6].metric.unit = "ms";
  const History history = BuildHistory(all, {}, kTool);
  EXPECT_EQ(history.series[0].points.size(), 7U);
  EXPECT_EQ(history.warnings.size(), 3U);
  EXPECT_TRUE(BuildHistory({}, {}, kTool).series.empty());
}

TEST(BuildHistory, RefusesRulesOutOfRange) {
  for (const double alpha : {0.0, 0.5, -1.0, std::nan("")}) {
    HistoryRule rule;
    rule.alpha = alpha;
    EXPECT_THROW(BuildHistory({}, rule, kTool), Error);
  }
  HistoryRule rule;
  rule.least_change = -0.1;
  EXPECT_THROW(BuildHistory({}, rule, kTool), Error);
}

TEST(ObservationsOf, TakesTheCandidateOfTwoArms) {
  Session session = synthetic::empty_session({"a", "b"}, {Metric{}}, 6);
  session.suite = "suite";
  session.started = Day(3);
  for (int r = 0; r < 6; ++r) {
    synthetic::add_round(session);
    synthetic::add_case(session, 0, {{{1e-3}, {2e-3}}});
    synthetic::add_case(session, 1, {{{1e-3}, {synthetic::kNan}}});
  }
  const auto observations = ObservationsOf(session, {"s.json", Commit(7)});
  ASSERT_EQ(observations.size(), 1U);
  EXPECT_EQ(observations[0].case_name, "a");
  EXPECT_DOUBLE_EQ(observations[0].point.value, 2e-3);
  EXPECT_EQ(observations[0].point.commit, Commit(7));
  const auto judged = ObservationsOf(decide(session), {"v.json", Commit(7)});
  ASSERT_EQ(judged.size(), 1U);
  EXPECT_DOUBLE_EQ(judged[0].point.value, 2e-3);
  EXPECT_FALSE(judged[0].point.verdict.empty());
  session.arms.resize(1);
  for (RoundInfo& round : session.rounds) {
    for (CaseRound& measured : round.cases) measured.values[0].resize(1);
  }
  const auto one = ObservationsOf(session, {"s.json", ""});
  ASSERT_EQ(one.size(), 2U);
  EXPECT_DOUBLE_EQ(one[0].point.value, 1e-3);
}

}  // namespace
}  // namespace perfgate
