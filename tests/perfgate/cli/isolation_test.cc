// SPDX-License-Identifier: Apache-2.0
// `perfgate gate --isolate`: the same verdicts, and never less than was asked for without a word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class GateIsolated : public testing::Test {
 protected:
  Finished Gate(const std::string& baseline, const std::string& candidate,
                const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {
        "gate",    "--baseline", baseline, "--candidate", candidate,  "--slice", "2ms",
        "--pairs", "2",          "--json", Verdict(),     "--filter", "old/"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return testing_command::run_program(PERFGATE_EXE, arguments);
  }

  // Isolated as far as this machine can.
  Finished GateSettings(const std::string& baseline_us, const std::string& candidate_us) const {
    return Gate(SETTINGS_EXE, SETTINGS_EXE,
                {"--isolate", "--rounds", "10", "--baseline-args", "--us " + baseline_us,
                 "--candidate-args", "--us " + candidate_us});
  }

  // Starts the program without becoming it.
  std::string Launcher(const std::string& name, const std::string& prefix) const {
    const std::string script = folder_ / name;
    std::ofstream(script) << "#!/bin/sh\n" << prefix << SETTINGS_EXE << " \"$@\"\nexit $?\n";
    ::chmod(script.c_str(), 0755);
    return script;
  }

  std::string Verdict() const { return folder_ / "verdict.json"; }

  static void ExpectRefused(const Finished& gate, Exit exit, const std::string& part) {
    EXPECT_EQ(gate.exit_code, static_cast<int>(exit)) << gate.out << gate.err;
    EXPECT_THAT(gate.err, HasSubstr(part));
  }

  TemporaryFolder folder_;
};

TEST_F(GateIsolated, FindsWhatItFindsInTheOpen) {
  const Finished slower = GateSettings("100", "130");
  EXPECT_EQ(slower.exit_code, static_cast<int>(Exit::kRegression)) << slower.out << slower.err;
  const Finished faster = GateSettings("130", "100");
  EXPECT_EQ(faster.exit_code, static_cast<int>(Exit::kPass)) << faster.out << faster.err;
  EXPECT_THAT(faster.out, HasSubstr("improvement"));
  const Finished same = GateSettings("100", "100.5");
  EXPECT_EQ(same.exit_code, static_cast<int>(Exit::kPass)) << same.out << same.err;
}

TEST_F(GateIsolated, NamesTheLevelInTheVerdict) {
  GateSettings("100", "100.5");
  const TrustRecord isolated = read_verdict(Verdict()).trust;
  EXPECT_EQ(isolated.level == TrustLevel::kIsolated, isolated.lacking.empty());
  Gate(SETTINGS_EXE, SETTINGS_EXE, {"--rounds", "6", "--candidate-args", "--us 100.5"});
  EXPECT_EQ(read_verdict(Verdict()).trust.level, TrustLevel::kOpen);
}

TEST_F(GateIsolated, NamesTheRevisionOfTheSuite) {
  const std::string commit(40, 'a');
  const Finished gate =
      Gate(SETTINGS_EXE, SETTINGS_EXE,
           {"--suite-from", commit, "--rounds", "6", "--candidate-args", "--us 100.5"});
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kPass)) << gate.out << gate.err;
  const TrustRecord trust = read_verdict(Verdict()).trust;
  EXPECT_EQ(trust.suite_commit, commit);
  EXPECT_EQ(trust.level == TrustLevel::kReviewedSuite, trust.lacking.empty());
}

TEST_F(GateIsolated, SupportsLauncherScripts) {
  const std::string folder = std::filesystem::path(SETTINGS_EXE).parent_path().string();
  const std::string script = Launcher("launch.sh", "");
  for (const std::vector<std::string>& isolation :
       {std::vector<std::string>{}, {"--isolate", "--isolate-read", folder}}) {
    std::vector<std::string> options = {"--rounds", "10", "--candidate-args", "--us 130"};
    options.insert(options.end(), isolation.begin(), isolation.end());
    const Finished gate = Gate(script, script, options);
    EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kRegression)) << gate.out << gate.err;
  }
}

TEST_F(GateIsolated, SupportsLaunchersThatMakeAPidNamespace) {
  if (::geteuid() != 0) GTEST_SKIP() << "unshare --pid needs root";
  const std::string script = Launcher("launch.sh", "unshare --pid --fork ");
  if (testing_command::run_program(script, {"--benchmark_list_tests"}).exit_code != 0) {
    GTEST_SKIP() << "this system refuses unshare --pid";
  }
  const Finished slower = Gate(script, script, {"--rounds", "10", "--candidate-args", "--us 130"});
  EXPECT_EQ(slower.exit_code, static_cast<int>(Exit::kRegression)) << slower.out << slower.err;
  const Finished same = Gate(script, script, {"--rounds", "6", "--candidate-args", "--us 100.5"});
  EXPECT_EQ(same.exit_code, static_cast<int>(Exit::kPass)) << same.out << same.err;
}

TEST_F(GateIsolated, SaysWhatDoesNotGoTogether) {
  const std::string missing = folder_ / "none";
  ExpectRefused(Gate(SETTINGS_EXE, SETTINGS_EXE,
                     {"--isolate", "--isolate-read", missing, "--candidate-args", "--us 101"}),
                Exit::kData, missing);
  ExpectRefused(Gate(SETTINGS_EXE, SETTINGS_EXE,
                     {"--isolate", "--isolate-read", missing, "--isolate-read", "/usr",
                      "--candidate-args", "--us 101"}),
                Exit::kData, missing);  // each of them counts
  ExpectRefused(Gate(SETTINGS_EXE, SETTINGS_EXE, {"--isolate-read", "/usr"}), Exit::kUsage,
                "--isolate");
  ExpectRefused(Gate(SETTINGS_EXE, SETTINGS_EXE, {"--suite-from", "main"}), Exit::kUsage,
                "git rev-parse main");
  ExpectRefused(
      Gate(SETTINGS_EXE, SETTINGS_EXE, {"--isolate=no", "--suite-from", std::string(40, 'a')}),
      Exit::kUsage, "--isolate=no");
  ExpectRefused(testing_command::run_program(
                    PERFGATE_EXE, {"gate", "--isolate", "--command", "--", "true", "sleep 0"}),
                Exit::kUsage, "command line");
}

// A candidate that is replaced while it is measured is not the one that was hashed.
TEST_F(GateIsolated, IsNotNeededToSeeThatAFileWasReplaced) {
  const std::string candidate = folder_ / "candidate";
  std::filesystem::copy_file(SETTINGS_EXE, candidate);
  const std::string script =
      Launcher("replacing.sh", "touch " + candidate + "; echo >> " + candidate + "; ");
  ExpectRefused(Gate(candidate, script, {"--rounds", "6"}), Exit::kInvalid, candidate);
}

}  // namespace
}  // namespace perfgate
