// SPDX-License-Identifier: Apache-2.0
// What must hold for every session: the order of cases does not matter, mirrored arms mirror the
// effect, and deciding a recorded session says what the running gate said.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::add_case;
using synthetic::add_fault;
using synthetic::add_round;
using synthetic::empty_session;
using synthetic::find_column;
using synthetic::kCount;
using synthetic::Noise;

// What a suite really is: per case a mean log ratio, a noise level, an extra count and, for cases
// that break, the round in which they do.
struct Truth {
  double mean = 0;
  double sd = 0;
  double more_allocations = 0;
  int breaks_in = -1;
  int breaking_arm = 0;
};

std::vector<Truth> random_suite(Noise& noise, std::size_t cases) {
  constexpr double kMeans[] = {0, 0, 0.01, 0.02, 0.05, 0.2, -0.03, -0.3};
  constexpr double kSds[] = {0.001, 0.01, 0.03, 0.1};
  const auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(noise.random());
  };
  std::vector<Truth> suite(cases);
  for (Truth& truth : suite) {
    truth.mean = kMeans[pick(std::size(kMeans))];
    truth.sd = kSds[pick(std::size(kSds))];
    truth.more_allocations = pick(5) == 0 ? 1 : 0;
    if (pick(4) == 0) truth.breaks_in = static_cast<int>(pick(30));
    truth.breaking_arm = static_cast<int>(pick(2));
  }
  return suite;
}

// The measured slices of every case and round, as if nothing was ever dropped.
using Draws = std::vector<std::vector<std::vector<synthetic::Values>>>;

Draws draw(Noise& noise, const std::vector<Truth>& suite, int rounds) {
  Draws draws(static_cast<std::size_t>(rounds));
  for (auto& round : draws) {
    for (const Truth& truth : suite) {
      const double d = noise(truth.mean, truth.sd);
      synthetic::Values time;
      for (int slice = 0; slice < synthetic::kPairs; ++slice) {
        time.baseline.push_back(std::exp(noise(-10, 0.01)));
        time.candidate.push_back(time.baseline.back() * std::exp(d + noise(0, truth.sd)));
      }
      round.push_back({time, {{5}, {5 + truth.more_allocations}}});
    }
  }
  return draws;
}

Session suite_session(const std::vector<Truth>& suite, int rounds, double tolerance) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < suite.size(); ++c) names.push_back("case" + std::to_string(c));
  Session session = empty_session(names, {Metric{}, kCount});
  session.policy.tolerance = tolerance;
  synthetic::plan(session, rounds);
  return session;
}

// Plays the scheduler: rounds over the open cases, the hook after each look. With `drop` false
// decided cases go on, as if nobody had looked.
Session simulate(const std::vector<Truth>& suite, const Draws& draws, Session session, bool drop) {
  std::vector<bool> open(suite.size(), true);
  const std::vector<int> looks = session.schedule.looks;
  for (std::size_t r = 0; r < draws.size(); ++r) {
    if (std::count(open.begin(), open.end(), true) == 0) break;
    add_round(session);
    for (std::size_t c = 0; c < suite.size(); ++c) {
      if (!open[c]) continue;
      if (suite[c].breaks_in == static_cast<int>(r)) {
        add_fault(session, c, suite[c].breaking_arm, FaultKind::kCrashed, "", static_cast<int>(r));
        open[c] = false;
      } else {
        add_case(session, c, draws[r][c]);
      }
    }
    if (drop && std::find(looks.begin(), looks.end(), static_cast<int>(r) + 1) != looks.end()) {
      const std::vector<bool> wanted = open_cases(session);
      for (std::size_t c = 0; c < suite.size(); ++c) open[c] = open[c] && wanted[c];
    }
  }
  return session;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_same_column(const ColumnVerdict& a, const ColumnVerdict& b) {
  SCOPED_TRACE(a.case_name + " " + a.metric.name);
  EXPECT_EQ(a.verdict, b.verdict) << to_string(a.verdict) << " / " << to_string(b.verdict);
  EXPECT_EQ(a.claim, b.claim);
  EXPECT_EQ(a.rounds, b.rounds);
  EXPECT_EQ(a.p_adjusted, b.p_adjusted);
  EXPECT_TRUE(same(a.effect.estimate, b.effect.estimate));
  EXPECT_TRUE(same(a.effect.lo, b.effect.lo));
  EXPECT_TRUE(same(a.effect.hi, b.effect.hi));
  EXPECT_TRUE(same(a.baseline, b.baseline));
  EXPECT_TRUE(same(a.candidate, b.candidate));
  EXPECT_TRUE(same(a.noise_sd, b.noise_sd));
}

TEST(Replay, OfARecordedSessionSaysWhatTheRunningGateSaid) {
  Noise noise(2024);
  int decided = 0;
  int undecided = 0;
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(trial);
    const std::vector<Truth> suite = random_suite(noise, 1 + static_cast<std::size_t>(trial) % 6);
    const int rounds = trial % 3 == 0 ? 40 : 16;
    const Draws draws = draw(noise, suite, rounds);
    Session empty = suite_session(suite, rounds, trial % 4 == 0 ? 0.0 : 0.02);
    empty.policy.claim_improvements = trial % 5 == 0;
    const Session session = simulate(suite, draws, empty, true);
    const SuiteVerdict verdict = decide(session);
    for (std::size_t c = 0; c < suite.size(); ++c) {
      std::size_t measured = 0;
      for (const RoundInfo& round : session.rounds) {
        for (const CaseRound& m : round.cases) measured += m.case_index == c ? 1 : 0;
      }
      const bool broke = std::any_of(session.faults.begin(), session.faults.end(),
                                     [&](const Fault& f) { return f.case_index == c; });
      for (const ColumnVerdict& column : verdict.columns) {
        if (column.case_name != session.cases[c].name || broke) continue;
        const bool open = column.verdict == Verdict::kInconclusive;
        (open ? undecided : decided) += 1;
        // What the verdict leaves open was never dropped.
        EXPECT_TRUE(!open || measured == session.rounds.size());
        EXPECT_LE(column.rounds, static_cast<int>(measured));
      }
      EXPECT_FALSE(broke && open_cases(session)[c]);
    }
  }
  EXPECT_GT(decided, 50);
  EXPECT_GT(undecided, 20);
}

