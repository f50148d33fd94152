// SPDX-License-Identifier: Apache-2.0
// Sessions of one experiment, cut into jobs and merged again: the verdict is that of the whole.
#include "perfgate/verdict/fleet/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/fleet/split.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using testing::HasSubstr;

constexpr int kRounds = 24;

struct Fleet {
  FleetPlan plan;
  std::vector<JobSession> jobs;
};

FleetPlan PlanOf(const std::vector<std::string>& names, int jobs) {
  FleetPlan plan;
  plan.id = std::string(32, '1');
  plan.jobs = jobs;
  plan.suite = "suite";
  plan.policy.rounds = kRounds;
  // Made-up times, all slices alike.
  plan.policy.plausibility = Plausibility::kOff;
  plan.policy.second_clock = SecondClock::kOff;
  for (const stats::Look& look : LooksOfFleet(plan.policy)) {
    plan.looks.push_back(look.rounds);
    plan.look_alpha.push_back(look.alpha);
  }
  plan.arms = {{"baseline", "old", "sha256:b"}, {"candidate", "new", "sha256:c"}};
  for (const std::string& name : names) plan.cases.push_back({name, 1, 0});
  SplitCases(jobs, plan.cases);
  return plan;
}

std::vector<std::string> Names(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back("case/" + std::to_string(i));
  return names;
}

Session EmptySession(const FleetPlan& plan, const std::vector<std::string>& names) {
  Session session = synthetic::empty_session(names);
  session.policy = plan.policy;
  session.suite = plan.suite;
  session.arms[0].digest = "sha256:b";
  session.arms[1].digest = "sha256:c";
  session.schedule.looks = plan.looks;
  session.schedule.look_alpha = plan.look_alpha;
  session.schedule.seed = std::string(16, '0');
  return session;
}

// d of case and round: the same whoever measures it.
using Truth = std::function<double(const std::string&, int round)>;

// Measures as a gate does: cases leave at the look that `open` decides on.
template <class Open>
Session MeasuredBy(Session session, const Truth& truth, const Open& open) {
  std::vector<bool> wanted(session.cases.size(), true);
  for (int r = 0; r < kRounds; ++r) {
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) break;
    synthetic::add_round(session);
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      if (wanted[c]) synthetic::add_ratio(session, c, truth(session.cases[c].name, r));
    }
    const std::vector<int>& looks = session.schedule.looks;
    if (std::find(looks.begin(), looks.end(), r + 1) == looks.end()) continue;
    const std::vector<bool> still = open(session);
    for (std::size_t c = 0; c < wanted.size(); ++c) wanted[c] = wanted[c] && still[c];
  }
  return session;
}

Session WholeSession(const FleetPlan& plan, const Truth& truth) {
  std::vector<std::string> names;
  for (const FleetCase& one : plan.cases) names.push_back(one.name);
  return MeasuredBy(EmptySession(plan, names), truth,
                    [](const Session& session) { return open_cases(session); });
}

JobSession JobOf(const FleetPlan& plan, int job, const Truth& truth) {
  std::vector<std::string> names;
  for (const FleetCase& one : plan.cases) {
    if (one.job == job) names.push_back(one.name);
  }
  Session session = EmptySession(plan, names);
  session.id = std::string(31, '0') + std::to_string(job);
  session.fleet = {DigestOfPlan(plan), job, plan.jobs};
  session.schedule.look_alpha.assign(plan.looks.size(), 0.0);
  session = MeasuredBy(session, truth,
                       [&](const Session& now) { return OpenCasesOfJob(now, plan.look_alpha); });
  return {"job-" + std::to_string(job) + ".json", session};
}

// Noise that depends on case and round alone; some cases are slower, some faster.
Truth TruthOf(std::uint64_t seed) {
  return [seed](const std::string& name, int round) {
    const std::size_t which = std::hash<std::string>()(name);
    synthetic::Noise noise(seed * 1000003 + which + static_cast<std::size_t>(round) * 7919);
    const double shifts[] = {0, 0, 0, 0, 0, 0.05, 0.02, -0.06, 0.03, 0};
    return noise(shifts[(which + seed) % 10], 0.01 + 0.002 * static_cast<double>(which % 7));
  };
}

