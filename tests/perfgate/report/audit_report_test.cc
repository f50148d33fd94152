// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/audit_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "perfgate/audit/audit.h"
#include "perfgate/base/io/read_file.h"
#include "tests/support/arguments.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// The fenced block after a marker in the documentation.
std::string documented(const std::string& marker) {
  const std::string text =
      read_file_text(perfgate::test_support::SourceFolder() + "/docs/audit.md");
  std::size_t at = text.find("<!-- " + marker + " -->");
  EXPECT_NE(at, std::string::npos);
  at = text.find("```", at);
  at = text.find('\n', at) + 1;
  return text.substr(at, text.find("```", at) - at);
}

audit::AuditResult audited(const std::string& text) {
  audit::AuditInput input;
  audit::read_audit_text("example.md", text, input);
  return audit::audit(input);
}

TEST(AuditReport, TheDocumentedExampleIsTrue) {
  const std::string example = read_file_text(perfgate::test_support::DataFile("audit/example.md"));
  EXPECT_EQ(documented("example.md"), example);
  EXPECT_EQ(documented("output"), audit_console_report(audited(example), false));
}

// Names from files can neither break a line nor colour one.
TEST(AuditReport, FitsTheConsoleWhateverTheNames) {
  const std::string long_name(300, 'x');
  const audit::AuditResult result = audited("| k | " + long_name + " | " + long_name +
                                            " |\n|---|---|---|\n| \xC3\xA9\\| x | 1 | 2 |\n");
  ASSERT_EQ(result.findings.size(), 1U);
  std::istringstream lines(audit_console_report(result, false));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100U);
    for (const char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  }
  EXPECT_THAT(audit_console_report(result, false), Not(HasSubstr("\x1b")));
}

TEST(AuditReport, MarkdownCellsStayCells) {
  const audit::AuditResult result =
      audited("| k | a \\| b | a \\| b |\n|---|---|---|\n| x | 1 | 2 |\n");
  ASSERT_EQ(result.findings.size(), 1U);
  std::istringstream lines(audit_markdown_report(result));
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) continue;
    ++rows;
    int pipes = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      pipes += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    }
    EXPECT_EQ(pipes, 7) << line;
  }
  EXPECT_EQ(rows, 3);
}

TEST(AuditReport, JsonHasEveryFinding) {
  const std::string example = read_file_text(perfgate::test_support::DataFile("audit/example.md"));
  const audit::AuditResult result = audited(example);
  const nlohmann::json report = nlohmann::json::parse(audit_json_report(result));
  EXPECT_EQ(report["format"], "perfgate-audit-report");
  ASSERT_EQ(report["findings"].size(), result.findings.size());
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    EXPECT_EQ(report["findings"][i]["line"], result.findings[i].line);
    EXPECT_EQ(report["findings"][i]["published"], result.findings[i].published);
    EXPECT_EQ(report["findings"][i]["explanation"], result.findings[i].explanation);
  }
  EXPECT_EQ(report["checked"]["relations"], result.checked.relations);
  const nlohmann::json none =
      nlohmann::json::parse(audit_json_report(audited("| a | b |\n|---|---|\n| x | 1 |\n")));
  EXPECT_TRUE(none["findings"].empty());
}

TEST(AuditReport, SaysWhatWasNotChecked) {
  EXPECT_THAT(
      audit_console_report(audited("| a | b |\n|---|---|\n| x | 1 |\n\n- c1: word=b\n"), false),
      HasSubstr("no findings\nchecked 1 table: 0 derived cells by 0 relations, 0 claims (1 more "
                "with nothing to recompute)\n"));
}

}  // namespace
}  // namespace perfgate::report
