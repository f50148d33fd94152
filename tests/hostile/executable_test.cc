// SPDX-License-Identifier: Apache-2.0
// Executables that misbehave as a whole: at their start, in what they list, in what they print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/hostile/hostile_gate.h"

namespace perfgate::hostile {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;

constexpr Flavour kWorker = Flavour::kWorker;
constexpr Flavour kStock = Flavour::kStock;

int code(Exit exit) { return static_cast<int>(exit); }

// Gates a sound build against one of another behaviour.
Workbench::Result gate(Flavour flavour, const std::string& baseline, const std::string& candidate,
                       const std::vector<std::string>& options = {}) {
  Workbench bench;
  return bench.gate(bench.executable(flavour, baseline), bench.executable(flavour, candidate),
                    options);
}

void expect_all(const Workbench::Result& result, Exit exit, Verdict verdict, std::size_t cases) {
  EXPECT_EQ(result.process.exit_code, code(exit)) << result.process.out << result.process.err;
  ASSERT_TRUE(result.verdict);
  EXPECT_EQ(result.verdict->columns.size(), cases);
  for (const ColumnVerdict& column : result.verdict->columns) {
    EXPECT_EQ(column.verdict, verdict) << column.case_name << ": " << column.reason;
  }
}

class Start : public testing::TestWithParam<std::pair<const char*, Flavour>> {};

TEST_P(Start, ThatFailsIsTheCandidatesFailure) {
  const auto [what, flavour] = GetParam();
  expect_all(gate(flavour, "none", what), Exit::kFailed, Verdict::kFailed, 3);
}

TEST_P(Start, OfTheBaselineIsNotComparable) {
  const auto [what, flavour] = GetParam();
  expect_all(gate(flavour, what, "none"), Exit::kNotComparable, Verdict::kNotComparable, 3);
}

TEST_P(Start, OfIdenticalExecutablesIsNotGreen) {
  const auto [what, flavour] = GetParam();
  expect_all(gate(flavour, what, what), Exit::kFailed, Verdict::kFailed, 1);
}

std::string start_name(const testing::TestParamInfo<Start::ParamType>& info) {
  return std::string(info.param.first) + "_" + flavour_name(info.param.second);
}

INSTANTIATE_TEST_SUITE_P(
    Fast, Start,
    testing::Values(std::pair("silent", kWorker), std::pair("crash_at_start", kWorker),
                    std::pair("crash_as_worker", kWorker), std::pair("garbage_hello", kWorker),
                    std::pair("silent", kStock), std::pair("crash_at_start", kStock)),
    start_name);

TEST(HungAtStart, WorkerIsTheCandidatesFailure) {
  expect_all(gate(kWorker, "none", "hang_at_start"), Exit::kFailed, Verdict::kFailed, 3);
}

TEST(HungAtStart, StockIsTheCandidatesFailure) {
  expect_all(gate(kStock, "none", "hang_at_start"), Exit::kFailed, Verdict::kFailed, 3);
}

TEST(Output, OfMegabytesOfGarbageDoesNotMatter) {
  for (const Flavour flavour : {kWorker, kStock}) {
    const Workbench::Result result = gate(flavour, "none", "garbage");
    EXPECT_EQ(result.process.exit_code, code(Exit::kPass)) << result.process.err;
    ASSERT_TRUE(result.verdict);
    expect_good_cases_passed(*result.verdict);
    find_case(*result.verdict, "bad");
  }
}

TEST(Worker, OfAnotherProtocolVersionIsNotComparable) {
  const Workbench::Result result = gate(kWorker, "none", "version");
  EXPECT_EQ(result.process.exit_code, code(Exit::kNotComparable));
  EXPECT_THAT(result.process.err, HasSubstr("99"));
  EXPECT_THAT(result.process.err, HasSubstr("protocol"));
}

TEST(Cases, ThatTheCandidateLacksAreMissing) {
  for (const Flavour flavour : {kWorker, kStock}) {
    const Workbench::Result result = gate(flavour, "none", "absent");
    EXPECT_EQ(result.process.exit_code, code(Exit::kNotComparable));
    ASSERT_TRUE(result.verdict);
    expect_good_cases_passed(*result.verdict);
    EXPECT_EQ(find_case(*result.verdict, "bad")->verdict, Verdict::kMissing);
  }
}

TEST(Cases, ThatTheBaselineLacksAreNewAndHaveNoEffect) {
  const Workbench::Result result = gate(kWorker, "absent", "none");
  EXPECT_EQ(result.process.exit_code, code(Exit::kPass));
  ASSERT_TRUE(result.verdict);
  expect_good_cases_passed(*result.verdict);
  EXPECT_EQ(find_case(*result.verdict, "bad")->verdict, Verdict::kNew);
}

TEST(Cases, ThatChangeTheirNameAreMissingAndNew) {
  const Workbench::Result result = gate(kWorker, "none", "renamed");
  EXPECT_EQ(result.process.exit_code, code(Exit::kNotComparable));
  ASSERT_TRUE(result.verdict);
  EXPECT_EQ(find_case(*result.verdict, "bad")->verdict, Verdict::kMissing);
  EXPECT_EQ(find_case(*result.verdict, "bad2")->verdict, Verdict::kNew);
}

TEST(Cases, OfOneNameAreToldApart) {
  const Workbench::Result result = gate(kWorker, "duplicates", "duplicates_too");
  EXPECT_EQ(result.process.exit_code, code(Exit::kPass)) << result.process.out;
  ASSERT_TRUE(result.verdict);
  EXPECT_EQ(result.verdict->columns.size(), 8U);  // four cases, two metrics
  // Against a build that has the name once, the second is new or missing.
  EXPECT_EQ(gate(kWorker, "none", "duplicates").process.exit_code, code(Exit::kPass));
  EXPECT_EQ(gate(kWorker, "duplicates", "none").process.exit_code, code(Exit::kNotComparable));
}

TEST(Cases, ThatAreNoneAreNeverGreen) {
  EXPECT_EQ(gate(kWorker, "none", "no_cases").process.exit_code, code(Exit::kNotComparable));
  EXPECT_EQ(gate(kWorker, "no_cases", "no_cases").process.exit_code, code(Exit::kNotComparable));
  EXPECT_EQ(gate(kWorker, "no_cases", "no_cases", {"--bootstrap"}).process.exit_code,
            code(Exit::kNotComparable));
  EXPECT_EQ(gate(kWorker, "no_cases", "none").process.exit_code, code(Exit::kNotComparable));
  EXPECT_EQ(gate(kWorker, "no_cases", "none", {"--bootstrap"}).process.exit_code,
            code(Exit::kPass));
  EXPECT_EQ(
      gate(kWorker, "none", "absent", {"--filter", "nothing has this name"}).process.exit_code,
      code(Exit::kNotComparable));
}

TEST(Cases, MayHaveAnyByteInTheirNames) {
  for (const Flavour flavour : {kWorker, kStock}) {
    SCOPED_TRACE(flavour_name(flavour));
    const Workbench::Result result = gate(flavour, "odd_names", "odd_names_too");
    EXPECT_EQ(result.process.exit_code, code(Exit::kPass)) << result.process.out;
    ASSERT_TRUE(result.verdict);  // the file was read back, so it is strict JSON
    std::size_t cases = 0;
    for (const ColumnVerdict& column : result.verdict->columns) {
      EXPECT_EQ(column.verdict, Verdict::kNoRegression) << column.case_name << column.reason;
      cases += column.metric.name == "real_time" ? 1U : 0U;
    }
    EXPECT_EQ(cases, 10U);
    // Nothing of a name reaches the terminal as a control character.
    for (const char c : result.process.out) EXPECT_TRUE(c == '\n' || (c & 0x7f) >= 0x20);
  }
}

// To list 5,000 cases the library alone takes 4 s, with AddressSanitizer 11 s; the time that a
// listing may take follows the budget, from 10 s.
#ifdef __SANITIZE_ADDRESS__
constexpr const char* kShortBudget = "40s";
constexpr double kMostS = 120;
#else
constexpr const char* kShortBudget = "3s";
constexpr double kMostS = 30;
#endif

TEST(Cases, ByTheThousandEndWithTheBudget) {
  const Workbench::Result result = gate(kWorker, "many", "many_too", {"--budget", kShortBudget});
  EXPECT_THAT(result.process.exit_code, AnyOf(code(Exit::kInconclusive), code(Exit::kPass)));
  ASSERT_TRUE(result.verdict);
  std::size_t cases = 0;
  for (const ColumnVerdict& c : result.verdict->columns) cases += c.metric.name == "real_time";
  EXPECT_EQ(cases, 5000U);
  EXPECT_LT(result.verdict->wall_s, kMostS);
}

TEST(Idle, ArmThatBurnsTheCoreIsStopped) {
  const Workbench::Result result = gate(kWorker, "none", "burn_idle");
  ASSERT_TRUE(result.session) << result.process.err;
  int void_slices = 0;
  for (const RoundInfo& round : result.session->rounds) {
    for (const CaseRound& measured : round.cases) void_slices += measured.void_slices;
  }
  EXPECT_TRUE(void_slices > 0 || !result.session->faults.empty());
  EXPECT_NE(result.process.exit_code, code(Exit::kRegression));
  ASSERT_TRUE(result.verdict);
  find_case(*result.verdict, "bad");
}

TEST(Affinity, ChangedByACaseDoesNotDisturbTheRest) {
  const Workbench::Result result = gate(kWorker, "none", "affinity");
  ASSERT_TRUE(result.verdict);
  expect_good_cases_passed(*result.verdict);
}

TEST(Counters, ThatTheCandidateDropsAreMissing) {
  const Workbench::Result result = gate(kWorker, "none", "no_counter");
  EXPECT_EQ(result.process.exit_code, code(Exit::kNotComparable));
  ASSERT_TRUE(result.verdict);
  expect_good_cases_passed(*result.verdict);
  const ColumnVerdict* dropped = find_case(*result.verdict, "good/first", "gadgets");
  ASSERT_NE(dropped, nullptr);
  EXPECT_EQ(dropped->verdict, Verdict::kMissing);
  EXPECT_THAT(dropped->reason, HasSubstr("only the baseline"));
}

TEST(Counters, OfAnotherUnitAreNotComparable) {
  const Workbench::Result result = gate(kWorker, "none", "other_unit");
  EXPECT_EQ(result.process.exit_code, code(Exit::kNotComparable)) << result.process.out;
  ASSERT_TRUE(result.verdict);
  expect_good_cases_passed(*result.verdict);
  EXPECT_THAT(result.verdict->warnings, Contains(HasSubstr("gadgets")));
}

}  // namespace
}  // namespace perfgate::hostile