Fleet FleetOf(int cases, int jobs, const Truth& truth) {
  Fleet fleet{PlanOf(Names(cases), jobs), {}};
  for (int job = jobs; job > 0; --job) fleet.jobs.push_back(JobOf(fleet.plan, job, truth));
  return fleet;
}

// Everything but the order of equals.
std::map<std::string, std::string> VerdictsOf(const SuiteVerdict& verdict) {
  std::map<std::string, std::string> texts;
  for (const ColumnVerdict& column : verdict.columns) {
    SuiteVerdict one;
    one.columns = {column};
    texts[column.case_name] = verdict_to_json(one);
  }
  return texts;
}

TEST(MergeJobs, TheVerdictIsThatOfOneGate) {
  int regressions = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Truth truth = TruthOf(seed);
    const Fleet fleet = FleetOf(30, 1 + static_cast<int>(seed) % 5, truth);
    const SuiteVerdict whole = decide(WholeSession(fleet.plan, truth));
    const SuiteVerdict merged = decide(MergeJobs(fleet.plan, fleet.jobs));
    EXPECT_EQ(merged.exit, whole.exit);
    EXPECT_EQ(merged.summary, whole.summary);
    EXPECT_EQ(merged.rounds, whole.rounds);
    EXPECT_EQ(merged.schedule.look_alpha, whole.schedule.look_alpha);
    EXPECT_EQ(VerdictsOf(merged), VerdictsOf(whole)) << seed;
    EXPECT_EQ(merged.jobs, fleet.plan.jobs);
    for (const ColumnVerdict& column : merged.columns) {
      regressions += column.verdict == Verdict::kRegression ? 1 : 0;
    }
  }
  EXPECT_GT(regressions, 5);
}

// Without any change the merged family names something as seldom as one gate does: 1 % of suites,
// and each job on its own level would be 4 %.
TEST(MergeJobs, SpendsAlphaOnce) {
  constexpr int kSuites = 150;
  int alarms = 0;
  for (int suite = 0; suite < kSuites; ++suite) {
    const Truth truth = [suite](const std::string& name, int round) {
      synthetic::Noise noise(static_cast<std::uint64_t>(suite) * 1000003 +
                             std::hash<std::string>()(name) +
                             static_cast<std::uint64_t>(round) * 7919);
      return noise(0.0198026, 0.03);  // log(1.02): every case is exactly at its tolerance
    };
    const Fleet fleet = FleetOf(8, 4, truth);
    alarms += decide(MergeJobs(fleet.plan, fleet.jobs)).exit == Exit::kRegression ? 1 : 0;
  }
  // Binomial(150, 1 %): more than 6 has a chance of 0.1 %.
  EXPECT_LE(alarms, 6);
}

TEST(MergeJobs, AMergedSessionIsAValidFile) {
  const Fleet fleet = FleetOf(9, 3, TruthOf(3));
  const Session merged = MergeJobs(fleet.plan, fleet.jobs);
  const Session again = session_from_json(session_to_json(merged), "merged.json");
  EXPECT_EQ(session_to_json(again), session_to_json(merged));
  ASSERT_EQ(merged.parts.size(), 3U);
  EXPECT_EQ(merged.parts[0].job, 1);
  EXPECT_EQ(merged.fleet.job, 0);
}

TEST(MergeJobs, JobsThatMeasureOtherMetricsAreJoined) {
  Fleet fleet = FleetOf(4, 2, TruthOf(1));
  Session& session = fleet.jobs[0].session;
  session.metrics.push_back(synthetic::kCount);
  for (RoundInfo& round : session.rounds) {
    for (CaseRound& measured : round.cases) {
      measured.values.push_back(measured.values.front());
      for (auto& arm : measured.values.back()) std::fill(arm.begin(), arm.end(), 3.0);
    }
  }
  const Session merged = MergeJobs(fleet.plan, fleet.jobs);
  ASSERT_EQ(merged.metrics.size(), 2U);
  const SuiteVerdict verdict = decide(merged);
  EXPECT_EQ(verdict.columns.size(), 6U) << "two cases count beside the time of four";
  session_from_json(session_to_json(merged), "merged.json");
}

