// SPDX-License-Identifier: Apache-2.0
// Studies in every layout give the population file that was meant, byte for byte, and counts that
// add up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/published/studies/change_log.h"
#include "perfgate/published/studies/inventory.h"
#include "perfgate/published/studies/population.h"
#include "tests/perfgate/published/studies/study_samples.h"
#include "tests/support/arguments.h"

namespace perfgate::published {
namespace {

using perfgate::test_support::DataFile;
using testing::HasSubstr;
using testing::IsEmpty;

class EveryLayout : public testing::TestWithParam<Layout> {};

TEST_P(EveryLayout, GivesThePopulationThatWasMeant) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto commits = test_support::MakeCommits(seed, 64);
    const PrivateFolder folder("study");
    test_support::WriteFiles(folder.path(), test_support::StudyFilesOf(commits, GetParam()));
    const Study study = ReadStudy(folder.path());
    EXPECT_THAT(study.warnings, IsEmpty());
    auto population = EmptyPopulation();
    AddStudies(population, {study});
    const std::string text = PopulationText(population);
    EXPECT_EQ(text, test_support::ExpectedPopulation(commits, GetParam()));
    EXPECT_THAT(published_from_json(text, "p.json").warnings, IsEmpty());

    // What was written is read, and read again it changes nothing.
    auto again = PopulationFromJson(text, "p.json");
    const auto before = again;
    EXPECT_EQ(PopulationText(again), text);
    AddStudies(again, {study});
    EXPECT_EQ(PopulationText(again), text);
    EXPECT_THAT(ComparePopulations(before, again), IsEmpty());
  }
}

TEST_P(EveryLayout, CountsWhatIsThere) {
  const auto commits = test_support::MakeCommits(7, 60);
  const auto files = test_support::StudyFilesOf(commits, GetParam());
  const PrivateFolder folder("study");
  test_support::WriteFiles(folder.path(), files);
  test_support::WriteFiles(folder.path(), {{"notes.txt", "x"}, {"logs/a.log", ""}});
  const Study study = ReadStudy(folder.path());
  ASSERT_EQ(study.sources.size(), 1U);
  EXPECT_EQ(study.sources[0].layout, GetParam());
  const SourceCounts counts = CountSource(study.sources[0]);
  EXPECT_EQ(counts.commits, 60U);
  EXPECT_EQ(counts.files_read, files.size());
  EXPECT_EQ(study.files, files.size() + 2);
  EXPECT_EQ(study.ignored.size(), 2U);
  for (const Arm arm : kAllArms) {
    std::array<std::size_t, kStateWords.size()> expected = {};
    for (const auto& commit : commits) {
      ++expected.at(static_cast<std::size_t>(commit.arms[index_of(arm)].state));
    }
    EXPECT_EQ(counts.arms[index_of(arm)], expected) << name_of(arm);
  }
  EXPECT_THAT(InventoryText({study}), HasSubstr("+ ignored 2 = " + std::to_string(study.files)));
  const auto json = parse_strict_json(InventoryJson({study}), "inventory");
  EXPECT_EQ(json["studies"][0]["sources"][0]["commits"], 60);
}

INSTANTIATE_TEST_SUITE_P(Layouts, EveryLayout,
                         testing::Values(Layout::kCombined, Layout::kArmFiles, Layout::kReruns),
                         [](const auto& info) { return std::string(word_of(info.param)); });

TEST(Population, NormalisingIsStableAndKeepsTheAnswers) {
  for (const char* file : {"parity/commits.json"}) {
    const PublishedSet set = read_published(DataFile(file));
    const auto population =
        PopulationFromJson(read_strict_json(DataFile(file)).dump(), DataFile(file));
    const std::string text = PopulationText(population);
    EXPECT_EQ(PopulationText(PopulationFromJson(text, "p.json")), text);
    EXPECT_EQ(published_from_json(text, "p.json").items.size(), set.items.size());
    EXPECT_EQ(parse_strict_json(text, "p.json"), read_strict_json(DataFile(file)));
  }
}

}  // namespace
}  // namespace perfgate::published
