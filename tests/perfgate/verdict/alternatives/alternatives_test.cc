// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/alternatives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::add_fault;
using synthetic::kNan;
using synthetic::Noise;
using testing::ElementsAre;
using testing::HasSubstr;

// The log of the time of an arm in a case.
using LogTime = std::function<double(std::size_t c, std::size_t arm)>;

Session TimedSession(const std::vector<std::string>& cases, std::size_t arms, int rounds,
                     const LogTime& log_time, const Metric& metric = {}) {
  Session session = synthetic::empty_session(cases, {metric}, rounds);
  session.arms.resize(arms, session.arms.front());
  for (std::size_t arm = 0; arm < arms; ++arm) {
    session.arms[arm].label = std::string(1, static_cast<char>('a' + arm));
    session.arms[arm].digest = "sha256:" + session.arms[arm].label;
  }
  for (int r = 0; r < rounds; ++r) {
    RoundInfo& round = synthetic::add_round(session);
    for (std::size_t c = 0; c < cases.size(); ++c) {
      CaseRound& measured = round.cases.emplace_back();
      measured.case_index = c;
      measured.values.resize(1);
      for (std::size_t arm = 0; arm < arms; ++arm) {
        measured.values[0].push_back({std::exp(log_time(c, arm))});
      }
    }
  }
  return session;
}

std::vector<std::string> ranks(const AlternativesRow& row) {
  std::vector<std::string> texts;
  for (const Standing& s : row.standings) {
    texts.push_back(std::to_string(s.rank_lo) + "-" + std::to_string(s.rank_hi));
  }
  return texts;
}

std::vector<AlternativeStatus> statuses(const AlternativesRow& row) {
  std::vector<AlternativeStatus> found;
  for (const Standing& standing : row.standings) found.push_back(standing.status);
  return found;
}

// Twice and four times as fast as the first, with a little noise.
Session clear(const std::vector<std::string>& cases, int rounds, std::uint64_t seed = 1) {
  Noise noise(seed);
  return TimedSession(cases, 3, rounds, [&](std::size_t c, std::size_t arm) {
    return static_cast<double>(c) - std::log(2.0) * static_cast<double>(arm) + noise(0, 0.01);
  });
}

TEST(Alternatives, RanksWhatIsClear) {
  const AlternativesVerdict verdict = decide_alternatives(clear({"x", "y"}, 12), {});
  EXPECT_EQ(verdict.exit, Exit::kPass);
  EXPECT_TRUE(verdict.holds);
  EXPECT_EQ(verdict.summary, "c is the fastest by the geometric mean of 2 cases");
  ASSERT_EQ(verdict.rows.size(), 2U);
  ASSERT_EQ(verdict.overall.size(), 1U);
  for (const AlternativesRow& row : {verdict.rows[0], verdict.rows[1], verdict.overall[0]}) {
    EXPECT_THAT(ranks(row), ElementsAre("3-3", "2-2", "1-1"));
    EXPECT_EQ(row.pairs.size(), 3U);
    EXPECT_EQ(row.rounds, 12);
    EXPECT_EQ(row.standings[0].over_reference.estimate, 1);
    EXPECT_NEAR(row.standings[1].over_reference.estimate, 2, 0.05);
    EXPECT_LT(row.standings[2].over_reference.lo, 4);
    EXPECT_GT(row.standings[2].over_reference.hi, 4);
  }
  EXPECT_NEAR(verdict.rows[0].standings[0].value, 1, 0.02);
  EXPECT_NEAR(verdict.overall[0].standings[0].value, std::exp(0.5), 0.02);
}

// The speed-up is turned with the reference, and nothing else changes.
TEST(Alternatives, AReferenceTurnsTheSpeedUp) {
  const Session session = clear({"x"}, 12);
  const Standing first = decide_alternatives(session, {}).rows[0].standings[2];
  const Standing turned = decide_alternatives(session, {.reference = 2}).rows[0].standings[0];
  EXPECT_DOUBLE_EQ(first.over_reference.estimate, 1 / turned.over_reference.estimate);
  EXPECT_DOUBLE_EQ(first.over_reference.lo, 1 / turned.over_reference.hi);
  EXPECT_DOUBLE_EQ(first.over_reference.hi, 1 / turned.over_reference.lo);
}

