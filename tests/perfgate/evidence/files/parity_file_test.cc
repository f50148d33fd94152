// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "perfgate/base/io/atomic_file.h"
#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/evidence/file_formats.h"
#include "tests/perfgate/evidence/temporary_folder.h"

namespace perfgate {
namespace {

using sample::Json;

using ParityFile = sample::FileTest<sample::ParityFormat>;

TEST_F(ParityFile, ContradictionsAreInvalidEvidence) {
  Json document = full_document();
  document["exit"] = 0;  // a vacuous match
  expect_invalid(document, "/exit");
  document["columns"][0]["vacuous"] = false;
  read(document.dump());
  for (const char* outcome : {"loss", "failed", "unresolved", "invalid", "missing"}) {
    Json other = document;
    other["columns"][0]["vacuous"] = nullptr;
    other["columns"][0]["outcome"] = outcome;
    expect_invalid(other, "/exit");
    other["columns"][0]["primary"] = false;
    read(other.dump());
  }
  document = full_document();
  document["columns"][0]["outcome"] = "win";
  expect_invalid(document, "/columns/0/vacuous");
  document = full_document();
  document["columns"][0]["human_baseline"]["effect"]["lo"] = 0.5;
  expect_invalid(document, "/columns/0/human_baseline/effect");
  document = full_document();
  document["columns"].push_back(document["columns"][0]);
  expect_invalid(document, "/columns/1");
  document = full_document();
  document["schedule"]["look_alpha"] = {0};
  expect_invalid(document, "/schedule/look_alpha");
}

TEST_F(ParityFile, IsRead) {
  const sample::TemporaryFolder folder;
  write_file_atomically(folder / "p.json", parity_to_json(sample::full_parity()));
  EXPECT_EQ(read_parity(folder / "p.json").columns.size(), 1U);
}

using ParityAgentsFile = sample::FileTest<sample::ParityAgentsFormat>;

TEST_F(ParityAgentsFile, ContradictionsAreInvalidEvidence) {
  const auto expect_with = [&](const char* at, const Json& value, const char* pointer) {
    Json document = full_document();
    document[Json::json_pointer(at)] = value;
    expect_invalid(document, pointer);
  };
  expect_with("/exit", 0, "/exit");
  expect_with("/agents/0/exit", 0, "/agents/0/exit");
  expect_with("/agents/0/label", "other", "/agents/0/label");
  expect_with("/agents/0/wins", 1, "/agents/0");
  expect_with("/agents/0/matches", 0, "/agents/0");
  expect_with("/agents/0/vacuous", 2, "/agents/0");
  expect_with("/agents/0/claimed_losses", 1, "/agents/0");
  expect_with("/agents", Json::array(), "/agents");
  expect_with("/verdicts/0/columns/0/outcome", "win", "/verdicts/0/columns/0/vacuous");
  Json twice = full_document();
  for (const char* list : {"agents", "verdicts"}) twice[list].push_back(twice[list][0]);
  expect_invalid(twice, "/agents/1/label");
  Json none = full_document();
  for (const char* list : {"agents", "verdicts"}) none[list].clear();
  expect_invalid(none, "/verdicts");
}

TEST_F(ParityAgentsFile, EitherVersionIsRead) {
  const sample::TemporaryFolder folder;
  write_file_atomically(folder / "one.json", parity_to_json(sample::full_parity()));
  const ParityAgents one = ReadParityFile(folder / "one.json");
  ASSERT_EQ(one.verdicts.size(), 1U);
  EXPECT_EQ(one.together.exit, Exit::kInconclusive);
  EXPECT_EQ(parity_to_json(one.verdicts[0]), parity_to_json(sample::full_parity()));
  const std::string several = parity_agents_to_json(sample::full_parity_agents());
  write_file_atomically(folder / "several.json", several);
  EXPECT_EQ(parity_agents_to_json(ReadParityFile(folder / "several.json")), several);
}

}  // namespace
}  // namespace perfgate
