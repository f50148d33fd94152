// SPDX-License-Identifier: Apache-2.0
// Which processes a round launches, and for which cases.
#include "perfgate/measure/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/perfgate/measure/fixtures/two_arms.h"

namespace perfgate::measure {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int kRounds = 3;
constexpr std::size_t kArms = 2;

std::string before_slash(const std::string& name) { return name.substr(0, name.find('/')); }

Session measured(const std::string& filter,
                 std::function<std::string(const std::string&)> launch_of = {},
                 std::uint64_t seed = 1) {
  MeasurePlan plan;
  plan.policy.filter = filter;
  plan.policy.allow_oversubscription = true;  // on a single core
  plan.launch_of = std::move(launch_of);
  plan.seed = seed;
  return measured_twice(LAUNCHES, std::move(plan), kRounds);
}

// What a case reported in an arm's slices of a round, which must all be the same.
double reported(const Session& session, const CaseRound& of, std::string_view metric,
                std::size_t arm) {
  const auto m =
      static_cast<std::size_t>(std::find_if(session.metrics.begin(), session.metrics.end(),
                                            [&](const Metric& one) { return one.name == metric; }) -
                               session.metrics.begin());
  const std::vector<double>& slices = of.values.at(m)[arm];
  EXPECT_THAT(slices, Each(slices[0])) << metric;
  return slices[0];
}

// Per round and arm, the processes that measured the cases of each launch.
void expect_launches(const Session& session, std::size_t launches, std::size_t cases_per_launch,
                     const std::function<std::string(const std::string&)>& launch_of) {
  EXPECT_THAT(session.faults, IsEmpty());
  ASSERT_THAT(session.rounds, SizeIs(kRounds));
  std::set<double> processes;
  for (const RoundInfo& round : session.rounds) {
    ASSERT_THAT(round.cases, SizeIs(launches * cases_per_launch));
    for (std::size_t arm = 0; arm < kArms; ++arm) {
      std::map<std::string, std::set<double>> of_launch;
      std::map<std::string, std::multiset<double>> seen;
      for (const CaseRound& one : round.cases) {
        const std::string launch = launch_of(session.cases[one.case_index].name);
        of_launch[launch].insert(reported(session, one, "process", arm));
        seen[launch].insert(reported(session, one, "cases_seen", arm));
      }
      EXPECT_THAT(of_launch, SizeIs(launches));
      for (const auto& [launch, ids] : of_launch) {
        EXPECT_THAT(ids, SizeIs(1)) << launch;
        processes.insert(ids.begin(), ids.end());
        // The first had seen itself, the next one more.
        std::multiset<double> expected;
        for (std::size_t i = 1; i <= cases_per_launch; ++i) {
          expected.insert(static_cast<double>(i));
        }
        EXPECT_EQ(seen[launch], expected) << launch;
      }
    }
  }
  EXPECT_THAT(processes, SizeIs(kRounds * kArms * launches)) << "all are launched anew";
}

TEST(Scheduler, ARoundLaunchesAnArmOnceForAllCases) {
  expect_launches(measured("^[ab]/"), 1, 4, [](const std::string&) { return ""; });
}

TEST(Scheduler, CasesOfOneNameShareALaunchAndOthersDoNot) {
  expect_launches(measured("^[ab]/", before_slash), 2, 2, before_slash);
  const auto itself = [](const std::string& name) { return name; };
  expect_launches(measured("^[ab]/", itself), 4, 1, itself);
}

// The cases of a launch in the order in which they were measured, per round.
TEST(Scheduler, BothArmsRunTheCasesOfALaunchInOneOrder) {
  const Session session = measured("^[ab]/", before_slash);
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& one : round.cases) {
      EXPECT_EQ(reported(session, one, "cases_seen", 0), reported(session, one, "cases_seen", 1));
    }
  }
}

// Seeds: the case that dies has none before it with some and others with most.
TEST(Scheduler, AfterOneArmHasDiedBothStartAgain) {
  int deaths = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Session session = measured("^(a|b|touchy)/", {}, seed);
    deaths += static_cast<int>(session.faults.size());
    for (const RoundInfo& round : session.rounds) {
      for (const CaseRound& one : round.cases) {
        const std::string& name = session.cases[one.case_index].name;
        if (before_slash(name) == "touchy") continue;
        EXPECT_EQ(reported(session, one, "cases_seen", 0), reported(session, one, "cases_seen", 1))
            << name;
      }
    }
  }
  EXPECT_GT(deaths, 0);
}

// Whatever ran before it in the round.
TEST(Scheduler, EveryLaunchBeginsOnOneCore) {
  const auto itself = [](const std::string& name) { return name; };
  const Session session = measured("^(a|b|threaded)/", itself);
  EXPECT_THAT(session.faults, IsEmpty());
  for (const RoundInfo& round : session.rounds) {
    for (const CaseRound& one : round.cases) {
      if (before_slash(session.cases[one.case_index].name) == "threaded") continue;
      for (std::size_t arm = 0; arm < kArms; ++arm) {
        EXPECT_EQ(reported(session, one, "cores_at_start", arm), 1);
      }
    }
  }
}

// What cases build once per process is built again in every launch, by both arms.
TEST(Scheduler, TheForecastOfARoundHasWhatALaunchBuilds) {
  constexpr double kBuildS = 0.1;
  const auto itself = [](const std::string& name) { return name; };
  EXPECT_GT(measured("^building/", itself).schedule.round_s, 2 * kArms * kBuildS * 0.75);
}

// Seeds: the launch that leaves something comes first with some and last with others.
TEST(Scheduler, WhatALaunchLeavesIsBlamedOnItsCasesAlone) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Session session = measured("^(a|leaving)/", before_slash, seed);
    ASSERT_THAT(session.faults, Not(IsEmpty()));
    for (const Fault& fault : session.faults) {
      EXPECT_EQ(fault.kind, FaultKind::kLeftover);
      EXPECT_EQ(before_slash(session.cases[fault.case_index].name), "leaving");
    }
    ASSERT_THAT(session.rounds, SizeIs(kRounds));
    EXPECT_THAT(session.rounds.back().cases, SizeIs(2)) << "the others go on";
  }
}

}  // namespace
}  // namespace perfgate::measure