// Fewer comparisons: narrower, and what they imply of the others is still ranked.
TEST(Alternatives, OnlyTheReferenceIsNarrower) {
  const Session session = clear({"x", "y"}, 16);
  const AlternativesVerdict all = decide_alternatives(session, {.reference = 1});
  const AlternativesVerdict one =
      decide_alternatives(session, {.reference = 1, .only_reference = true});
  const auto width = [](const AlternativesVerdict& verdict) {
    const SpeedUp& found = verdict.rows[0].standings[0].over_reference;
    return std::log(found.hi / found.lo);
  };
  EXPECT_EQ(one.rows[0].pairs.size(), 2U);
  EXPECT_LE(width(one), width(all));
  EXPECT_LT(one.rounds_needed, all.rounds_needed);
  EXPECT_THAT(ranks(one.rows[0]), ElementsAre("3-3", "2-2", "1-1"));
}

TEST(Alternatives, AFamilyOfOneCaseIsNarrower) {
  std::vector<std::string> cases;
  for (int i = 0; i < 20; ++i) cases.push_back("x" + std::to_string(i));
  Noise noise(3);
  const Session session =
      TimedSession(cases, 4, 20, [&](std::size_t, std::size_t) { return noise(0, 0.02); });
  double suite = 0, alone = 0;
  const auto widths = [](const AlternativesVerdict& verdict) {
    double sum = 0;
    for (const AlternativesRow& row : verdict.rows) {
      for (const AlternativePair& pair : row.pairs) {
        sum += std::log(pair.speed_up.hi / pair.speed_up.lo);
      }
    }
    return sum;
  };
  suite = widths(decide_alternatives(session, {}));
  alone = widths(decide_alternatives(session, {.family = Family::kCase}));
  EXPECT_LT(alone, suite);
}

// Of 200 sessions of four alternatives that are alike at most a twentieth may be ranked at all.
TEST(Alternatives, FourThatAreAlikeAreTied) {
  Noise noise(4);
  int ranked = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Session session =
        TimedSession({"x", "y"}, 4, 12, [&](std::size_t, std::size_t) { return noise(0, 0.02); });
    const AlternativesVerdict verdict = decide_alternatives(session, {});
    ASSERT_EQ(verdict.exit, Exit::kPass);
    bool tied = true;
    for (const AlternativesRow* row : {&verdict.rows[0], &verdict.rows[1], &verdict.overall[0]}) {
      for (const std::string& rank : ranks(*row)) tied = tied && rank == "1-4";
    }
    ranked += tied ? 0 : 1;
    if (tied) {
      EXPECT_THAT(verdict.summary, HasSubstr("a, b, c and d are tied"));
    }
  }
  EXPECT_LE(ranked, 20);  // 4.5 standard deviations above 10
}

// Of two, where no third can contradict a wrong bound; 15 is 4.6 standard deviations above 5.
TEST(Alternatives, TwoThatAreAlikeAreTied) {
  Noise noise(7);
  int ranked = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Session session =
        TimedSession({"x"}, 2, 12, [&](std::size_t, std::size_t) { return noise(0, 0.02); });
    const AlternativesVerdict verdict = decide_alternatives(session, {});
    if (ranks(verdict.rows[0]) != std::vector<std::string>{"1-2", "1-2"}) ++ranked;
  }
  EXPECT_LE(ranked, 15);
}

TEST(Alternatives, TooFewRoundsRankNothing) {
  const AlternativesVerdict verdict = decide_alternatives(clear({"x", "y"}, 6), {});
  EXPECT_EQ(verdict.exit, Exit::kInconclusive);
  EXPECT_FALSE(verdict.holds);
  EXPECT_GT(verdict.confidence, 0.7);
  EXPECT_LT(verdict.confidence, 0.95);
  EXPECT_EQ(verdict.rounds_needed, 9);
  EXPECT_THAT(verdict.summary, HasSubstr("from 9 rounds on"));
  EXPECT_THAT(ranks(verdict.rows[0]), ElementsAre("1-3", "1-3", "1-3"));
  EXPECT_FALSE(std::isnan(verdict.rows[0].pairs[0].speed_up.lo)) << "shown with its confidence";
  const AlternativesVerdict five = decide_alternatives(clear({"x"}, 5), {});
  EXPECT_EQ(five.exit, Exit::kInconclusive);
  EXPECT_EQ(five.confidence, 0);
  EXPECT_TRUE(std::isnan(five.rows[0].pairs[0].speed_up.lo));
  EXPECT_NEAR(five.rows[0].pairs[0].speed_up.estimate, 2, 0.1);
}

