// SPDX-License-Identifier: Apache-2.0
// Files of published values that must be refused, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/published/published_parity.h"
#include "tests/support/arguments.h"

namespace perfgate::published {
namespace {

using nlohmann::json;
using perfgate::test_support::DataFile;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

json synthetic() { return read_strict_json(DataFile("parity/synthetic.json")); }

// The refusal of `text`, or nothing where it is taken.
std::pair<Exit, std::string> refusal(const std::string& text) {
  try {
    published_from_json(text, "set.json");
  } catch (const Error& error) {
    return {error.exit(), error.what()};
  }
  return {Exit::kPass, ""};
}

void expect_refused(const json& document, Exit exit, const std::string& pointer,
                    const std::string& part) {
  const auto [found, message] = refusal(document.dump());
  EXPECT_EQ(found, exit) << message;
  EXPECT_THAT(message, AllOf(HasSubstr("set.json: " + pointer + ":"), HasSubstr(part)));
}

TEST(PublishedFile, ReadsRealLists) {
  const PublishedSet set = read_published(DataFile("parity/commits.json"));
  EXPECT_EQ(set.items.size(), 60U);
  EXPECT_EQ(set.split, "developer");
  EXPECT_THAT(set.warnings, IsEmpty());
  EXPECT_THAT(read_published(DataFile("parity/synthetic.json")).warnings, IsEmpty());
}

TEST(PublishedFile, RefusesOtherFormats) {
  json document = synthetic();
  document["format"] = "perfgate-parity-commits/2";
  expect_refused(document, Exit::kData, "/format", "\"perfgate-parity-commits/1\"");
  document.erase("format");
  expect_refused(document, Exit::kData, "/format", "missing");
  expect_refused(json::array(), Exit::kData, "the document", "an object");
  EXPECT_EQ(refusal("{").first, Exit::kData);
  EXPECT_EQ(refusal("").first, Exit::kData);
}

TEST(PublishedFile, NamesTheMissingField) {
  for (const char* field : {"id", "model", "pipeline_status", "status", "measurements",
                            "verification", "errors", "gpu_need"}) {
    json document = synthetic();
    document["commits"][3].erase(field);
    expect_refused(document, Exit::kData, "/commits/3/" + std::string(field), "missing");
  }
  for (const char* field : {"source", "shared_run", "metric", "arms"}) {
    json document = synthetic();
    document["commits"][0]["measurements"][1].erase(field);
    expect_refused(document, Exit::kData, "/commits/0/measurements/1/" + std::string(field),
                   "missing");
  }
  for (const char* field : {"value", "decimals"}) {
    json document = synthetic();
    document["commits"][0]["measurements"][1]["arms"]["agent"].erase(field);
    expect_refused(document, Exit::kData,
                   "/commits/0/measurements/1/arms/agent/" + std::string(field), "missing");
  }
  json document = synthetic();
  document["commits"][0]["status"].erase("human");
  expect_refused(document, Exit::kData, "/commits/0/status/human", "missing");
  document.erase("commits");
  expect_refused(document, Exit::kData, "/commits", "missing");
}

TEST(PublishedFile, NamesTheFieldOfTheWrongType) {
  const std::vector<std::pair<std::string, json>> wrong = {
      {"/commits/0/id", 7},
      {"/commits/0/id", ""},
      {"/commits/0/model", 7},
      {"/commits/0/status", "measured"},
      {"/commits/0/status/agent", "gone"},
      {"/commits/0/measurements", nullptr},
      {"/commits/0/measurements/0", 1},
      {"/commits/0/measurements/0/metric", 1},
      {"/commits/0/measurements/0/better", "up"},
      {"/commits/0/measurements/0/output_len", 1.5},
      {"/commits/0/measurements/0/shared_run", "yes"},
      {"/commits/0/measurements/0/arms", json::array()},
      {"/commits/0/measurements/0/arms/human/value", "12"},
      {"/commits/0/measurements/0/arms/human/decimals", -1},
      {"/commits/0/measurements/0/arms/human/decimals", 400},
      {"/commits/0/verification", 3},
      {"/commits/0/errors", "none"},
      {"/commits/0/gpu_need", "H100"},
      {"/commits", "none"},
      {"/n", "eleven"},
      {"/arms", json::array({"baseline", "agent", "human"})}};
  for (const auto& [pointer, value] : wrong) {
    json document = synthetic();
    document[json::json_pointer(pointer)] = value;
    expect_refused(document, Exit::kData, pointer, "");
  }
}

TEST(PublishedFile, DoesNotBelieveWhatContradictsItself) {
  json document = synthetic();
  document["n"] = 12;
  expect_refused(document, Exit::kInvalid, "/n", "there are 11 commits");

  document = synthetic();
  document["commits"][4]["id"] = "synth-01";
  expect_refused(document, Exit::kInvalid, "/commits/4/id", "twice");

  document = synthetic();
  document["commits"][0]["measurements"][1]["arms"]["human"]["value"] = -45.0;
  expect_refused(document, Exit::kInvalid, "/commits/0/measurements/1/arms/human/value", "below 0");

  document = synthetic();
  document["commits"][0]["measurements"][1]["better"] = "higher";
  expect_refused(document, Exit::kInvalid, "/commits/0/measurements/1/better", "lower");

  document = synthetic();
  document["commits"][0]["measurements"][1]["unit"] = "tok/s";
  expect_refused(document, Exit::kInvalid, "/commits/0/measurements/1/unit", "no unit of ttft");

  std::string text = synthetic().dump();
  text.insert(1, R"("n": 11, )");
  EXPECT_EQ(refusal(text).first, Exit::kInvalid);
}

TEST(PublishedFile, WarnsOfWhatItDoesNotRead) {
  json document = synthetic();
  document["commits"][0]["mood"] = "good";
  document["commits"][1]["status"]["agent"] = "not_run";
  const PublishedSet set = published_from_json(document.dump(), "set.json");
  EXPECT_THAT(set.warnings, Contains(HasSubstr("\"mood\"")));
  EXPECT_THAT(set.warnings, Contains(HasSubstr("synth-02: the status of agent")));
}

TEST(PublishedFile, TakesErrorsOfAnyKind) {
  json document = synthetic();
  document["commits"][0]["errors"] = {{{"arm", "agent"}, {"kind", "gremlins"}, {"by", "results"}}};
  const PublishedSet set = published_from_json(document.dump(), "set.json");
  ASSERT_EQ(set.items[0].errors.size(), 1U);
  EXPECT_EQ(set.items[0].errors[0].kind, "gremlins");
}

}  // namespace
}  // namespace perfgate::published
