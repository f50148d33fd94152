// SPDX-License-Identifier: Apache-2.0
// What the second clock says of a candidate whose reports are too noisy to prove anything, and of a
// baseline that has another clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/parity/parity_verdict.h"
#include "perfgate/verdict/second_clock.h"
#include "tests/perfgate/verdict/clocked_session.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::Honest;
using synthetic::JudgedOf;
using synthetic::kTimed;
using synthetic::Noise;
using synthetic::ParitySession;
using synthetic::SessionOf;
using synthetic::Slice;

constexpr int kSixteen = 16;
constexpr double kMargin = 0.03;  // of the policy

Session AtLevel(TrustLevel level) {
  Session session = synthetic::empty_session({"a"}, {Metric{}}, kSixteen);
  session.policy.second_clock_margin = kMargin;
  session.trust.level = level;
  return session;
}

std::vector<double> Around(Noise& noise, double mean) {
  std::vector<double> values;
  for (int r = 0; r < kSixteen; ++r) values.push_back(noise(mean, 0.0005));
  return values;
}

// Rounds of which one more than half show `much` and the others a large gain: neither the sign nor
// the mean proves anything, and the median is `much`.
std::vector<double> Noisy(double much, int rounds = kSixteen) {
  std::vector<double> values(static_cast<std::size_t>(rounds), much);
  for (int r = rounds / 2 + 1; r < rounds; ++r) values[static_cast<std::size_t>(r)] = -5;
  return values;
}

ClockFinding FindingOf(const Session& session, const WallExcess& excess,
                       std::optional<double> tolerance, double claimed = 0) {
  return JudgeSecondClock(session, excess, claimed, tolerance).finding;
}

bool NamesWholeWall(const std::string& reason) {
  return reason.starts_with("second_clock: by the gate's clock the candidate's slices took ");
}

// Its wall is 20 % longer in every round. In some it says so, in the others it reports 45 % less.
Slice LyingInSome(Noise& noise, bool lies) {
  Slice slice = Honest(noise, 0.2);
  if (lies) slice.timed_s *= 0.55;
  return slice;
}

// The report alone is inconclusive, what it leaves unexplained is too, and neither may pass.
TEST(WholeWall, ACandidateThatLiesInSomeLaunchesIsInvalid) {
  for (const int every : {2, 3, 4}) {
    Noise noise(21);
    Session session = SessionOf(kSixteen, [&](std::size_t arm, int round, int) {
      return arm == 0 ? Honest(noise) : LyingInSome(noise, round % every == 0);
    });
    session.policy.hide_limit = 10;
    const WallExcess excess = WallExcessOf(RoundsByCase(session)[0], 0, 1);
    ASSERT_EQ(FindExcess(excess.x, kMargin, 1), ClockFinding::kNone) << every;
    const ColumnVerdict column = JudgedOf(session);
    EXPECT_EQ(column.verdict, Verdict::kInvalid) << every;
    EXPECT_TRUE(NamesWholeWall(column.reason)) << column.reason;
    session.policy.second_clock = SecondClock::kOff;
    EXPECT_EQ(JudgedOf(session).verdict, Verdict::kInconclusive) << "nothing else sees it";
  }
}

TEST(WholeWall, HonestArmsOfAnySetUpPass) {
  for (const double set_up : {0.0, 0.1, 1.0, 10.0}) {
    Noise noise(22);
    const Session session = SessionOf(kSixteen, [&](std::size_t, int, int) {
      Slice slice = Honest(noise);
      slice.wall_s += set_up * kTimed;
      return slice;
    });
    EXPECT_EQ(JudgedOf(session).verdict, Verdict::kNoRegression) << set_up;
  }
}

// A slower candidate that says so fails as a regression; its wall is no news.
TEST(WholeWall, AnHonestRegressionStaysOne) {
  Noise noise(23);
  const Session session = SessionOf(
      kSixteen, [&](std::size_t arm, int, int) { return Honest(noise, arm == 0 ? 0 : 0.3); });
  EXPECT_EQ(JudgedOf(session).verdict, Verdict::kRegression);
}