// What fails is named, the rest is compared, and means are over the cases that all have.
TEST(Alternatives, WhatFailsIsLeftOut) {
  Session session = clear({"x", "y", "z"}, 12);
  add_fault(session, 1, 2, FaultKind::kCrashed, "killed by signal 11", 3);
  const AlternativesVerdict verdict = decide_alternatives(session, {});
  EXPECT_EQ(verdict.exit, Exit::kFailed);
  EXPECT_THAT(statuses(verdict.rows[1]),
              ElementsAre(AlternativeStatus::kCompared, AlternativeStatus::kCompared,
                          AlternativeStatus::kFailed));
  EXPECT_EQ(verdict.rows[1].standings[2].reason, "crashed: killed by signal 11");
  EXPECT_THAT(ranks(verdict.rows[1]), ElementsAre("2-2", "1-1", "0-0"));
  EXPECT_THAT(ranks(verdict.rows[0]), ElementsAre("3-3", "2-2", "1-1"));
  EXPECT_EQ(verdict.overall_cases, 2);
  alternatives_from_json(alternatives_to_json(verdict), "written");
}

TEST(Alternatives, ALackedCaseIsNotComparable) {
  Session session = clear({"x", "y"}, 12);
  add_fault(session, 1, 0, FaultKind::kAbsent, "the executable has no such case");
  const AlternativesVerdict verdict = decide_alternatives(session, {});
  EXPECT_EQ(verdict.exit, Exit::kNotComparable);
  EXPECT_THAT(verdict.rows[1].standings[0].reason, HasSubstr("no such case"));
  EXPECT_THAT(ranks(verdict.rows[1]), ElementsAre("0-0", "2-2", "1-1"));
  EXPECT_TRUE(std::isnan(verdict.rows[1].standings[1].over_reference.estimate));
  // Without the reference nothing is left where it alone is asked for.
  const AlternativesVerdict one = decide_alternatives(session, {.only_reference = true});
  EXPECT_THAT(statuses(one.rows[1]), testing::Each(AlternativeStatus::kNotComparable));
  EXPECT_THAT(one.rows[1].standings[1].reason, HasSubstr("the reference, a, has no result"));
}

TEST(Alternatives, OneAloneComparesWithNothing) {
  Session session = clear({"x"}, 12);
  add_fault(session, 0, 0, FaultKind::kError, "no");
  add_fault(session, 0, 1, FaultKind::kSkipped, "not here");
  const AlternativesVerdict verdict = decide_alternatives(session, {});
  EXPECT_EQ(verdict.exit, Exit::kFailed);
  EXPECT_EQ(verdict.summary, "no case could be compared");
  EXPECT_THAT(verdict.rows[0].standings[2].reason, HasSubstr("no other alternative"));
  EXPECT_TRUE(verdict.rows[0].pairs.empty());
}

TEST(Alternatives, WhatAllSkipIsSkipped) {
  Session session = clear({"x", "y"}, 12);
  for (int arm = 0; arm < 3; ++arm) add_fault(session, 0, arm, FaultKind::kSkipped, "no GPU");
  EXPECT_EQ(decide_alternatives(session, {}).exit, Exit::kPass);
  for (int arm = 0; arm < 3; ++arm) add_fault(session, 1, arm, FaultKind::kSkipped, "no GPU");
  EXPECT_EQ(decide_alternatives(session, {}).exit, Exit::kSkipped);
}

TEST(Alternatives, IdenticalOnesAreSaidToBe) {
  Session session = clear({"x"}, 12);
  session.arms[2].digest = session.arms[0].digest;
  const AlternativesVerdict verdict = decide_alternatives(session, {});
  EXPECT_EQ(verdict.exit, Exit::kInvalid);
  EXPECT_THAT(verdict.rows[0].standings[1].reason, HasSubstr("a and c are identical"));
  EXPECT_EQ(decide_alternatives(session, {.identical_is_meant = true}).exit, Exit::kPass);
}

