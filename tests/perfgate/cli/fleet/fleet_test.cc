// SPDX-License-Identifier: Apache-2.0
// perfgate plan --split, run --fleet and merge, as somebody types them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_perfgate.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_command::code;
using testing_command::Finished;
using testing_command::run_perfgate;
using testing_command::TemporaryFolder;
using Words = std::vector<std::string>;

class Fleet : public testing::Test {
 protected:
  Finished Plan(const Words& more = {}, const std::string& candidate = FLEET_SLOWER_EXE) const {
    Words words = {"plan",        "--split", "2",        "--baseline", FLEET_FEW_EXE,
                   "--candidate", candidate, "--output", Plan_(),      "--suite",
                   "few",         "--slice", "2ms",      "--rounds",   "10"};
    words.insert(words.end(), more.begin(), more.end());
    return run_perfgate(words);
  }

  Finished Job(int job, const Words& more = {}) const {
    Words words = {"run",       "--fleet",    Plan_(), "--job", std::to_string(job),
                   "--session", Session_(job)};
    words.insert(words.end(), more.begin(), more.end());
    return run_perfgate(words);
  }

  Finished Merge(const Words& more = {}) const {
    Words words = {"merge", Plan_(), Session_(2), Session_(1), "--hot-code", "off"};
    words.insert(words.end(), more.begin(), more.end());
    return run_perfgate(words);
  }

  std::string Plan_() const { return folder_ / "fleet.json"; }
  std::string Session_(int job) const { return folder_ / ("job-" + std::to_string(job) + ".json"); }

  TemporaryFolder folder_;
};

std::map<std::string, Verdict> VerdictsIn(const std::string& text) {
  std::map<std::string, Verdict> verdicts;
  for (const ColumnVerdict& column : verdict_from_json(text, "verdict").columns) {
    verdicts[column.case_name] = column.verdict;
  }
  return verdicts;
}

std::vector<std::string> Regressions(const std::string& text) {
  std::vector<std::string> names;
  for (const auto& [name, verdict] : VerdictsIn(text)) {
    if (verdict == Verdict::kRegression) names.push_back(name);
  }
  return names;
}

TEST_F(Fleet, JobsGiveTheVerdictOfOneGate) {
  const Finished planned = Plan();
  ASSERT_EQ(planned.exit_code, 0) << planned.err;
  EXPECT_THAT(planned.out, HasSubstr("8 cases in 2 jobs"));
  for (const int job : {1, 2}) {
    const Finished finished = Job(job);
    ASSERT_EQ(finished.exit_code, 0) << finished.err;
    EXPECT_EQ(read_session(Session_(job)).cases.size(), 4U);
  }
  const std::string merged_file = folder_ / "merged.json";
  const Finished merged = Merge({"--json", "-", "--session", merged_file});
  const Finished one =
      run_perfgate({"gate", "--baseline", FLEET_FEW_EXE, "--candidate", FLEET_SLOWER_EXE, "--slice",
                    "2ms", "--rounds", "10", "--hot-code", "off", "--json", "-"});
  EXPECT_EQ(merged.exit_code, code(Exit::kRegression)) << merged.err;
  EXPECT_EQ(merged.exit_code, one.exit_code) << one.err;
  // Which cases are clear and which stay open is noise; what is named, and of which cases, is not.
  EXPECT_EQ(Regressions(merged.out), Regressions(one.out));
  EXPECT_EQ(VerdictsIn(merged.out).size(), 8U);
  const SuiteVerdict verdict = verdict_from_json(merged.out, "merged");
  EXPECT_EQ(verdict.jobs, 2);
  EXPECT_EQ(verdict.suite, "few");
  EXPECT_EQ(verdict.schedule.look_alpha, verdict_from_json(one.out, "one").schedule.look_alpha);
  const Finished again = run_perfgate({"report", "--decide", "--verbose", merged_file});
  EXPECT_THAT(again.out, HasSubstr("2, merged into one family with one alpha"));
}

