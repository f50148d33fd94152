// SPDX-License-Identifier: Apache-2.0
// The schema follows from the fields that the reader reads. `--update` rewrites docs/schema.
#include "perfgate/study/task/task_schema.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "perfgate/study/task/task_file.h"
#include "tests/perfgate/evidence/golden_file.h"
#include "tests/perfgate/evidence/schema_validator.h"

namespace perfgate::study {
namespace {

using SchemaJson = nlohmann::ordered_json;

std::string Problem(const std::string& file) {
  const SchemaJson schema = SchemaJson::parse(TaskFileSchema());
  return sample::Validator(schema).problem(SchemaJson::parse(file));
}

// The block of indented lines that holds the text.
std::string ExampleIn(const std::string& document, const std::string& text) {
  const std::size_t at = document.find(text);
  std::size_t begin = document.rfind("\n\n", at) + 2;
  return document.substr(begin, document.find("\n\n", at) - begin);
}

TEST(TaskSchema, IsWhatIsCheckedIn) {
  sample::expect_golden("docs/schema/parity-tasks.schema.json", TaskFileSchema());
}

TEST(TaskSchema, HoldsForTheDocumentedExampleAndSoDoesTheReader) {
  const std::string example =
      ExampleIn(sample::source_text("docs/parity.md"), "perfgate-parity-tasks\", \"version");
  EXPECT_EQ(Problem(example), "");
  EXPECT_EQ(TasksFromJson(example, "example", "/f").size(), 1U);
}

TEST(TaskSchema, RefusesWhatTheReaderRefuses) {
  const std::string begin = R"({"format": "perfgate-parity-tasks", "version": 1, )";
  const std::pair<std::string, const char*> kBad[] = {
      {begin + R"("repos": "r", "tasks": []})", "/repos: unknown field"},
      {begin + R"("margin": 5, "tasks": []})", "/margin: fails maximum"},
      {begin + R"("limits": {"build_s": 0}, "tasks": []})", "fails exclusiveMinimum"},
      {begin + R"("tasks": [{"id": "../x"}]})", "/tasks/0/id: fails pattern"},
      {begin + R"("tasks": [{"repo": "r"}]})", "lacks \"id\""},
      {R"({"format": "perfgate-parity-tasks", "version": 2, "tasks": []})", "fails const"},
      {begin + R"("rounds": 3})", "lacks \"tasks\""}};
  for (const auto& [file, part] : kBad) {
    EXPECT_NE(Problem(file).find(part), std::string::npos) << file << "\n" << Problem(file);
    EXPECT_ANY_THROW(TasksFromJson(file, "tasks.json", "/f")) << file;
  }
  EXPECT_EQ(
      Problem(begin + R"("arms": {"baseline": "b", "agents": ["a"]}, "tasks": [{"id": "a"}]})"),
      "");
  EXPECT_EQ(
      Problem(begin + R"("margin": "3 %", "arms": null, "pairs": 2, "tasks": [{"id": "a"}]})"), "");
}

}  // namespace
}  // namespace perfgate::study
