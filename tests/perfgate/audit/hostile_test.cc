// SPDX-License-Identifier: Apache-2.0
// Spoiled files: refused with the right exit code or audited, never a crash, and in bounded time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/audit/fixtures.h"

namespace perfgate::audit {
namespace {

using fixtures::json;

// 0: audited; else the exit code of the refusal.
int exit_of(const std::string& file, const std::string& text) {
  try {
    AuditInput input;
    read_audit_text(file, text, input);
    for (const Finding& finding : audit(input).findings) {
      EXPECT_FALSE(finding.explanation.empty());
      EXPECT_FALSE(finding.file.empty());
    }
    return 0;
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(file));
    return static_cast<int>(error.exit());
  }
}

std::string spoiled(std::string text, std::mt19937_64& random) {
  const std::string pieces[] = {"|",   "-",     "9",    "\"",  "[", "]", "{", "}",
                                "\n",  "1e999", "null", "\\",  "/", "#", "`", "x",
                                "+/-", "0",     "\xFF", "inf", ",", ":", "%"};
  for (auto n = 1 + random() % 4; n > 0 && !text.empty(); --n) {
    const std::size_t at = random() % text.size();
    switch (random() % 3) {
      case 0:
        text.erase(at, 1 + random() % 20);
        break;
      case 1:
        text.insert(at, pieces[random() % std::size(pieces)]);
        break;
      default:
        text.insert(at, text.substr(random() % text.size(), random() % 60));
        break;
    }
  }
  return text;
}

TEST(Hostile, SpoiledFilesEndInAnExit) {
  std::vector<std::string> files = fixtures::table_files(".json");
  for (const std::string& file : fixtures::table_files(".md")) files.push_back(file);
  files.emplace_back("audit/published_claims.json");
  files.emplace_back("parity/commits.json");
  std::mt19937_64 random(17);
  int refused = 0;
  constexpr int kRounds = 40;
  for (const std::string& file : files) {
    const std::string text = read_file_text(fixtures::path_of(file));
    for (int i = 0; i < kRounds; ++i) {
      const int exit = exit_of(file, spoiled(text, random));
      EXPECT_TRUE(exit == 0 || exit == static_cast<int>(Exit::kData) ||
                  exit == static_cast<int>(Exit::kInvalid))
          << file << " " << exit;
      refused += exit == 0 ? 0 : 1;
    }
  }
  EXPECT_GT(refused, kRounds);
}

TEST(Hostile, ForeignJsonIsRefusedAndNonFiniteIsDistrusted) {
  EXPECT_EQ(exit_of("x.json", ""), 65);
  EXPECT_EQ(exit_of("x.json", "{}"), 65);
  EXPECT_EQ(exit_of("x.json", "[1, 2]"), 65);
  EXPECT_EQ(exit_of("x.json", R"({"format": "perfgate-table/2"})"), 65);
  EXPECT_EQ(exit_of("x.json", R"({"format": "perfgate-table/1", "columns": [], "rows": 3})"), 65);
  EXPECT_EQ(
      exit_of("x.json", R"({"format": "perfgate-table/1", "columns": [{"key": 1}], "rows": []})"),
      65);
  EXPECT_EQ(exit_of("x.json", R"({"format": "perfgate-table/1", "columns": [{"key": "a"}],
                                  "rows": [{"b": "1"}]})"),
            65);
  EXPECT_EQ(
      exit_of("x.json", R"({"format": "perfgate-table/1", "columns": [{"key": "a"}, {"key": "a"}],
                                  "rows": []})"),
      14);
  EXPECT_EQ(exit_of("x.json", R"({"format": "perfgate-table/1", "format": "x"})"), 14);
  EXPECT_EQ(exit_of("x.json", R"([{"a": NaN}])"), 14);
  EXPECT_EQ(exit_of("x.json", R"([{"a": 1, "b": 2}])"), 0);
  EXPECT_EQ(
      exit_of("x.json", R"({"format": "perfgate-published-claims/1", "commits": [{"id": 3}]})"),
      65);
  EXPECT_EQ(exit_of("x.json", R"({"format": "perfgate-published-claims/1", "commits": [3]})"), 65);
}

TEST(Hostile, WideAndLongTablesTakeBoundedTime) {
  std::mt19937_64 random(19);
  for (const auto& [columns, rows] :
       {std::pair{500, 20}, std::pair{40, 100}, std::pair{8, 20000}}) {
    std::string text = "|";
    for (int c = 0; c < columns; ++c) text += " total c" + std::to_string(c) + " |";
    text += "\n|";
    for (int c = 0; c < columns; ++c) text += "---|";
    for (int row = 0; row < rows; ++row) {
      text += "\n| total p" + std::to_string(row % 100) + "/mean |";
      for (int c = 1; c < columns; ++c) text += std::to_string(random() % 100000) + ".5 |";
    }
    EXPECT_EQ(exit_of("wide.md", text + "\n"), 0);
  }
}

}  // namespace
}  // namespace perfgate::audit