TEST_F(Fleet, AJobThatIsKilledGoesOn) {
  ASSERT_EQ(Plan({"--rounds", "30"}, FLEET_SLOWER_EXE).exit_code, 0);
  bool killed = false;
  testing_command::Command command;
  command.arguments = {PERFGATE_EXE, "run", "--fleet",   Plan_(),
                       "--job",      "2",   "--session", Session_(2)};
  command.meanwhile = [&](pid_t process, const Finished&) {
    // The first look has been written.
    if (killed || !std::filesystem::exists(Session_(2))) return;
    killed = true;
    ::kill(process, SIGKILL);
  };
  testing_command::run_command(command);
  ASSERT_TRUE(killed);
  const Session part = read_session(Session_(2));
  EXPECT_FALSE(part.complete);
  const std::size_t rounds = part.rounds.size();
  EXPECT_GE(rounds, 6U);
  const Finished requeued = Job(2);
  EXPECT_EQ(requeued.exit_code, 0) << requeued.err;
  EXPECT_THAT(requeued.err, HasSubstr("going on after " + std::to_string(rounds) + " rounds"));
  const Session whole = read_session(Session_(2));
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.rounds.front().started_s, part.rounds.front().started_s);
  ASSERT_EQ(Job(1).exit_code, 0);
  EXPECT_EQ(Merge().exit_code, code(Exit::kRegression));
  const std::string before = testing_command::read_text(Session_(2));
  EXPECT_THAT(Job(2).err, HasSubstr("job 2 is measured already"));
  EXPECT_EQ(testing_command::read_text(Session_(2)), before) << "no second try at a whole job";
}

TEST_F(Fleet, AJobThatIsInterruptedKeepsWhatItHas) {
  ASSERT_EQ(Plan({"--rounds", "40"}).exit_code, 0);
  testing_command::Command command;
  command.arguments = {PERFGATE_EXE, "run", "--fleet",   Plan_(),
                       "--job",      "1",   "--session", Session_(1)};
  bool sent = false;
  command.meanwhile = [&](pid_t process, const Finished& so_far) {
    if (sent || so_far.err.find("perfgate: round 1") == std::string::npos) return;
    sent = true;
    ::kill(process, SIGTERM);
  };
  const Finished finished = testing_command::run_command(command);
  ASSERT_TRUE(sent);
  EXPECT_EQ(finished.exit_code, 128 + SIGTERM);
  EXPECT_FALSE(read_session(Session_(1)).complete);
  ASSERT_EQ(Job(2).exit_code, 0);
  const Finished early = Merge();
  EXPECT_THAT((Words{"10", "12"}), testing::Contains(std::to_string(early.exit_code)))
      << "an interrupted fleet does not pass";
  EXPECT_EQ(Job(1).exit_code, 0);
  EXPECT_EQ(Merge().exit_code, code(Exit::kRegression));
}

TEST_F(Fleet, OtherMachinesAreRefused) {
  ASSERT_EQ(Plan().exit_code, 0);
  ASSERT_EQ(Job(1).exit_code, 0);
  ASSERT_EQ(Job(2).exit_code, 0);
  Session other = read_session(Session_(1));
  other.machine.cpu_model = "Another CPU";
  write_session(Session_(1), other);
  const Finished merged = Merge({"--json", folder_ / "v.json"});
  EXPECT_EQ(merged.exit_code, code(Exit::kNotComparable));
  EXPECT_THAT(merged.err, HasSubstr("hardware_mismatch: cpu_model"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "v.json"));
  other.complete = false;
  write_session(Session_(1), other);
  const Finished elsewhere = Job(1);
  EXPECT_EQ(elsewhere.exit_code, code(Exit::kNotComparable));
  EXPECT_THAT(elsewhere.err, HasSubstr("begun on a machine of another class"));
}