TEST(Alternatives, AnotherBuildIsNotCompared) {
  Session session = clear({"x"}, 12);
  session.arms[1].build.optimized = !session.arms[1].build.optimized;
  const AlternativesVerdict verdict = decide_alternatives(session, {});
  EXPECT_EQ(verdict.exit, Exit::kNotComparable);
  EXPECT_THAT(verdict.rows[0].standings[1].reason, HasSubstr("build_type_mismatch"));
  EXPECT_THAT(ranks(verdict.rows[0]), ElementsAre("2-2", "0-0", "1-1"));
}

// A higher rate is faster.
TEST(Alternatives, RatesAreTheOtherWayRound) {
  Noise noise(5);
  const Session session = TimedSession(
      {"x"}, 2, 12,
      [&](std::size_t, std::size_t arm) { return (arm == 1 ? std::log(3.0) : 0) + noise(0, 0.01); },
      synthetic::kRate);
  const AlternativesVerdict verdict = decide_alternatives(session, {.metric = "rate"});
  EXPECT_THAT(ranks(verdict.rows[0]), ElementsAre("2-2", "1-1"));
  EXPECT_NEAR(verdict.rows[0].standings[1].over_reference.estimate, 3, 0.1);
  EXPECT_THROW(decide_alternatives(session, {}), Error) << "no real_time";
}

TEST(Alternatives, SeriesOrderTheRows) {
  const AlternativesVerdict verdict = decide_alternatives(
      clear({"s/n:1024", "t/n:8", "other", "s/n:64", "s/n:256"}, 12), {.series_key = "n"});
  std::vector<std::string> names;
  for (const AlternativesRow& row : verdict.rows) names.push_back(row.case_name);
  EXPECT_THAT(names, ElementsAre("s/n:64", "s/n:256", "s/n:1024", "t/n:8", "other"));
  EXPECT_EQ(verdict.rows[1].size, 256);
  EXPECT_EQ(verdict.rows[1].series, "s");
}

// The mean over cases of what one round shows is one observation.
TEST(Alternatives, TheMeanIsOverCasesRoundByRound) {
  Noise noise(6);
  std::vector<double> shock(30);
  for (double& value : shock) value = noise(0, 0.3);
  std::size_t at = 0;
  // In every round one case gains what the other loses.
  const Session session = TimedSession({"x", "y"}, 2, 15, [&](std::size_t c, std::size_t arm) {
    if (arm == 0) return 0.0;
    if (c == 0) ++at;
    return (c == 0 ? 1 : -1) * shock[at];
  });
  const AlternativesVerdict verdict = decide_alternatives(session, {});
  EXPECT_NEAR(verdict.overall[0].pairs[0].speed_up.lo, 1, 1e-9);
  EXPECT_NEAR(verdict.overall[0].pairs[0].speed_up.hi, 1, 1e-9);
  EXPECT_GT(verdict.rows[0].pairs[0].speed_up.hi, 1.05);
}

// The budget may end inside a round.
TEST(Alternatives, ARoundWithoutSomeCaseIsNoneOfTheMean) {
  Session session = clear({"x", "y"}, 12);
  session.rounds.back().cases.pop_back();
  const AlternativesVerdict verdict = decide_alternatives(session, {});
  EXPECT_EQ(verdict.rows[0].rounds, 12);
  EXPECT_EQ(verdict.rows[1].rounds, 11);
  EXPECT_EQ(verdict.overall[0].rounds, 11);
  EXPECT_THAT(ranks(verdict.overall[0]), ElementsAre("3-3", "2-2", "1-1"));
}

TEST(Alternatives, RefusesWhatIsNoComparison) {
  Session session = clear({"x"}, 12);
  EXPECT_THROW(decide_alternatives(session, {.reference = 3}), Error);
  session.arms.resize(1);
  EXPECT_THROW(decide_alternatives(session, {}), Error);
}

TEST(Alternatives, CountsWhatAFamilyHolds) {
  EXPECT_EQ(comparisons_in_family(3, 1, {}), 3U);
  EXPECT_EQ(comparisons_in_family(3, 6, {}), 21U);
  EXPECT_EQ(comparisons_in_family(8, 100, {}), 2828U);
  EXPECT_EQ(comparisons_in_family(4, 6, {.only_reference = true}), 21U);
  EXPECT_EQ(comparisons_in_family(4, 6, {.family = Family::kCase}), 6U);
}

}  // namespace
}  // namespace perfgate