TEST(Replay, DoesNotDependOnWhatWasMeasuredAfterADecision) {
  Noise noise(77);
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    std::vector<Truth> suite = random_suite(noise, 1 + static_cast<std::size_t>(trial) % 6);
    // A case that breaks after it was decided would only break in the longer session.
    for (Truth& truth : suite) truth.breaks_in = truth.breaks_in >= 0 ? truth.breaks_in % 6 : -1;
    const Draws draws = draw(noise, suite, 40);
    const Session empty = suite_session(suite, 40, 0.02);
    const SuiteVerdict live = decide(simulate(suite, draws, empty, true));
    const SuiteVerdict full = decide(simulate(suite, draws, empty, false));
    EXPECT_EQ(live.exit, full.exit);
    ASSERT_EQ(live.columns.size(), full.columns.size());
    for (const ColumnVerdict& column : live.columns) {
      if (column.verdict == Verdict::kInconclusive && full.rounds != live.rounds) continue;
      expect_same_column(column, find_column(full, column.case_name, column.metric.name));
    }
  }
}

TEST(Decide, DoesNotDependOnTheOrderOfTheCases) {
  Noise noise(5);
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    const std::vector<Truth> suite = random_suite(noise, 5);
    const Session session =
        simulate(suite, draw(noise, suite, 16), suite_session(suite, 16, 0.02), true);
    std::vector<std::size_t> order(suite.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), noise.random());
    Session other = synthetic::reordered(session, order);
    for (RoundInfo& round : other.rounds) {
      std::shuffle(round.cases.begin(), round.cases.end(), noise.random());
    }
    const SuiteVerdict a = decide(session);
    const SuiteVerdict b = decide(other);
    EXPECT_EQ(a.exit, b.exit);
    EXPECT_EQ(a.summary, b.summary);
    ASSERT_EQ(a.columns.size(), b.columns.size());
    for (const ColumnVerdict& column : a.columns) {
      const ColumnVerdict& twin = find_column(b, column.case_name, column.metric.name);
      expect_same_column(column, twin);
      EXPECT_EQ(column.reason, twin.reason);
    }
  }
}

TEST(Decide, MirrorsTheEffectWhenTheArmsChangePlaces) {
  Noise noise(6);
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    std::vector<Truth> suite = random_suite(noise, 3);
    for (Truth& truth : suite) truth.breaks_in = -1;
    // All columns rest on all rounds: the first look is also the last.
    const int rounds = 1 + trial % 6;
    const Session session =
        simulate(suite, draw(noise, suite, rounds), suite_session(suite, rounds, 0.0), true);
    const SuiteVerdict a = decide(session);
    const SuiteVerdict b = decide(synthetic::mirrored(session));
    ASSERT_EQ(a.columns.size(), 6U);
    for (const ColumnVerdict& column : a.columns) {
      const ColumnVerdict& twin = find_column(b, column.case_name, column.metric.name);
      const bool relative = is_relative(column.metric.kind);
      const auto mirrored = [&](double x) { return relative ? 1 / (1 + x) - 1 : -x; };
      EXPECT_NEAR(mirrored(column.effect.estimate), twin.effect.estimate, 1e-9);
      EXPECT_DOUBLE_EQ(column.baseline, twin.candidate);
      if (rounds == 6) {
        EXPECT_NEAR(mirrored(column.effect.lo), twin.effect.hi, 1e-9);
        EXPECT_NEAR(mirrored(column.effect.hi), twin.effect.lo, 1e-9);
        EXPECT_FALSE(column.verdict == Verdict::kImprovement &&
                     twin.verdict == Verdict::kImprovement);
      } else {
        EXPECT_NEAR(mirrored(column.effect.range_lo), twin.effect.range_hi, 1e-9);
        EXPECT_NEAR(mirrored(column.effect.range_hi), twin.effect.range_lo, 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace perfgate
