// SPDX-License-Identifier: Apache-2.0
// What is known to be wrong with the published tables and lists is found; what only looks wrong is
// left alone; nothing else appears without somebody having looked at it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "perfgate/base/io/read_file.h"
#include "tests/perfgate/audit/fixtures.h"
#include "tests/support/arguments.h"

namespace perfgate::audit {
namespace {

using fixtures::json;

AuditResult everything() {
  std::vector<std::string> files = fixtures::table_files(".json");
  for (const std::string& file : fixtures::table_files(".md")) files.push_back(file);
  files.emplace_back("audit/published_claims.json");
  files.emplace_back("parity/commits.json");
  return fixtures::audit_files(files);
}

// The record of one tracked run is no table and no list; nothing here reads it.
bool in_scope(const json& finding) {
  return !finding["where"][0]["file"].get<std::string>().starts_with("tracker/");
}

TEST(KnownFindings, AreFound) {
  const AuditResult result = everything();
  // These kinds are required; the others are found as well, and stay so.
  const std::set<std::string> required = {"arithmetic", "total",           "classification",
                                          "count",      "list_vs_heading", "data_conflict"};
  int places = 0;
  int known = 0;
  for (const json& finding : fixtures::known_findings("findings")) {
    if (!in_scope(finding)) continue;
    const std::string kind = finding["kind"];
    bool any = false;
    bool every = true;
    for (const json& where : finding["where"]) {
      const bool at = fixtures::found_at(result, where, kind) != nullptr;
      any = any || at;
      every = every && at;
    }
    EXPECT_TRUE(any) << finding.dump(1);
    // Every item of a broken partition has to be named, not one of them.
    EXPECT_TRUE(every || kind != "total") << finding.dump(1);
    ++known;
    if (required.count(kind) != 0) ++places;
  }
  EXPECT_EQ(known, 33);
  EXPECT_EQ(places, 14);
}

TEST(KnownFindings, SeededErrorsAreFoundInJsonAndMarkdown) {
  int checked = 0;
  for (const json& mutation : fixtures::known_findings("mutations")) {
    const json& where = mutation["where"][0];
    const std::string file = where["file"];
    const std::string kind = mutation["kind"];
    std::vector<std::string> files = {file};
    if (where.contains("commit")) files.emplace_back("audit/published_claims.json");
    EXPECT_NE(fixtures::found_at(fixtures::audit_files(files), where, kind), nullptr)
        << mutation.dump(1);
    ++checked;
    if (where.contains("commit")) continue;
    const std::string markdown = file.substr(0, file.size() - 4) + "md";
    bool found = false;
    for (const Finding& finding : fixtures::audit_files({markdown}).findings) {
      found = found || (finding.row == where.value("row", 0) && word_of(finding.kind) == kind &&
                        finding.claim == where.value("claim", std::string()));
    }
    EXPECT_TRUE(found) << markdown;
  }
  EXPECT_EQ(checked, 8);
}

TEST(KnownFindings, WhatRoundingExplainsIsLeftAlone) {
  const AuditResult result = everything();
  int checked = 0;
  for (const json& allowed : fixtures::known_findings("must_not_flag")) {
    const json& where = allowed["where"];
    const Finding* finding = fixtures::found_at(result, where, "");
    EXPECT_EQ(finding, nullptr) << allowed.dump(1);
    ++checked;
    // The Markdown has the same cell under the column's label.
    const std::string file = where["file"];
    if (!file.starts_with("tables/")) continue;
    json twin = where;
    twin["file"] = file.substr(0, file.size() - 4) + "md";
    if (where.contains("column")) {
      const json table = json::parse(read_file_text(fixtures::path_of(file)));
      for (const json& column : table["columns"]) {
        if (column["key"] == where["column"]) twin["column"] = column["label"];
      }
    }
    EXPECT_EQ(fixtures::found_at(result, twin, ""), nullptr) << allowed.dump(1);
  }
  EXPECT_EQ(checked, 41);
}

// Every finding on the files as they are, one line each. A new line has been recomputed by hand
// before it got here.
TEST(KnownFindings, AreAllThereIs) {
  std::string lines;
  for (const Finding& finding : everything().findings) {
    lines.append(word_of(finding.severity)).append(" ").append(word_of(finding.kind));
    lines += " " + finding.file + " " + place_text(finding) + ": " + finding.published + " -> " +
             finding.recomputed + "\n";
  }
  EXPECT_EQ(lines, read_file_text(perfgate::test_support::SourceFolder() +
                                  "/tests/perfgate/audit/golden/findings.txt"));
}

}  // namespace
}  // namespace perfgate::audit
