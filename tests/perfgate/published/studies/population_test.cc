// SPDX-License-Identifier: Apache-2.0
// Reruns, updates and their marks; readings that differ from study to study.
#include "perfgate/published/studies/population.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"
#include "perfgate/base/io/private_folder.h"
#include "perfgate/published/published_rules.h"
#include "perfgate/published/studies/change_log.h"
#include "tests/perfgate/published/studies/study_samples.h"

namespace perfgate::published {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Files = std::map<std::string, std::string>;

Study StudyOf(const Files& files) {
  const PrivateFolder folder("study");
  test_support::WriteFiles(folder.path(), files);
  return ReadStudy(folder.path());
}

json PopulationOf(const Files& files) {
  json population = EmptyPopulation();
  AddStudies(population, {StudyOf(files)});
  return population;
}

std::string ArmFile(double value, const std::string& metric = "throughput_tok_s") {
  return json({{"status", "success"}, {"model", "m"}, {"metrics", {{metric, value}}}}).dump();
}

const Files kSeparate = {{"abcdabcd_baseline_result.json", ArmFile(100.5)},
                         {"abcdabcd_human_result.json", ArmFile(120.5)},
                         {"abcdabcd_agent_result.json", ArmFile(121.5)}};

std::vector<std::string> LiveSources(const json& record) {
  std::vector<std::string> sources;
  for (const json& m : record["measurements"]) {
    if (!m.contains("replaced_by")) sources.push_back(m["source"]);
  }
  return sources;
}

TEST(Population, ARerunOfOneArmReplacesItsValueAlone) {
  json population = PopulationOf(kSeparate);
  const json before = population;
  AddStudies(population, {StudyOf({{"abcdabcd_agent_rerun.json", ArmFile(90.5)}})});
  const json& record = population["commits"][0];
  ASSERT_EQ(record["measurements"].size(), 2U);
  EXPECT_EQ(record["measurements"][0]["replaced_by"], "docker_rerun");
  EXPECT_EQ(record["measurements"][0]["arms"]["agent"]["value"], 121.5) << "stays for the record";
  const json& rerun = record["measurements"][1];
  EXPECT_EQ(rerun["replaces"], json({"separate"}));
  EXPECT_EQ(rerun["arms"]["agent"]["value"], 90.5);
  EXPECT_EQ(rerun["arms"]["human"]["value"], 120.5);
  EXPECT_EQ(rerun["shared_run"], false);
  const auto changes = ComparePopulations(before, population);
  ASSERT_EQ(changes.size(), 1U) << "the other arms keep their values";
  EXPECT_THAT(ChangesMarkdown(changes),
              HasSubstr("- `abcdabcd` docker_rerun throughput_tok_s [tok/s] agent: `121.5` -> "
                        "`90.5`, a rerun takes the place of separate throughput_tok_s [tok/s] "
                        "agent\n"));
}

TEST(Population, ARerunOutdatesOtherMetricsOfItsArms) {
  json population = PopulationOf(kSeparate);
  AddStudies(population, {StudyOf({{"abcdabcd_agent_rerun.json", ArmFile(9, "tpot_mean")}})});
  EXPECT_THAT(LiveSources(population["commits"][0]), ElementsAre("docker_rerun"));
  EXPECT_EQ(population["commits"][0]["status"]["human"], "no_record");
}

TEST(Population, RerunsComeLastInAnyOrder) {
  Files all = kSeparate;
  all["reruns/abcdabcd_agent_rerun.json"] = ArmFile(90.5);
  const json together = PopulationOf(all);
  json apart = EmptyPopulation();
  AddStudies(apart, {StudyOf({{"abcdabcd_agent_rerun.json", ArmFile(90.5)}}), StudyOf(kSeparate)});
  EXPECT_EQ(PopulationText(together), PopulationText(apart));
  AddStudies(apart, {StudyOf(kSeparate)});
  EXPECT_EQ(PopulationText(together), PopulationText(apart)) << "the older run says nothing new";
}

TEST(Population, AFailedRerunTakesNoValueAway) {
  json population = PopulationOf(kSeparate);
  AddStudies(
      population,
      {StudyOf({{"abcdabcd_agent_rerun.json", R"({"status": "error", "error": "server died"})"}})});
  const json& record = population["commits"][0];
  EXPECT_THAT(LiveSources(record), ElementsAre("separate"));
  EXPECT_EQ(record["status"]["agent"], "measured");
  EXPECT_EQ(record["errors"][0]["kind"], "server_crash");
}

TEST(Population, AnotherValueOfTheSameSourceLeavesAMark) {
  json population = PopulationOf(kSeparate);
  const json before = population;
  Files changed = kSeparate;
  changed["abcdabcd_agent_result.json"] = ArmFile(125.25);
  AddStudies(population, {StudyOf(changed)});
  const json& list = population["commits"][0]["measurements"];
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["replaced_by"], "separate");
  EXPECT_EQ(list[1]["replaces"], json({"separate"}));
  const auto changes = ComparePopulations(before, population);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].old_value, 121.5);
  EXPECT_EQ(changes[0].new_value, 125.25);
  EXPECT_EQ(changes[0].why, "the source was read again and holds another value");
}

