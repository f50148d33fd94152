// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "perfgate/stats/inference/parity.h"
#include "perfgate/verdict/parity/parity_column.h"
#include "perfgate/verdict/parity/parity_exit.h"
#include "perfgate/verdict/parity/primary_choice.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using synthetic::Noise;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const std::vector<int> kLooks = {6, 10, 16, 24, 40};

Session three_arms(const std::vector<std::string>& cases,
                   const std::vector<Metric>& metrics = {Metric{}}) {
  Session session = synthetic::empty_session(cases, metrics);
  const ArmInfo arm = session.arms[0];
  session.arms.clear();
  for (const std::string_view label : kParityArms) {
    session.arms.push_back(arm);
    session.arms.back().label = label;
    session.arms.back().digest = "sha256:" + std::string(label);
  }
  session.policy.tolerance = 0.05;
  session.schedule.looks = kLooks;
  session.schedule.look_alpha.assign(kLooks.size(), 0);
  return session;
}

// values[metric][arm]: the same in every slice. NaN: not reported.
void add_parity_round(Session& session, std::size_t case_index,
                      const std::vector<std::array<double, 3>>& values) {
  synthetic::add_round(session);
  CaseRound measured;
  measured.case_index = case_index;
  for (const auto& arms : values) {
    auto& lists = measured.values.emplace_back();
    for (const double value : arms) lists.emplace_back(synthetic::kPairs, value);
  }
  session.rounds.back().cases.push_back(measured);
}

// Rounds of one case: log ratios of human to baseline and agent to human, each with noise.
Session one_case(double human, double agent, double sd, int rounds, std::uint64_t seed = 1) {
  Session session = three_arms({"work"});
  Noise noise(seed);
  for (int r = 0; r < rounds; ++r) {
    const double h = 1e-6 * std::exp(noise(human, sd));
    add_parity_round(session, 0, {{1e-6, h, h * std::exp(noise(agent, sd))}});
  }
  return session;
}

const ParityColumn& only(const ParityVerdict& verdict) {
  EXPECT_EQ(verdict.columns.size(), 1U);
  return verdict.columns.at(0);
}

TEST(ParityVerdict, AgreesWithTheTestOnEachPair) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const double effect : {-0.2, -0.05, 0.0, 0.05, 0.2}) {
      const Session session = one_case(-0.3, effect, 0.03, 40, seed);
      const ParityColumn column = only(decide_parity(session));
      std::vector<double> d;
      for (const RoundInfo& round : session.rounds) {
        const auto& arms = round.cases[0].values[0];
        d.push_back(std::log(arms[2][0] / arms[1][0]));
      }
      const stats::Parity oracle = stats::parity_sequential(d, 0.05, kLooks);
      EXPECT_EQ(column.agent_human.rounds, oracle.rounds);
      EXPECT_NEAR(column.agent_human.effect.lo, std::expm1(oracle.match.lo), 1e-12);
      EXPECT_NEAR(column.agent_human.effect.hi, std::expm1(oracle.match.hi), 1e-12);
      const std::array<ParityStatus, 4> status = {ParityStatus::kUnresolved, ParityStatus::kMatch,
                                                  ParityStatus::kWin, ParityStatus::kLoss};
      EXPECT_EQ(column.outcome, status[static_cast<std::size_t>(oracle.outcome)]);
    }
  }
}

TEST(ParityVerdict, ClaimsFollowTheInterval) {
  const ParityColumn match = only(decide_parity(one_case(-0.3, 0, 0.002, 6)));
  EXPECT_EQ(match.outcome, ParityStatus::kMatch);
  EXPECT_EQ(match.claim, Claim::kParity);
  EXPECT_EQ(match.vacuous, false);
  const ParityColumn win = only(decide_parity(one_case(-0.3, -0.2, 0.002, 6)));
  EXPECT_EQ(win.outcome, ParityStatus::kWin);
  EXPECT_EQ(win.claim, Claim::kStrong);
  EXPECT_FALSE(win.vacuous);
  const ParityColumn few = only(decide_parity(one_case(-0.3, -0.2, 0.002, 5)));
  EXPECT_EQ(few.outcome, ParityStatus::kUnresolved);
  EXPECT_EQ(few.claim, Claim::kInsufficient);
  EXPECT_EQ(few.point_rule, PointRule::kWin);
  const ParityColumn noisy = only(decide_parity(one_case(-0.3, 0, 0.5, 40)));
  EXPECT_EQ(noisy.outcome, ParityStatus::kUnresolved);
  EXPECT_EQ(noisy.claim, Claim::kNoiseDominated);
  const ParityColumn slower = only(decide_parity(one_case(-0.3, 0.07, 0.05, 10)));
  EXPECT_EQ(slower.outcome, ParityStatus::kUnresolved);
  EXPECT_EQ(slower.claim, Claim::kDirectional);
}

