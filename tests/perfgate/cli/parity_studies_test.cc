// SPDX-License-Identifier: Apache-2.0
// perfgate parity --from FOLDER: the population file, its updates, the inventory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "perfgate/base/error.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using nlohmann::json;
using perfgate::test_support::DataFile;
using testing::HasSubstr;
using testing::Not;
using testing_command::code;
using testing_command::Finished;
using testing_command::read_text;
using testing_command::TemporaryFolder;
using testing_command::write_text;

Finished StudyParity(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "parity");
  return testing_command::run_program(PERFGATE_EXE, std::move(arguments));
}

std::string ArmResult(double throughput) {
  return json({{"status", "success"},
               {"model", "org/m"},
               {"metrics", {{"throughput_tok_s", throughput}}}})
      .dump();
}

// Three arms that match, and a rerun in which the agent is slower.
class ParityStudies : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"study", "again"}) std::filesystem::create_directory(folder_ / name);
    write_text(study_ + "/abcd1234_baseline_result.json", ArmResult(100.5));
    write_text(study_ + "/abcd1234_human_result.json", ArmResult(120.5));
    write_text(study_ + "/abcd1234_agent_result.json", ArmResult(121.5));
    write_text(again_ + "/abcd1234_agent_rerun.json", ArmResult(90.5));
  }

  TemporaryFolder folder_;
  std::string study_ = folder_ / "study";
  std::string again_ = folder_ / "again";
  std::string population_ = folder_ / "population.json";
};

TEST_F(ParityStudies, ReadsAFolder) {
  const Finished finished = StudyParity({"--from", study_});
  EXPECT_EQ(finished.exit_code, code(Exit::kInconclusive)) << finished.err;
  EXPECT_THAT(finished.out,
              HasSubstr("measured 1 + failed 0 + not_run 0 + missing 0 + unreadable 0 = 1"));
  EXPECT_THAT(finished.out, HasSubstr("abcd1234"));
  EXPECT_THAT(finished.out, Not(HasSubstr("Update")));
}

TEST_F(ParityStudies, UpdatesThePopulationAndSaysWhatChanged) {
  const std::string log = folder_ / "changes.json";
  const std::string lines = folder_ / "changes.md";
  EXPECT_EQ(StudyParity({"--from", study_, "--population", population_}).exit_code,
            code(Exit::kInconclusive));
  const std::string first = read_text(population_);
  const Finished same = StudyParity({"--from", study_, "--population", population_});
  EXPECT_THAT(same.out, HasSubstr("Update    0 changes"));
  EXPECT_EQ(read_text(population_), first);

  const Finished update = StudyParity(
      {"--from", again_, "--population", population_, "--change-log", log, "--change-log", lines});
  EXPECT_THAT(update.out, HasSubstr("before  win 0 + match 1 + loss 0 + failed 0 + none 0 = 1"));
  EXPECT_THAT(update.out, HasSubstr("now     win 0 + match 0 + loss 1 + failed 0 + none 0 = 1"));
  const json changes = json::parse(read_text(log));
  EXPECT_EQ(changes["n"], changes["changes"].size());
  EXPECT_THAT(read_text(lines), HasSubstr("- `abcd1234` docker_rerun throughput_tok_s [tok/s] "
                                          "agent: `121.5` -> `90.5`, a rerun"));
  // What was written is what a plain --from reads, and what both folders give at once.
  EXPECT_EQ(StudyParity({"--from", population_}).exit_code, code(Exit::kInconclusive));
  const std::string both = folder_ / "both.json";
  StudyParity({"--from", again_, "--from", study_, "--population", both});
  EXPECT_EQ(read_text(both), read_text(population_));
}

TEST_F(ParityStudies, NamesWhatCannotBeRead) {
  write_text(study_ + "/abcd1234_agent_result.json", "{\"metrics\": {\"tpot_mean\": NaN}}");
  write_text(study_ + "/notes.txt", "");
  const std::string inventory = folder_ / "inventory.json";
  const Finished finished = StudyParity({"--from", study_, "--inventory", inventory});
  EXPECT_EQ(finished.exit_code, code(Exit::kNotComparable)) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("unreadable " + study_ + "/abcd1234_agent_result.json:1:"));
  EXPECT_THAT(finished.out, HasSubstr("separate read 2 + separate unreadable 1 + ignored 1 = 4"));
  const json study = json::parse(read_text(inventory))["studies"][0];
  EXPECT_EQ(study["files"], 4);
  EXPECT_EQ(study["sources"][0]["arms"]["agent"]["unreadable"], 1);
  EXPECT_EQ(study["sources"][0]["unreadable"].size(), 1U);
}

TEST_F(ParityStudies, AddsAFolderToAPublishedList) {
  const Finished finished = StudyParity(
      {"--from", DataFile("parity/commits.json"), "--from", study_, "--population", population_});
  EXPECT_EQ(finished.exit_code, code(Exit::kFailed)) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("= 61"));
  EXPECT_EQ(json::parse(read_text(population_))["n"], 61);
}

TEST_F(ParityStudies, RefusesWhatItCannotDo) {
  EXPECT_EQ(StudyParity({"--population", population_}).exit_code, code(Exit::kUsage));
  EXPECT_EQ(StudyParity({"--from", study_, "--population", "-"}).exit_code, code(Exit::kUsage));
  EXPECT_EQ(StudyParity({"--from", study_, "--population", population_, "--inventory", population_})
                .exit_code,
            code(Exit::kUsage));
  std::filesystem::create_directory(folder_ / "empty");
  EXPECT_EQ(StudyParity({"--from", folder_ / "empty"}).exit_code, code(Exit::kData));
  write_text(population_, "{\"format\": \"another\"}");
  const Finished refused = StudyParity({"--from", study_, "--population", population_});
  EXPECT_EQ(refused.exit_code, code(Exit::kData));
  EXPECT_EQ(read_text(population_), "{\"format\": \"another\"}") << "is left as it was";
}

}  // namespace
}  // namespace perfgate
