// SPDX-License-Identifier: Apache-2.0
// Real work between sound builds: what changed is found, what did not is left alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/hostile/hostile_gate.h"

namespace perfgate::hostile {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

int code(Exit exit) { return static_cast<int>(exit); }

TEST(SoundBuilds, FindTwiceTheWorkInOneCaseAndNameIt) {
  Workbench bench;
  const Workbench::Result result =
      bench.gate(bench.executable(Flavour::kWorker, "work"),
                 bench.executable(Flavour::kWorker, "slow_work"), {"--rounds", "10"});
  EXPECT_EQ(result.process.exit_code, code(Exit::kRegression)) << result.process.out;
  ASSERT_TRUE(result.verdict);
  const ColumnVerdict* slow = find_case(*result.verdict, "work/slow");
  ASSERT_NE(slow, nullptr);
  EXPECT_EQ(slow->verdict, Verdict::kRegression);
  EXPECT_GT(slow->effect.estimate, 0.5);
  EXPECT_LT(slow->effect.estimate, 2.0);
  for (const char* name : {"work/same", "work/other"}) {
    const ColumnVerdict* same = find_case(*result.verdict, name);
    ASSERT_NE(same, nullptr);
    EXPECT_NE(same->verdict, Verdict::kRegression) << same->effect.estimate;
  }
  EXPECT_THAT(result.process.out, HasSubstr("work/slow"));
}

TEST(SoundBuilds, AreIdenticalWithoutBeingMeasured) {
  Workbench bench;
  const std::string work = bench.executable(Flavour::kWorker, "work");
  const std::string copy = bench.folder() / "a copy of another name";
  testing_command::write_text(copy, testing_command::read_text(work));
  std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
  for (const std::string& candidate : {work, copy}) {
    const Workbench::Result result = bench.gate(work, candidate);
    EXPECT_EQ(result.process.exit_code, 0) << result.process.err;
    ASSERT_TRUE(result.verdict && result.session);
    EXPECT_TRUE(result.verdict->identical);
    EXPECT_EQ(result.verdict->columns.size(), 3U);
    EXPECT_TRUE(result.session->rounds.empty());
  }
}

TEST(SoundBuilds, NeverFailAgainstThemselves) {
  Workbench bench;
  const std::string work = bench.executable(Flavour::kWorker, "work");
  const Workbench::Result result = bench.gate(work, work, {"--aa", "--rounds", "10"});
  EXPECT_THAT(result.process.exit_code, AnyOf(code(Exit::kPass), code(Exit::kInconclusive)))
      << result.process.out;
  ASSERT_TRUE(result.verdict);
  EXPECT_TRUE(result.verdict->aa);
  EXPECT_FALSE(result.verdict->identical);
  EXPECT_THAT(result.verdict->rounds, AnyOf(6, 10));  // all may pass at the first look
}

TEST(SoundBuilds, OfBothFlavoursCanBeMixed) {
  Workbench bench;
  const Workbench::Result result =
      bench.gate(bench.executable(Flavour::kWorker, "work"),
                 bench.executable(Flavour::kStock, "work"), {"--rounds", "1"});
  // Whatever the noise says, the arms were measured and compared.
  EXPECT_EQ(result.process.exit_code, code(Exit::kInconclusive))
      << result.process.out << result.process.err;
  ASSERT_TRUE(result.session);
  EXPECT_TRUE(result.session->faults.empty());
  EXPECT_EQ(result.session->rounds.size(), 1U);
}

TEST(Seed, ReplaysCoinsAndOrders) {
  Workbench bench;
  const std::string a = bench.executable(Flavour::kWorker, "none");
  const std::string b = bench.executable(Flavour::kWorker, "garbage");
  const auto schedule = [&](const std::vector<std::string>& options) {
    const Workbench::Result result = bench.gate(a, b, options);
    std::vector<std::vector<std::size_t>> rounds;
    EXPECT_TRUE(result.session);
    if (!result.session) return std::pair(std::string(), rounds);
    for (const RoundInfo& round : result.session->rounds) {
      rounds.push_back({static_cast<std::size_t>(round.coin)});
      for (const CaseRound& measured : round.cases) {
        rounds.back().push_back(measured.case_index);
        rounds.back().push_back(static_cast<std::size_t>(measured.first_arm));
      }
    }
    return std::pair(result.session->schedule.seed, rounds);
  };
  const auto [seed, first] = schedule({});
  EXPECT_EQ(first.size(), 6U);
  EXPECT_EQ(schedule({"--seed", seed}), std::pair(seed, first));
  EXPECT_EQ(schedule({"--seed", "0x" + seed}), std::pair(seed, first));
  EXPECT_NE(schedule({"--seed", "1"}).second, first);
}

}  // namespace
}  // namespace perfgate::hostile