TEST(ParityVerdict, AMetricOfDifferentRoundsIsNotComparedByTheRest) {
  const auto without = [](std::size_t arm) {
    Session session = one_case(-0.3, 0, 0.002, 12);
    for (double& slice : session.rounds[3].cases[0].values[0][arm]) slice = NAN;
    return decide_parity(session);
  };
  for (const std::size_t arm : {1U, 2U}) {
    const ParityVerdict verdict = without(arm);
    EXPECT_EQ(only(verdict).outcome, ParityStatus::kInvalid);
    EXPECT_EQ(only(verdict).reason, "metric_mismatch: only the " +
                                        std::string(kParityArms[3 - arm]) +
                                        " reports it in slices of round 4");
    EXPECT_EQ(verdict.exit, Exit::kInvalid);
  }
  const ParityColumn column = only(without(0));
  EXPECT_EQ(column.outcome, ParityStatus::kMatch);
  EXPECT_EQ(column.human_baseline.status, ParityStatus::kNotComparable);
  EXPECT_EQ(column.agent_baseline.status, ParityStatus::kNotComparable);
  EXPECT_THAT(column.reason, HasSubstr("only the human reports it in slices of round 4"));
}

TEST(ParityVerdict, TheHumansEffectDecidesWhatAMatchIsWorth) {
  const auto verdict = [](double human, double sd, int rounds) {
    Session session = three_arms({"work"});
    Noise noise(3);
    for (int r = 0; r < rounds; ++r) {
      const double h = 1e-6 * std::exp(noise(human, sd));
      add_parity_round(session, 0, {{1e-6, h, h}});
    }
    return decide_parity(session);
  };
  EXPECT_EQ(only(verdict(0, 0.003, 6)).vacuous, true);
  EXPECT_EQ(verdict(0, 0.003, 6).exit, Exit::kInconclusive);
  EXPECT_EQ(only(verdict(-0.3, 0.003, 6)).vacuous, false);
  EXPECT_EQ(verdict(-0.3, 0.003, 6).exit, Exit::kPass);
  // A human who made it slower has an effect too.
  EXPECT_EQ(only(verdict(0.3, 0.003, 6)).vacuous, false);
  EXPECT_FALSE(only(verdict(0, 0.3, 6)).vacuous);
  EXPECT_EQ(verdict(0, 0.3, 6).exit, Exit::kInconclusive);
}

TEST(ParityVerdict, AMatchOfUnknownWorthSaysWhy) {
  // 7 times faster than the baseline, and nobody checks what is computed.
  const ParityColumn column = only(decide_parity(one_case(-2, 0, 0.003, 10)));
  EXPECT_EQ(column.outcome, ParityStatus::kMatch);
  EXPECT_FALSE(column.vacuous);
  EXPECT_THAT(column.reason, StartsWith("human: unchecked_speedup: 7."));
}

TEST(ParityVerdict, ACaseStaysOpenUntilItsMatchIsWorthSomething) {
  EXPECT_THAT(open_parity_cases(one_case(-0.3, 0, 0.002, 6)), ElementsAre(false));
  EXPECT_THAT(open_parity_cases(one_case(-0.3, 0, 0.5, 6)), ElementsAre(true));
  Session session = three_arms({"work"});
  Noise noise(3);
  for (int r = 0; r < 6; ++r) {
    const double h = 1e-6 * std::exp(noise(0, 0.3));
    add_parity_round(session, 0, {{1e-6, h, h}});
  }
  EXPECT_THAT(open_parity_cases(session), ElementsAre(true));
  synthetic::add_fault(session, 0, 0, FaultKind::kCrashed);
  EXPECT_THAT(open_parity_cases(session), ElementsAre(false));
}

