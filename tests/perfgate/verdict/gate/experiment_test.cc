// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/gate/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "perfgate/base/error.h"

namespace perfgate {
namespace {

using testing::ElementsAre;

Session experiment_session(int rounds, std::vector<int> looks, std::vector<double> alpha) {
  Session session;
  session.arms.resize(2);
  session.arms[0].digest = "a";
  session.arms[1].digest = "b";
  session.metrics = {Metric{}};
  session.cases.resize(1);
  session.cases[0].name = "case";
  session.rounds.resize(static_cast<std::size_t>(rounds));
  for (int r = 0; r < rounds; ++r) session.rounds[static_cast<std::size_t>(r)].index = r;
  session.schedule.looks = std::move(looks);
  session.schedule.look_alpha = std::move(alpha);
  return session;
}

double total(const std::vector<stats::Look>& looks) {
  return std::accumulate(looks.begin(), looks.end(), 0.0,
                         [](double sum, const stats::Look& look) { return sum + look.alpha; });
}

TEST(Experiment, RoundsAndLooksGoOn) {
  const Session before = experiment_session(10, {6, 10}, {0, 0.003});
  Session now = experiment_session(6, {6}, {0.002});
  now.faults.resize(1);
  now.faults[0].round = 2;
  const Session pooled = pool_attempts(before, now);
  ASSERT_EQ(pooled.rounds.size(), 16U);
  for (int r = 0; r < 16; ++r) EXPECT_EQ(pooled.rounds[static_cast<std::size_t>(r)].index, r);
  EXPECT_THAT(pooled.schedule.looks, ElementsAre(6, 10, 16));
  EXPECT_THAT(pooled.schedule.look_alpha, ElementsAre(0, 0.003, 0.002));
  EXPECT_EQ(pooled.faults[0].round, 12);
}

TEST(Experiment, LooksThatWereNeverTakenGiveTheirAlphaBack) {
  const Session interrupted = experiment_session(7, {6, 10}, {0, 0.01});
  const Session pooled = pool_attempts(interrupted, experiment_session(9, {9}, {0.005}));
  EXPECT_THAT(pooled.schedule.looks, ElementsAre(6, 16));
  const auto looks = looks_after(interrupted, {}, 20);
  EXPECT_EQ(looks.front().rounds, 10);
  EXPECT_GT(total(looks), 0.005);
}

// Whatever the attempts, together they never spend more than alpha.
TEST(Experiment, AlphaIsSpentOnce) {
  for (int first = 0; first <= 40; ++first) {
    for (int second = 1; second <= 40; ++second) {
      Policy policy;
      Session session = experiment_session(first, {}, {});
      for (const stats::Look& look : stats::plan_looks(policy.alpha, first)) {
        session.schedule.looks.push_back(look.rounds);
        session.schedule.look_alpha.push_back(look.alpha);
      }
      const double spent = std::accumulate(session.schedule.look_alpha.begin(),
                                           session.schedule.look_alpha.end(), 0.0);
      const auto looks = looks_after(session, policy, second);
      ASSERT_LE(spent + total(looks), policy.alpha + 1e-12) << first << " " << second;
      for (const stats::Look& look : looks) {
        ASSERT_GT(look.rounds, first);
        ASSERT_LE(look.rounds, std::max(40, first));
      }
    }
  }
}

// Attempts of one round each get no look of their own between those of the schedule.
TEST(Experiment, ManyShortAttemptsTakeNoLookMore) {
  for (const bool fixed : {false, true}) {
    Policy policy;
    policy.rounds = fixed ? 1 : 0;
    Session session = experiment_session(1, {1}, {0});
    for (int attempt = 2; attempt <= 40; ++attempt) {
      Session now = experiment_session(1, {}, {});
      for (const stats::Look& look : looks_after(session, policy, 1)) {
        now.schedule.looks.push_back(look.rounds - attempt + 1);
        now.schedule.look_alpha.push_back(look.alpha);
      }
      ASSERT_EQ(now.schedule.looks.back(), 1) << "the attempt has an end";
      session = pool_attempts(session, now);
    }
    std::vector<int> deciding = session.schedule.looks;
    std::erase_if(deciding, [](int rounds) { return rounds < 6; });
    EXPECT_THAT(deciding, ElementsAre(6, 9, 10, 15, 16, 24, 36, 40)) << fixed;
    const auto& alpha = session.schedule.look_alpha;
    EXPECT_LE(std::accumulate(alpha.begin(), alpha.end(), 0.0), policy.alpha + 1e-12);
  }
}

TEST(Experiment, OnlyTheSameQuestionIsAnswered) {
  const Policy asked;
  Policy other = asked;
  other.budget_s = 1;
  other.rounds = 7;
  other.overrides = {"budget"};
  EXPECT_TRUE(same_question(asked, other));
  for (int change = 0; change < 5; ++change) {
    other = asked;
    if (change == 0) other.tolerance = 0.03;
    if (change == 1) other.filter = "gemm";
    if (change == 2) other.cases = {{.match = "*", .metric = {}, .tolerance = {}, .gate = false}};
    if (change == 3) other.expected = {"case"};
    if (change == 4) other.hide_limit = 0.5;
    EXPECT_FALSE(same_question(asked, other)) << change;
  }
}

TEST(Experiment, OtherExecutablesCasesMetricsAndMachinesDoNotPool) {
  const Session before = experiment_session(10, {10}, {0.01});
  for (int change = 0; change < 4; ++change) {
    Session now = experiment_session(6, {6}, {0});
    if (change == 3) now.machine.cpu_model = "another";
    if (change == 0) now.arms[1].digest = "c";
    if (change == 1) now.cases[0].name = "other";
    if (change == 2) now.metrics[0].unit = "ms";
    EXPECT_THROW(pool_attempts(before, now), Error) << change;
  }
}

}  // namespace
}  // namespace perfgate