TEST(Population, TwoFilesForOneArmAreNeitherBelieved) {
  Files twice = kSeparate;
  twice["more/abcdabcd_agent_result.json"] = ArmFile(1.5);
  const Study study = StudyOf(twice);
  const StudyArm& agent = study.sources[0].records[0].arms[index_of(Arm::kAgent)];
  EXPECT_EQ(agent.state, ArmState::kUnreadable);
  EXPECT_THAT(agent.reason, HasSubstr("two files"));
}

TEST(Population, ArmsInDifferentUnitsAreNotPutTogether) {
  const json population =
      PopulationOf({{"abcdabcd_human_result.json", ArmFile(0.5, "mean_ttft_s")},
                    {"abcdabcd_agent_result.json", ArmFile(500, "mean_ttft_ms")}});
  EXPECT_EQ(population["commits"][0]["measurements"].size(), 2U);
}

TEST(Population, ModelsThatDifferMakeNoPair) {
  Files mixed = kSeparate;
  mixed["abcdabcd_baseline_result.json"] =
      json({{"status", "success"}, {"model", "other"}, {"metrics", {{"throughput_tok_s", 500.5}}}})
          .dump();
  const json population = PopulationOf(mixed);
  EXPECT_TRUE(population["commits"][0]["model"].is_null());
  const auto set = published_from_json(PopulationText(population), "p");
  EXPECT_EQ(answer_item(set.items[0]).item_class, ItemClass::kBaselineMismatch);
}

TEST(Population, StatesComeFromWhatFilesSay) {
  const auto state = [](const std::string& text) {
    const Study study = StudyOf({{"abcdabcd/benchmark_result.json", text}});
    return study.sources[0].records[0].arms[index_of(Arm::kAgent)].state;
  };
  EXPECT_EQ(state(R"({"status": "success", "human_metrics": {"ttft_mean": 1.5}})"),
            ArmState::kMissing);
  EXPECT_EQ(state(R"({"status": "success", "has_agent_patch": true, "agent_metrics": null})"),
            ArmState::kFailed);
  EXPECT_EQ(state(R"({"status": "success", "has_agent_patch": false})"), ArmState::kNotRun);
  EXPECT_EQ(state(R"({"results": {"agent": {"status": "timeout"}}})"), ArmState::kFailed);
  EXPECT_EQ(state(R"({"results": {"agent": {"status": "success", "metrics": {}}}})"),
            ArmState::kFailed);
  EXPECT_EQ(state(R"({"results": {"agent": {"status": "skipped"}}})"), ArmState::kNotRun);
  EXPECT_EQ(state(R"({"results": {"agent": {"status": "error", "metrics": {"ttft_mean": 2}}}})"),
            ArmState::kFailed)
      << "a status comes before values";
  EXPECT_EQ(state("{}"), ArmState::kUnreadable);
}

TEST(Population, ValuesOfAFailedArmAreNotTaken) {
  Files failed = kSeparate;
  failed["abcdabcd_agent_result.json"] =
      R"({"status": "error", "error": "x", "metrics": {"throughput_tok_s": 9000.5}})";
  const json population = PopulationOf(failed);
  EXPECT_FALSE(population["commits"][0]["measurements"][0]["arms"].contains("agent"));
  EXPECT_EQ(population["commits"][0]["status"]["agent"], "failed");
}

TEST(Population, ARerunOfAllArmsIsASharedRun) {
  json population = PopulationOf(kSeparate);
  AddStudies(population, {StudyOf({{"docker/abcdabcd/benchmark_result.json",
                                    json({{"commit", "abcdabcd"},
                                          {"results",
                                           {{"human", json::parse(ArmFile(50.5))},
                                            {"baseline", json::parse(ArmFile(49.5))},
                                            {"agent", json::parse(ArmFile(51.5))}}}})
                                        .dump()}})});
  const json& record = population["commits"][0];
  EXPECT_THAT(LiveSources(record), ElementsAre("docker_rerun"));
  EXPECT_EQ(record["measurements"][1]["shared_run"], true);
  EXPECT_EQ(record["measurements"][1]["replaces"], json({"separate"}));
}

// Fields that the format lets one leave out, and arms that are null.
TEST(Population, UpdatesShortRecords) {
  json population = PopulationFromJson(
      R"({"format": "perfgate-parity-commits/1", "mine": 1, "commits": [
          {"id": "abcdabcd", "model": null, "pipeline_status": null, "verification": null,
           "status": {"baseline": "no_record", "human": "measured", "agent": "no_record"},
           "measurements": [{"source": "s", "shared_run": true, "metric": null, "x": 2,
             "arms": {"agent": null, "human": {"value": 2, "decimals": 0}}}],
           "errors": [], "gpu_need": []}]})",
      "p.json");
  const json before = population;
  AddStudies(population, {StudyOf(kSeparate)});
  const json text = json::parse(PopulationText(population));
  EXPECT_EQ(text["mine"], 1);
  EXPECT_EQ(text["commits"][0]["measurements"][0]["x"], 2);
  EXPECT_EQ(text["commits"][0]["measurements"].size(), 2U);
  EXPECT_FALSE(ComparePopulations(before, population).empty());
}

TEST(Population, AFolderWithoutResultsIsRefused) {
  EXPECT_THROW(StudyOf({{"notes.txt", ""}}), Error);
  EXPECT_THROW(StudyOf({}), Error);
}

}  // namespace
}  // namespace perfgate::published