TEST(ParityVerdict, ExchangedArmsTurnTheOutcome) {
  const auto turned = [](ParityStatus status) {
    if (status == ParityStatus::kWin) return ParityStatus::kLoss;
    return status == ParityStatus::kLoss ? ParityStatus::kWin : status;
  };
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Session session = one_case(0.1, seed % 2 == 0 ? 0.15 : -0.02, 0.02, 24, seed);
    const ParityColumn one = only(decide_parity(session));
    for (RoundInfo& round : session.rounds) {
      std::swap(round.cases[0].values[0][1], round.cases[0].values[0][2]);
    }
    const ParityColumn other = only(decide_parity(session));
    EXPECT_EQ(other.outcome, turned(one.outcome));
    EXPECT_EQ(other.human_baseline.status, one.agent_baseline.status);
    EXPECT_DOUBLE_EQ(other.p_win.value_or(-1), one.p_loss.value_or(-1));
  }
}

TEST(ParityVerdict, TheArmDecidesTheBlame) {
  struct Row {
    int arm;
    FaultKind kind;
    ParityStatus outcome;
    Exit exit;
  };
  const Row rows[] = {
      {2, FaultKind::kCrashed, ParityStatus::kFailed, Exit::kFailed},
      {2, FaultKind::kTimeout, ParityStatus::kFailed, Exit::kFailed},
      {2, FaultKind::kError, ParityStatus::kFailed, Exit::kFailed},
      {2, FaultKind::kLaunch, ParityStatus::kFailed, Exit::kFailed},
      {2, FaultKind::kAbsent, ParityStatus::kMissing, Exit::kNotComparable},
      {2, FaultKind::kSkipped, ParityStatus::kNotComparable, Exit::kNotComparable},
      {2, FaultKind::kBadValue, ParityStatus::kInvalid, Exit::kInvalid},
      {2, FaultKind::kLeftover, ParityStatus::kInvalid, Exit::kInvalid},
      {1, FaultKind::kCrashed, ParityStatus::kNotComparable, Exit::kNotComparable},
      {1, FaultKind::kAbsent, ParityStatus::kNotComparable, Exit::kNotComparable},
      {1, FaultKind::kBadValue, ParityStatus::kInvalid, Exit::kInvalid},
      {0, FaultKind::kTooManyThreads, ParityStatus::kNotComparable, Exit::kNotComparable},
      {0, FaultKind::kUnmeasured, ParityStatus::kUnresolved, Exit::kInconclusive},
  };
  for (const Row& row : rows) {
    Session session = one_case(-0.3, -0.2, 0.002, 6);
    synthetic::add_fault(session, 0, row.arm, row.kind, "why");
    const ParityVerdict verdict = decide_parity(session);
    EXPECT_EQ(only(verdict).outcome, row.outcome) << to_string(row.kind) << row.arm;
    EXPECT_EQ(verdict.exit, row.exit) << to_string(row.kind) << row.arm;
    EXPECT_THAT(only(verdict).reason,
                AllOf(HasSubstr(std::string(to_string(row.kind))), HasSubstr("why")));
    EXPECT_TRUE(std::isnan(only(verdict).agent_human.effect.estimate));
  }
}

TEST(ParityVerdict, ABrokenBaselineTakesOnlyItsOwnPairs) {
  for (const FaultKind kind : {FaultKind::kCrashed, FaultKind::kAbsent, FaultKind::kBadValue}) {
    Session session = one_case(-0.3, -0.2, 0.002, 6);
    synthetic::add_fault(session, 0, 0, kind);
    const ParityVerdict verdict = decide_parity(session);
    EXPECT_EQ(only(verdict).outcome, ParityStatus::kWin);
    EXPECT_EQ(only(verdict).human_baseline.status, ParityStatus::kNotComparable);
    EXPECT_EQ(only(verdict).agent_baseline.status, ParityStatus::kNotComparable);
    EXPECT_TRUE(std::isnan(only(verdict).baseline));
    EXPECT_EQ(verdict.exit, Exit::kPass);
  }
  Session session = one_case(-0.3, 0, 0.002, 6);
  session.arms[0].build.optimized = false;
  const ParityVerdict verdict = decide_parity(session);
  EXPECT_EQ(only(verdict).outcome, ParityStatus::kMatch);
  EXPECT_FALSE(only(verdict).vacuous);
  EXPECT_THAT(only(verdict).human_baseline.reason, HasSubstr("build_type_mismatch"));
  EXPECT_EQ(verdict.exit, Exit::kNotComparable);
}