TEST(WholeWall, MayBeLongerByToleranceAndMarginTogether) {
  const Session session = AtLevel(TrustLevel::kOpen);
  for (const double tolerance : {0.0, 0.01, 0.02, 0.2}) {
    Noise noise(24);
    const auto whole = [&](double beyond) {
      return WallExcess{.x = Around(noise, 0),
                        .whole = Around(noise, tolerance + kMargin + beyond)};
    };
    EXPECT_EQ(FindingOf(session, whole(-0.005), tolerance), ClockFinding::kNone) << tolerance;
    EXPECT_EQ(FindingOf(session, whole(0.005), tolerance), ClockFinding::kProven) << tolerance;
    EXPECT_EQ(FindingOf(session, whole(0.005), std::nullopt), ClockFinding::kNone)
        << "a case that does not pass anyway";
  }
}

TEST(WholeWall, ShowsHalfOfAnImprovementThatIsClaimed) {
  const Session session = AtLevel(TrustLevel::kOpen);
  for (const double claimed : {0.04, 0.3}) {
    Noise noise(25);
    const auto whole = [&](double shown) {
      return WallExcess{.x = Around(noise, 0), .whole = Around(noise, -shown * claimed)};
    };
    EXPECT_EQ(FindingOf(session, whole(0.6), 0.02, claimed), ClockFinding::kNone) << claimed;
    EXPECT_EQ(FindingOf(session, whole(0.4), 0.02, claimed), ClockFinding::kProven) << claimed;
  }
}

TEST(WholeWall, ASuspiciousOneAsksForMoreRounds) {
  Noise noise(26);
  WallExcess excess{.x = std::vector<double>(6, 0.0), .whole = {.06, .5, .1, .9, .2, .07}};
  const ClockVerdict found = JudgeSecondClock(AtLevel(TrustLevel::kOpen), excess, 0, 0.02);
  EXPECT_EQ(found.finding, ClockFinding::kSuspicious);
  EXPECT_TRUE(NamesWholeWall(found.reason)) << found.reason;
  EXPECT_TRUE(found.reason.ends_with("measure more rounds (--budget, --rounds) to decide"));
}

TEST(LikelyExcess, WithholdsAStrangersPassHoweverNoisyItIs) {
  ASSERT_EQ(FindExcess(Noisy(0.2), kMargin, 1), ClockFinding::kNone);
  const WallExcess excess{.x = Noisy(0.2), .whole = Noisy(0)};
  for (const TrustLevel level : {TrustLevel::kIsolated, TrustLevel::kReviewedSuite}) {
    EXPECT_EQ(FindingOf(AtLevel(level), excess, 0.02), ClockFinding::kSuspicious);
    EXPECT_EQ(FindingOf(AtLevel(level), excess, std::nullopt), ClockFinding::kNone)
        << "it does not pass anyway";
  }
  EXPECT_EQ(FindingOf(AtLevel(TrustLevel::kOpen), excess, 0.02), ClockFinding::kNone);
}

TEST(LikelyExcess, IsMoreThanATenthAndMoreThanTheMarginInSixRounds) {
  Session session = AtLevel(TrustLevel::kIsolated);
  const auto finding = [&](double much, int rounds = kSixteen) {
    return FindingOf(session, {.x = Noisy(much, rounds), .whole = Noisy(0, rounds)}, 0.02);
  };
  EXPECT_EQ(finding(0.101), ClockFinding::kSuspicious);
  EXPECT_EQ(finding(0.099), ClockFinding::kNone);
  EXPECT_EQ(finding(0.3, 7), ClockFinding::kSuspicious);
  EXPECT_EQ(finding(0.3, 5), ClockFinding::kNone);
  session.policy.second_clock_margin = 0.25;
  EXPECT_EQ(finding(0.24), ClockFinding::kNone);
  EXPECT_EQ(finding(0.26), ClockFinding::kSuspicious);
}

// Equal reports, and untimed work in one more than half of the rounds.
TEST(LikelyExcess, AVerdictIsInconclusiveAtEveryLevelButOpen) {
  Noise noise(27);
  Session session = SessionOf(kSixteen, [&](std::size_t arm, int round, int) {
    Slice slice = Honest(noise);
    slice.wall_s += 10 * kTimed;
    if (arm == 1) slice.wall_s += (round <= kSixteen / 2 ? 0.2 : -5) * kTimed;
    return slice;
  });
  session.policy.hide_limit = 10;
  ASSERT_EQ(decide(session).exit, Exit::kPass);
  for (const TrustLevel level : {TrustLevel::kIsolated, TrustLevel::kReviewedSuite}) {
    session.trust.level = level;
    EXPECT_TRUE(IsWithheldBySecondClock(JudgedOf(session)));
    EXPECT_EQ(decide(session).exit, Exit::kInconclusive);
  }
}

