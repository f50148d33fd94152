// SPDX-License-Identifier: Apache-2.0
// Files that the command line reads: 65 where they cannot be read as what they say they are, 14
// where they can be read and not trusted.
#include "perfgate/evidence/files/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/perfgate/cli/run_command.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_command::code;
using testing_command::Finished;
using testing_command::TemporaryFolder;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct Damage {
  const char* name;
  std::string text;
  int exit;
};

// Ways to spoil a file that begins with {"format":..,"version":1.
std::vector<Damage> damages(const std::string& good) {
  const std::string opening = good.substr(0, good.find('{') + 1);
  const std::string rest = good.substr(opening.size());
  const std::string version =
      good.find("\"version\": 1") != std::string::npos ? "\"version\": 1" : "\"version\":1";
  return {
      {"empty", "", code(Exit::kData)},
      {"truncated", good.substr(0, good.size() / 2), code(Exit::kData)},
      {"trailing bytes", good + "x", code(Exit::kData)},
      {"not JSON", "baseline,candidate\n1,2\n", code(Exit::kData)},
      {"binary",
       std::string("\x7f"
                   "ELF\0\1\2",
                   7),
       code(Exit::kData)},
      {"no object", "[1, 2]", code(Exit::kData)},
      {"another program's", R"({"context":{},"benchmarks":[]})", code(Exit::kData)},
      {"of the future", replaced(good, version, R"("version": 99)"), code(Exit::kData)},
      {"of no version", replaced(good, version, R"("version": "1")"), code(Exit::kData)},
      {"with a non-finite number", opening + R"("x": NaN, )" + rest, code(Exit::kInvalid)},
      {"with a number beyond double", opening + R"("x": 1e999, )" + rest, code(Exit::kInvalid)},
      {"with a duplicate key", opening + R"("format": "x", )" + rest, code(Exit::kInvalid)},
  };
}

class Files : public testing::Test {
 protected:
  Finished run(std::vector<std::string> arguments) const {
    return testing_command::run_program(PERFGATE_EXE, std::move(arguments));
  }

  void expect(const std::vector<std::string>& arguments, int exit, const std::string& name) const {
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.exit_code, exit) << finished.err;
    EXPECT_THAT(finished.err, StartsWith("perfgate: "));
    EXPECT_THAT(finished.err, HasSubstr(name));
    EXPECT_EQ(finished.out, "");
  }

  std::string write(const std::string& name, const std::string& text) const {
    testing_command::write_text(folder_ / name, text);
    return folder_ / name;
  }

  TemporaryFolder folder_;
};

TEST_F(Files, ReportShowsVerdictsAndSessions) {
  const std::string verdict = write("v.json", verdict_to_json(sample::full_verdict()));
  const std::string session = write("s.json", session_to_json(sample::full_session()));
  const std::string calibration = write("c.json", calibration_to_json(sample::full_calibration()));
  const std::string plan = write("plan.json", plan_to_json(sample::full_plan()));
  for (const char* format : {"console", "md"}) {
    const Finished shown = run({"report", verdict, session, calibration, plan, "--format", format});
    for (const char* word : {"launch", "resampled"}) EXPECT_THAT(shown.out, HasSubstr(word));
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_GT(shown.out.size(), 200U);
  }
  const std::string out = folder_ / "report.md";
  const Finished written = run({"report", verdict, "--format", "md", "--output", out});
  EXPECT_EQ(written.exit_code, 0);
  EXPECT_EQ(written.out, "");
  EXPECT_EQ(testing_command::read_text(out), run({"report", verdict, "--format", "md"}).out);
}

TEST_F(Files, ReportRefusesSpoiledOnes) {
  for (const std::string& good :
       {verdict_to_json(sample::full_verdict()), session_to_json(sample::full_session()),
        calibration_to_json(sample::full_calibration()), plan_to_json(sample::full_plan())}) {
    for (const Damage& damage : damages(good)) {
      SCOPED_TRACE(damage.name);
      expect({"report", write("spoiled.json", damage.text)}, damage.exit, "spoiled.json");
    }
  }
  expect({"report", folder_ / "nowhere.json"}, code(Exit::kData), "nowhere.json");
  expect({"report", folder_.path()}, code(Exit::kData), folder_.path());
  const std::string policy = write("p.json", policy_to_json(Policy{}));
  expect({"report", policy}, code(Exit::kData), "policy");
}

TEST_F(Files, PlanRefusesSpoiledAndOtherOnes) {
  for (const Damage& damage : damages(calibration_to_json(sample::full_calibration()))) {
    SCOPED_TRACE(damage.name);
    expect({"plan", write("spoiled.json", damage.text)}, damage.exit, "spoiled.json");
  }
  expect({"plan", folder_ / "nowhere.json"}, code(Exit::kData), "nowhere.json");
  expect({"plan", folder_.path()}, code(Exit::kData), folder_.path());
  expect({"plan", write("s.json", session_to_json(sample::full_session()))}, code(Exit::kData),
         "s.json");
  Calibration calibration = sample::full_calibration();
  calibration.columns[0].d.pop_back();
  expect({"plan", write("c.json", calibration_to_json(calibration))}, code(Exit::kInvalid),
         "/columns/0/d");
}

TEST_F(Files, ReportRefusesUnreadableOnes) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const std::string path = write("locked.json", verdict_to_json(sample::full_verdict()));
  chmod(path.c_str(), 0);
  expect({"report", path}, code(Exit::kData), "locked.json");
}

TEST_F(Files, ReportRefusesSessionsThatContradictThemselves) {
  Session session = sample::full_session();
  ASSERT_FALSE(session.faults.empty());
  session.faults[0].case_index = session.cases.size() + 5;
  expect({"report", write("s.json", session_to_json(session))}, code(Exit::kInvalid),
         "/faults/0/case_index");
}

TEST_F(Files, PolicyIsRefusedBeforeAnythingIsMeasured) {
  const std::vector<std::string> gate = {
      "gate",        "--baseline",          "/no/such/executable",
      "--candidate", "/no/such/executable", "--policy"};
  const auto with = [&](const std::string& path) {
    std::vector<std::string> arguments = gate;
    arguments.push_back(path);
    return arguments;
  };
  for (const Damage& damage : damages(policy_to_json(Policy{}))) {
    SCOPED_TRACE(damage.name);
    expect(with(write("spoiled.json", damage.text)), damage.exit, "spoiled.json");
  }
  const auto policy = [](const std::string& fields) {
    return R"({"format":"perfgate-policy","version":1,)" + fields + "}";
  };
  expect(with(write("p.json", policy(R"("tolerence":"2%")"))), code(Exit::kData), "tolerance");
  expect(with(write("p.json", policy(R"("tolerance":-1)"))), code(Exit::kData), "/tolerance");
  expect(with(write("p.json", policy(R"("tolerance":"two")"))), code(Exit::kData), "/tolerance");
  expect(with(write("p.json", policy(R"("filter":"(")"))), code(Exit::kData), "/filter");
  expect(with(folder_ / "nowhere.json"), code(Exit::kData), "nowhere.json");
}

}  // namespace
}  // namespace perfgate