TEST(ParityVerdict, FaultsInEveryArm) {
  Session skipped = three_arms({"work"});
  for (int arm = 0; arm < 3; ++arm) {
    synthetic::add_fault(skipped, 0, arm, FaultKind::kSkipped, "no GPU");
  }
  EXPECT_EQ(only(decide_parity(skipped)).outcome, ParityStatus::kSkipped);
  EXPECT_EQ(decide_parity(skipped).exit, Exit::kSkipped);
  Session absent = three_arms({"work"});
  for (int arm = 0; arm < 3; ++arm) synthetic::add_fault(absent, 0, arm, FaultKind::kAbsent);
  EXPECT_EQ(only(decide_parity(absent)).outcome, ParityStatus::kMissing);
  Session fresh = three_arms({"work"});
  for (int arm = 0; arm < 2; ++arm) synthetic::add_fault(fresh, 0, arm, FaultKind::kAbsent);
  EXPECT_EQ(only(decide_parity(fresh)).outcome, ParityStatus::kNew);
  EXPECT_EQ(decide_parity(fresh).exit, Exit::kNotComparable);
  Session crashed = three_arms({"work"});
  synthetic::add_fault(crashed, 0, 1, FaultKind::kCrashed);
  synthetic::add_fault(crashed, 0, 2, FaultKind::kCrashed);
  EXPECT_EQ(only(decide_parity(crashed)).outcome, ParityStatus::kFailed);
}

TEST(ParityVerdict, ArmsThatMustNotBeCompared) {
  Session mismatch = one_case(-0.3, -0.2, 0.002, 6);
  mismatch.arms[2].build.sanitizer = "address";
  EXPECT_EQ(decide_parity(mismatch).exit, Exit::kNotComparable);
  EXPECT_THAT(only(decide_parity(mismatch)).reason, StartsWith("build_type_mismatch"));
  for (const auto& [a, b] :
       std::vector<std::pair<std::size_t, std::size_t>>{{1, 2}, {0, 2}, {0, 1}}) {
    Session same = one_case(-0.3, -0.2, 0.002, 6);
    same.arms[b].digest = same.arms[a].digest;
    EXPECT_EQ(decide_parity(same).exit, Exit::kInvalid);
    EXPECT_THAT(only(decide_parity(same)).reason, StartsWith("same_executable"));
    EXPECT_THAT(open_parity_cases(same), ElementsAre(false));
  }
  Session two = synthetic::empty_session({"work"});
  EXPECT_THROW(decide_parity(two), Error);
  Session order = one_case(-0.3, -0.2, 0.002, 6);
  std::swap(order.arms[1].label, order.arms[2].label);
  EXPECT_THROW(decide_parity(order), Error);
}

TEST(ParityVerdict, AnInterruptedSessionShowsNoParity) {
  Session session = one_case(-0.3, -0.2, 0.002, 6);
  session.complete = false;
  EXPECT_EQ(decide_parity(session).exit, Exit::kInconclusive);
  EXPECT_EQ(decide_parity(three_arms({})).exit, Exit::kNotComparable);
  EXPECT_EQ(decide_parity(three_arms({"work"})).exit, Exit::kInconclusive);
}

Metric rate(const std::string& name) {
  return {.name = name, .unit = "tok/s", .direction = Direction::kHigher, .kind = Kind::kRate};
}

