// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::Json;

using AlternativesFile = sample::FileTest<sample::AlternativesFormat>;

TEST_F(AlternativesFile, ContradictionsAreInvalidEvidence) {
  const Json full = full_document();
  const auto refused = [&](const std::string& pointer, const Json& value,
                           const std::string& where) {
    Json document = full;
    ASSERT_TRUE(document.contains(Json::json_pointer(pointer))) << pointer;
    document[Json::json_pointer(pointer)] = value;
    expect_invalid(document, where);
  };
  refused("/reference", 3, "/reference");
  refused("/rows/0/standings/1/rank_lo", 3, "/rows/0/standings/1");
  refused("/rows/0/standings/1/rank_hi", 4, "/rows/0/standings/1");
  refused("/rows/0/standings/2/rank_lo", 1, "/rows/0/standings/2");
  refused("/rows/0/standings/2/reason", "", "/rows/0/standings/2/reason");
  refused("/rows/0/standings/0/reason", "none", "/rows/0/standings/0/reason");
  refused("/rows/0/standings/0/over_reference/lo", 2, "/rows/0/standings/0/over_reference");
  refused("/rows/0/pairs/0/speed_up/hi", 0.1, "/rows/0/pairs/0/speed_up");
  refused("/rows/0/pairs/0/speed_up/hi", nullptr, "/rows/0/pairs/0/speed_up");
  refused("/rows/0/pairs/0/second", 3, "/rows/0/pairs/0/second");
  refused("/rows/0/pairs/0/second", 0, "/rows/0/pairs/0");
  refused("/overall/0/standings/1/rank_hi", 1, "/overall/0/standings/1");
  refused("/exit", 0, "/exit");  // one of them failed
  refused("/schedule/look_alpha", Json::array({0}), "/schedule/look_alpha");
  Json document = full;
  document["rows"][0]["standings"].erase(2);
  expect_invalid(document, "/rows/0/standings");
  document = full;
  document["rows"].push_back(document["rows"][0]);
  expect_invalid(document, "/rows/1");
  document = full;
  document["overall"].push_back(document["overall"][0]);
  expect_invalid(document, "/overall");
}

TEST_F(AlternativesFile, ExitsZeroWhereAllWasCompared) {
  Json document = full_document();
  document["exit"] = 0;
  for (const char* rows : {"rows", "overall"}) {
    Json& standing = document[rows][0]["standings"][2];
    standing["status"] = "compared";
    standing["reason"] = "";
    standing["rank_lo"] = standing["rank_hi"] = 3;
  }
  read(document.dump());
  document["holds"] = false;
  expect_invalid(document, "/exit");
}

TEST_F(AlternativesFile, IsRead) {
  const sample::TemporaryFolder folder;
  write_file_atomically(folder / "c.json", alternatives_to_json(sample::full_alternatives()));
  EXPECT_EQ(read_alternatives(folder / "c.json").arms.size(), 3U);
}

}  // namespace
}  // namespace perfgate