TEST_F(Fleet, ACandidateThatCrashesFailsTheMergedSuite) {
  ASSERT_EQ(Plan({}, FLEET_CRASH_EXE).exit_code, 0);
  const Finished first = Job(1);
  const Finished second = Job(2);
  EXPECT_EQ(first.exit_code + second.exit_code, code(Exit::kFailed)) << first.err << second.err;
  const Finished merged = Merge();
  EXPECT_EQ(merged.exit_code, code(Exit::kFailed));
  EXPECT_THAT(merged.out, HasSubstr("fleet/case:3"));
}

TEST_F(Fleet, OtherExecutablesAreRefused) {
  ASSERT_EQ(Plan().exit_code, 0);
  const Finished swapped = Job(1, {"--candidate", FLEET_CRASH_EXE});
  EXPECT_EQ(swapped.exit_code, code(Exit::kNotComparable));
  EXPECT_THAT(swapped.err, HasSubstr("executable_mismatch: candidate"));
  EXPECT_EQ(Job(1, {"--baseline", folder_ / "nowhere"}).exit_code, code(Exit::kData));
}

TEST_F(Fleet, RefusesWhatMakesNoFleet) {
  const auto expect = [](const Finished& finished, Exit exit, const std::string& text) {
    EXPECT_EQ(finished.exit_code, code(exit)) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr(text));
    EXPECT_EQ(finished.out, "");
  };
  expect(Plan({"--split", "9"}), Exit::kUsage, "only 8 case(s)");
  expect(Plan({"--split", "0"}), Exit::kUsage, "--split");
  expect(Plan({"--rounds", "5"}), Exit::kUsage, "fewer than 6 rounds");
  expect(Plan({"--filter", "nothing"}), Exit::kNotComparable, "has a case");
  expect(Plan({"--filter", "("}), Exit::kUsage, "regular expression");
  expect(Plan({"--budget", "60s"}), Exit::kUsage, "leave them out");
  expect(Plan({}, FLEET_FEW_EXE), Exit::kUsage, "one executable");
  expect(Plan({}, "/bin/true"), Exit::kFailed, "candidate cannot be listed");
  expect(Plan({"--output", folder_ / "no/such.json"}), Exit::kData, "no/such.json");
  EXPECT_FALSE(std::filesystem::exists(Plan_()));
  expect(run_perfgate({"plan", "--split", "2", "--baseline", FLEET_FEW_EXE, "--candidate",
                       FLEET_SLOWER_EXE}),
         Exit::kUsage, "--output");
  expect(run_perfgate({"plan"}), Exit::kUsage, "CALIBRATION is required");
  expect(run_perfgate({"plan", "--rounds", "10"}), Exit::kUsage, "need --split");
  expect(run_perfgate({"run"}), Exit::kUsage, "BIN is required");
  expect(run_perfgate({"run", "--job", "1", FLEET_FEW_EXE}), Exit::kUsage, "need --fleet");

  ASSERT_EQ(Plan().exit_code, 0);
  expect(Job(3), Exit::kUsage, "jobs 1 to 2");
  expect(Job(1, {"--rounds", "40"}), Exit::kUsage, "the plan of a fleet says");
  expect(Job(1, {FLEET_FEW_EXE}), Exit::kUsage, "names the executables");
  expect(run_perfgate({"run", "--fleet", Plan_(), "--job", "1"}), Exit::kUsage, "--session FILE");
  expect(run_perfgate({"run", "--fleet", Plan_(), "--session", Session_(1)}), Exit::kUsage,
         "needs --job");
  testing_command::write_text(Session_(1), "{}");
  expect(Job(1), Exit::kData, "format");
  std::filesystem::copy_file(Plan_(), Session_(2));
  expect(run_perfgate({"merge", Plan_(), Session_(2)}), Exit::kData, "perfgate-session");
  expect(run_perfgate({"merge", folder_ / "nowhere.json", Session_(2)}), Exit::kData, "nowhere");
  expect(run_perfgate({"merge", Plan_()}), Exit::kUsage, "SESSIONS");
}

}  // namespace
}  // namespace perfgate