TEST(ChoosePrimary, ByNameBeforeAnythingIsMeasured) {
  std::vector<Metric> metrics = {Metric{}};
  for (const char* name :
       {"input_throughput", "e2e_latency", "ttft_mean", "tpot_mean", "output_throughput"}) {
    metrics.push_back(rate(name));
  }
  std::vector<std::size_t> reported(metrics.size());
  std::iota(reported.begin(), reported.end(), std::size_t{0});
  std::vector<std::string> chosen;
  while (!reported.empty()) {
    const PrimaryChoice choice = choose_primary(metrics, reported, "");
    chosen.push_back(metrics[choice.metric].name + " " + choice.why);
    std::erase(reported, choice.metric);
  }
  EXPECT_THAT(chosen,
              ElementsAre("output_throughput throughput_first", "tpot_mean tpot_no_throughput",
                          "ttft_mean ttft_no_tpot", "e2e_latency latency_only",
                          "real_time time_of_the_case", "input_throughput first_reported"));
  EXPECT_EQ(choose_primary(metrics, {0, 5}, "real_time").why, "named_by_the_user");
  EXPECT_EQ(choose_primary(metrics, {0, 5}, "absent").metric, 5U);
}

TEST(ParityVerdict, OtherMetricsAreShownAndConflictsFlagged) {
  const Metric allocs{.name = "allocs", .unit = "1", .kind = Kind::kCount};
  Session session = three_arms({"work"}, {Metric{}, rate("throughput"), allocs});
  for (int r = 0; r < 6; ++r) {
    add_parity_round(session, 0, {{1e-6, 5e-7, 1e-6}, {100, 200, 400}, {3, 3, 5}});
  }
  const ParityVerdict verdict = decide_parity(session);
  EXPECT_EQ(verdict.exit, Exit::kPass);
  ASSERT_EQ(verdict.columns.size(), 3U);
  EXPECT_EQ(verdict.columns[0].metric.name, "throughput");
  EXPECT_TRUE(verdict.columns[0].primary);
  EXPECT_EQ(verdict.columns[0].outcome, ParityStatus::kWin);
  EXPECT_THAT(verdict.conflicts, testing::UnorderedElementsAre(HasSubstr("real_time says loss"),
                                                               HasSubstr("allocs says loss")));
  // Counts are compared as they are: no per cent, no label.
  for (const ParityColumn& column : verdict.columns) {
    if (column.metric.name != "allocs") continue;
    EXPECT_EQ(column.agent_human.effect.estimate, 2);
    EXPECT_EQ(column.human_baseline.status, ParityStatus::kMatch);
    EXPECT_EQ(column.point_rule, PointRule::kNone);
  }
  session.policy.cases = {{.match = "*", .metric = {}, .tolerance = {}, .gate = false}};
  EXPECT_EQ(decide_parity(session).exit, Exit::kNotComparable);
  EXPECT_THAT(open_parity_cases(session), ElementsAre(false));
}

TEST(ParityVerdict, AMetricThatOneArmLacks) {
  const double nan = std::nan("");
  const auto with = [&](std::array<double, 3> values) {
    Session session = three_arms({"work"}, {Metric{}, rate("throughput")});
    for (int r = 0; r < 6; ++r) add_parity_round(session, 0, {{1e-6, 5e-7, 5e-7}, values});
    return decide_parity(session);
  };
  EXPECT_EQ(with({100, 200, nan}).exit, Exit::kNotComparable);
  EXPECT_EQ(with({100, 200, nan}).columns[0].outcome, ParityStatus::kMissing);
  EXPECT_EQ(with({100, nan, 200}).columns[0].outcome, ParityStatus::kNotComparable);
  const ParityVerdict no_baseline = with({nan, 100, 200});
  EXPECT_EQ(no_baseline.exit, Exit::kPass);
  EXPECT_EQ(no_baseline.columns[0].human_baseline.status, ParityStatus::kNotComparable);
  EXPECT_THAT(no_baseline.columns[0].human_baseline.reason, HasSubstr("metric_mismatch"));
}

TEST(ParityVerdict, AFaultOfOneMetricLeavesTheOthers) {
  Session session = three_arms({"work"}, {Metric{}, rate("throughput")});
  for (int r = 0; r < 6; ++r) add_parity_round(session, 0, {{1e-6, 5e-7, 4e-7}, {100, 200, 200}});
  synthetic::add_fault(session, 0, 2, FaultKind::kBadValue, "NaN");
  session.faults.back().metric = "real_time";
  const ParityVerdict verdict = decide_parity(session);
  EXPECT_EQ(verdict.exit, Exit::kPass);
  ASSERT_EQ(verdict.columns.size(), 2U);
  EXPECT_EQ(verdict.columns[0].outcome, ParityStatus::kMatch);
  EXPECT_EQ(verdict.columns[1].outcome, ParityStatus::kInvalid);
  session.faults.back().metric = "throughput";
  EXPECT_EQ(decide_parity(session).exit, Exit::kInvalid);
  session.faults.back().arm = 0;
  const ParityVerdict spared = decide_parity(session);
  EXPECT_EQ(spared.columns[0].human_baseline.status, ParityStatus::kNotComparable);
  EXPECT_EQ(spared.exit, Exit::kNotComparable);
}

