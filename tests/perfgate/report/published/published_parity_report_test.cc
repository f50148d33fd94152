// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/published/published_parity_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "perfgate/report/text/text.h"
#include "tests/perfgate/report/golden_report.h"
#include "tests/support/arguments.h"

namespace perfgate::report {
namespace {

using perfgate::test_support::DataFile;
using testing::HasSubstr;

published::PublishedSet synthetic_with_failures() {
  published::PublishedSet set = published::read_published(DataFile("parity/synthetic.json"));
  set.items[3].errors.push_back({"run", "timeout_3600s", "results"});
  set.items[3].errors.push_back({"agent", "gremlins", "failures"});
  published::PublishedNeed small{.by = "capacity",
                                 .gpu = "H100",
                                 .count = 1,
                                 .count_min = {},
                                 .vram_gb = {},
                                 .size = {},
                                 .verdict = {},
                                 .cause = {}};
  published::PublishedNeed large{.by = "failures",
                                 .gpu = {},
                                 .count = {},
                                 .count_min = 2,
                                 .vram_gb = 140,
                                 .size = "70B",
                                 .verdict = {},
                                 .cause = {}};
  set.items[0].needs = {small};
  set.items[1].needs = {small, large};
  return set;
}

TEST(PublishedParityReport, Golden) {
  const published::PopulationReview review =
      published::review(synthetic_with_failures(),
                        published::Devices{.count = 1, .vram_gib = 80, .vendor = "nvidia"});
  const PublishedContext context{"synthetic.json", {"fields named \"mood\" are not read"}};
  expect_golden("published_parity.txt", published_console_report(review, context));
  expect_golden("published_parity.md", published_markdown_report(review, context));
  expect_golden("published_parity.json", published_summary_json(review, context));
}

TEST(PublishedParityReport, FitsTheConsole) {
  const published::PublishedSet set = published::read_published(DataFile("parity/commits.json"));
  std::istringstream lines(published_console_report(published::review(set), {"commits.json", {}}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), kConsoleWidth) << line;
}

TEST(PublishedParityReport, ShowsNoNumberForWhatDoesNotCompare) {
  published::PublishedSet set = published::read_published(DataFile("parity/synthetic.json"));
  std::erase_if(set.items, [](const published::PublishedItem& i) { return i.id != "synth-09"; });
  const std::string text = published_console_report(published::review(set), {"one.json", {}});
  EXPECT_THAT(text, HasSubstr("synth-09            -            -      -10.00 %"));
  EXPECT_THAT(text, HasSubstr("model_mismatch"));
}

TEST(PublishedParityReport, EscapesNames) {
  published::PublishedSet set = published::read_published(DataFile("parity/synthetic.json"));
  set.items[0].id = "a|b\x1b[31m";
  set.items[0].errors.push_back({"run", "x\ny", "<b>"});
  const published::PopulationReview review = published::review(set);
  EXPECT_EQ(published_console_report(review, {"f", {}}).find('\x1b'), std::string::npos);
  EXPECT_EQ(published_markdown_report(review, {"f", {}}).find("<b>"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(published_summary_json(review, {"f", {}}))["items"][0]["id"],
            "a|b\x1b[31m");
}

TEST(PublishedParityReport, SaysWhenThereIsNothing) {
  const std::string text = published_console_report(published::review({}), {"empty.json", {}});
  EXPECT_THAT(text, HasSubstr("in none of 0 items"));
  EXPECT_THAT(text, HasSubstr("Exit 13"));
}

}  // namespace
}  // namespace perfgate::report