TEST(MergeJobs, AnInterruptedJobCannotPass) {
  Fleet fleet = FleetOf(8, 2, [](const std::string&, int round) { return round * 1e-5; });
  ASSERT_EQ(decide(MergeJobs(fleet.plan, fleet.jobs)).exit, Exit::kPass);
  Session& session = fleet.jobs[0].session;
  session.rounds.resize(4);
  session.complete = false;
  session.incomplete_reason = "interrupted by SIGTERM";
  const SuiteVerdict verdict = decide(MergeJobs(fleet.plan, fleet.jobs));
  EXPECT_FALSE(verdict.complete);
  EXPECT_EQ(verdict.exit, Exit::kInconclusive);
}

TEST(MergeJobs, FaultsKeepTheirCases) {
  Fleet fleet = FleetOf(8, 4, [](const std::string&, int) { return 0.0; });
  Session& session = fleet.jobs[1].session;
  synthetic::add_fault(session, 1, 1, FaultKind::kCrashed, "signal 11", 2);
  const std::string name = session.cases[1].name;
  const SuiteVerdict verdict = decide(MergeJobs(fleet.plan, fleet.jobs));
  EXPECT_EQ(verdict.exit, Exit::kFailed);
  EXPECT_EQ(verdict.columns.front().case_name, name);
}

struct Refusal {
  Exit exit;
  std::string text;
};

Refusal RefusalOf(const Fleet& fleet) {
  try {
    MergeJobs(fleet.plan, fleet.jobs);
  } catch (const Error& error) {
    return {error.exit(), error.what()};
  }
  return {Exit::kPass, ""};
}

void ExpectRefused(const std::function<void(Fleet&)>& spoil, Exit exit, const std::string& text) {
  static const Fleet sound = FleetOf(6, 3, TruthOf(2));
  Fleet fleet = sound;
  spoil(fleet);
  const Refusal refusal = RefusalOf(fleet);
  EXPECT_EQ(refusal.exit, exit) << text;
  EXPECT_THAT(refusal.text, HasSubstr(text));
}

TEST(MergeJobs, RefusesWhatIsNotOneExperiment) {
  constexpr Exit kOther = Exit::kNotComparable;
  constexpr Exit kInvalid = Exit::kInvalid;
  ExpectRefused([](Fleet& f) { f.jobs.pop_back(); }, kOther, "job 1 of 3 is missing");
  ExpectRefused([](Fleet& f) { f.jobs.clear(); }, kOther, "is missing");
  ExpectRefused([](Fleet& f) { f.jobs.push_back(f.jobs[0]); }, kOther, "there already");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.fleet = {}; }, kOther, "not a job of a fleet");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.fleet.job = 0; }, kOther, "merged already");
  ExpectRefused([](Fleet& f) { f.plan.policy.alpha = 0.02; }, kOther, "another plan");
  ExpectRefused([](Fleet& f) { f.plan.id[0] = '2'; }, kOther, "another plan");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.machine.cpu_model = "Other"; }, kOther,
                "hardware_mismatch: cpu_model");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.arms[1].digest = "sha256:d"; }, kOther,
                "executable_mismatch: candidate");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.policy.tolerance = 0.5; }, kOther,
                "policy_mismatch");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.tool = "perfgate 9"; }, kOther,
                "measured by perfgate 9");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.arms[0].driver = DriverKind::kProcessPerCase; },
                kOther, "plan_mismatch");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.trust.level = TrustLevel::kIsolated; }, kOther,
                "trust_mismatch");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.metrics[0].unit = "ms"; }, kOther,
                "metric_mismatch");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.cases[0].name = "made up"; }, kInvalid,
                "lacks the case");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.schedule.looks.back() = 99; }, kInvalid,
                "other looks");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.fleet.jobs = 7; }, kInvalid, "job 2 of 7");
  ExpectRefused([](Fleet& f) { f.jobs[1].session.arms.pop_back(); }, kInvalid, "two arms");
}

}  // namespace
}  // namespace perfgate