TEST(ParityVerdict, AggregatesAndImportsClaimLess) {
  Session session = one_case(-0.3, -0.2, 0.002, 6);
  session.grade = "imported";
  const ParityVerdict imported = decide_parity(session);
  EXPECT_EQ(only(imported).outcome, ParityStatus::kWin);
  EXPECT_EQ(only(imported).claim, Claim::kDirectional);
  session.cases[0].aggregates = {"real_time"};
  const ParityVerdict aggregate = decide_parity(session);
  EXPECT_EQ(aggregate.exit, Exit::kInconclusive);
  EXPECT_EQ(only(aggregate).claim, Claim::kInsufficient);
  EXPECT_THAT(only(aggregate).reason, StartsWith("aggregate_only"));
  EXPECT_FALSE(only(aggregate).p_win);
}

TEST(ParityVerdict, ManyCasesPayForTheirNumber) {
  // The same evidence for a win is worth less among twenty cases.
  const auto verdict = [](std::size_t cases) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < cases; ++c) names.push_back("case" + std::to_string(c));
    Session session = three_arms(names);
    for (int r = 0; r < 6; ++r) {
      synthetic::add_round(session);
      for (std::size_t c = 0; c < cases; ++c) {
        CaseRound measured;
        measured.case_index = c;
        const double agent = c == 0 ? 3e-7 : 5e-7;
        measured.values = {{{1e-6}, {5e-7}, {agent * (1 + 0.001 * r)}}};
        session.rounds.back().cases.push_back(measured);
      }
    }
    return decide_parity(session);
  };
  const auto p_of_first = [](const ParityVerdict& v) {
    for (const ParityColumn& column : v.columns) {
      if (column.case_name == "case0") return column.p_win.value();
    }
    return -1.0;
  };
  EXPECT_NEAR(p_of_first(verdict(1)), 1.0 / 64, 1e-12);
  EXPECT_NEAR(p_of_first(verdict(20)), 20.0 / 64, 1e-12);
}

TEST(ParityExit, TheWorstDecidesAndCountsAddUp) {
  const auto column = [](ParityStatus outcome, std::optional<bool> vacuous = {}) {
    ParityColumn c;
    c.outcome = outcome;
    c.vacuous = vacuous;
    c.primary = true;
    return c;
  };
  std::vector<ParityColumn> columns;
  const std::vector<std::pair<ParityColumn, Exit>> steps = {
      {column(ParityStatus::kSkipped), Exit::kSkipped},
      {column(ParityStatus::kWin), Exit::kPass},
      {column(ParityStatus::kMatch, false), Exit::kPass},
      {column(ParityStatus::kMatch, true), Exit::kInconclusive},
      {column(ParityStatus::kUnresolved), Exit::kInconclusive},
      {column(ParityStatus::kMissing), Exit::kNotComparable},
      {column(ParityStatus::kLoss), Exit::kRegression},
      {column(ParityStatus::kFailed), Exit::kFailed},
      {column(ParityStatus::kInvalid), Exit::kInvalid}};
  EXPECT_EQ(parity_exit(columns), Exit::kNotComparable);
  for (const auto& [next, exit] : steps) {
    columns.push_back(next);
    EXPECT_EQ(parity_exit(columns), exit);
    const auto counts = parity_counts(columns);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), columns.size());
  }
  EXPECT_EQ(parity_summary(columns),
            "1 invalid, 1 failed, 1 loss, 1 missing, 1 unresolved, 2 match (1 vacuous), 1 win, 1 "
            "skipped");
  for (ParityColumn& c : columns) c.gated = false;
  EXPECT_EQ(parity_exit(columns), Exit::kNotComparable);
}

}  // namespace
}  // namespace perfgate
