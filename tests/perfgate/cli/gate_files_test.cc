// SPDX-License-Identifier: Apache-2.0
// `perfgate gate` on result files of other tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perfgate/base/error.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing_command::Finished;
using testing_command::TemporaryFolder;

// A hyperfine result per round, merged by `perfgate import` into one session.
class GateFiles : public testing::Test {
 protected:
  Finished perfgate(std::vector<std::string> arguments) const {
    return testing_command::run_program(PERFGATE_EXE, std::move(arguments));
  }

  std::string rounds(const std::string& name, int count, double seconds,
                     const std::string& exit_codes = "0,0,0") const {
    std::vector<std::string> command = {"import", "--arm", name, "--output",
                                        folder_ / (name + ".s")};
    for (int i = 0; i < count; ++i) {
      const std::string file = folder_ / (name + std::to_string(i) + ".json");
      std::vector<double> values;
      std::string times;
      for (int k = 0; k < 3; ++k) {
        const std::string text =
            std::to_string(seconds * (1 + 0.001 * ((7 * i + 3 * k) % 5) + 1e-5 * i));
        times += (k > 0 ? "," : "") + text;
        values.push_back(std::stod(text));
      }
      std::sort(values.begin(), values.end());
      const nlohmann::json result = {{"command", "work"},
                                     {"mean", (values[0] + values[1] + values[2]) / 3},
                                     {"stddev", nullptr},
                                     {"median", values[1]},
                                     {"user", 0.0},
                                     {"system", 0.0},
                                     {"min", values[0]},
                                     {"max", values[2]},
                                     {"times", nlohmann::json::parse("[" + times + "]")},
                                     {"exit_codes", nlohmann::json::parse("[" + exit_codes + "]")}};
      testing_command::write_text(file, nlohmann::json{{"results", {result}}}.dump());
      command.push_back(file);
    }
    const Finished imported = perfgate(command);
    EXPECT_TRUE(imported.exit_code == 0 || imported.exit_code == 11) << imported.err;
    return folder_ / (name + ".s");
  }
  void expect(const std::string& baseline, const std::string& candidate, Exit exit,
              const std::string& part) const {
    const Finished finished = perfgate({"gate", "--baseline", baseline, "--candidate", candidate});
    EXPECT_EQ(finished.exit_code, static_cast<int>(exit)) << finished.out << finished.err;
    EXPECT_THAT(finished.out + finished.err, HasSubstr(part));
  }

  TemporaryFolder folder_;
};

TEST_F(GateFiles, SlowerRoundsAreSuspectedAtBest) {
  const std::string baseline = rounds("baseline", 10, 1.0);
  expect(baseline, rounds("slower", 10, 1.3), Exit::kSuspected, "evidence: imported");
  expect(baseline, rounds("same", 9, 1.0001), Exit::kPass, "no_regression");
  expect(baseline, rounds("few", 2, 1.3), Exit::kInconclusive, "few_sessions");
  expect(baseline, baseline, Exit::kInvalid, "byte for byte");
  // The same measurements under other names.
  expect(baseline, rounds("renamed", 4, 1.0), Exit::kInvalid, "shared_round");
}

TEST_F(GateFiles, FailuresStayFailures) {
  const std::string baseline = rounds("baseline", 10, 1.0);
  expect(baseline, rounds("broken", 10, 0.5, "0,1,0"), Exit::kFailed, "failed");
  expect(rounds("brokenbase", 10, 1.0, "0,1,0"), baseline, Exit::kNotComparable, "not_comparable");
}

TEST_F(GateFiles, ResultsAndExecutablesDoNotMix) {
  const std::string baseline = rounds("baseline", 2, 1.0);
  expect(baseline, PERFGATE_EXE, Exit::kUsage, "results can only be compared with results");
  testing_command::write_text(folder_ / "other.json", R"({"some":"thing"})");
  expect(baseline, folder_ / "other.json", Exit::kData, "other.json");
}

}  // namespace
}  // namespace perfgate