// A baseline whose wall holds less than it reports, by `share`, in `rounds` of the rounds; in the
// last round both stall.
Session OtherClock(double share, int rounds) {
  Noise noise(28);
  return SessionOf(kSixteen, [&noise, share, rounds](std::size_t, int round, int) {
    Slice slice = Honest(noise);
    if (round < rounds) slice.wall_s = slice.timed_s / (1 + share);
    if (round == kSixteen - 1) slice.wall_s = 1000 * kTimed;
    return slice;
  });
}

bool IsCompared(const Session& session) {
  const WallExcess excess = WallExcessOf(RoundsByCase(session)[0], 0, 1);
  EXPECT_EQ(excess.x.size(), excess.whole.size());
  return !excess.x.empty();
}

TEST(OtherClock, ShowsInMostRoundsWhateverOneStalledRoundAddsToTheSums) {
  EXPECT_FALSE(IsCompared(OtherClock(0.5, 15)));
  EXPECT_FALSE(IsCompared(OtherClock(0.03, 15)));
  EXPECT_FALSE(IsCompared(OtherClock(0.5, 9)));
  EXPECT_TRUE(IsCompared(OtherClock(0.5, 7))) << "not in most rounds";
  EXPECT_TRUE(IsCompared(OtherClock(0.01, 15))) << "clocks differ by less than 2 %";
}

// One round of the other clock outweighs all others.
TEST(OtherClock, ShowsInTheSumsWhereFewRoundsHaveIt) {
  Noise noise(29);
  const auto session_of = [&](double timed_s) {
    return SessionOf(kSixteen, [&noise, timed_s](std::size_t, int round, int) {
      Slice slice = Honest(noise);
      if (round == 3) slice.timed_s = timed_s;
      return slice;
    });
  };
  EXPECT_FALSE(IsCompared(session_of(10 * kSixteen * kTimed)));
  EXPECT_TRUE(IsCompared(session_of(kTimed)));
}

TEST(OtherClock, IsNotHeldAgainstTheWallOfAnyArm) {
  const auto slice_of = [](std::size_t arm, int round, int) {
    return Slice{kTimed * (arm == 2 ? 0.7 : 1.0), round == kSixteen - 1 ? 100 * kTimed
                                                  : arm == 2            ? 3 * kTimed
                                                                        : 0.1 * kTimed};
  };
  const ParityVerdict verdict = decide_parity(ParitySession(kSixteen, slice_of), "");
  EXPECT_EQ(verdict.columns.at(0).outcome, ParityStatus::kWin) << verdict.columns.at(0).reason;
}

ParityPair Judged(const Session& session, const WallExcess& excess, ParityStatus status) {
  ParityPair pair;
  pair.status = status;
  pair.effect.estimate = status == ParityStatus::kWin ? -0.3 : 0;
  ApplySecondClock(session, excess, Metric{}, 0.02, pair);
  return pair;
}

TEST(ParityClock, AWinAndAMatchMustShowInTheWholeWall) {
  Noise noise(30);
  const WallExcess excess{.x = Around(noise, 0), .whole = Around(noise, 0.2)};
  const Session session = AtLevel(TrustLevel::kOpen);
  for (const ParityStatus status : {ParityStatus::kWin, ParityStatus::kMatch}) {
    EXPECT_EQ(Judged(session, excess, status).status, ParityStatus::kInvalid);
    EXPECT_TRUE(NamesWholeWall(Judged(session, excess, status).reason));
  }
  EXPECT_EQ(Judged(session, excess, ParityStatus::kLoss).status, ParityStatus::kLoss);
  EXPECT_EQ(Judged(session, excess, ParityStatus::kUnresolved).reason, "");
}

TEST(ParityClock, AStrangersWinIsWithheldWhereAnExcessIsLikely) {
  const WallExcess excess{.x = Noisy(0.2), .whole = Noisy(-0.5)};
  for (const ParityStatus status : {ParityStatus::kWin, ParityStatus::kMatch}) {
    EXPECT_EQ(Judged(AtLevel(TrustLevel::kIsolated), excess, status).status,
              ParityStatus::kUnresolved);
    EXPECT_EQ(Judged(AtLevel(TrustLevel::kOpen), excess, status).status, status);
  }
  EXPECT_EQ(Judged(AtLevel(TrustLevel::kIsolated), excess, ParityStatus::kLoss).status,
            ParityStatus::kLoss);
}

}  // namespace
}  // namespace perfgate
