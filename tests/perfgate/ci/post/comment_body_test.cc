// SPDX-License-Identifier: Apache-2.0
#include "perfgate/ci/post/comment_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfgate::ci {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(CommentBody, MarkHoldsNothingOfTheName) {
  const std::string mark = MarkOf("--> <script>");
  EXPECT_THAT(mark, Not(HasSubstr("script")));
  EXPECT_EQ(mark, MarkOf("--> <script>"));
  EXPECT_NE(mark, MarkOf("other"));
}

TEST(CommentBody, BeginsWithTheMarkAndEndsWithTheLink) {
  const std::string body = CommentBody(MarkOf("s"), "report\n", "https://x/1", 1000);
  EXPECT_THAT(body, StartsWith(MarkOf("s")));
  EXPECT_THAT(body, EndsWith("(https://x/1)\n"));
  EXPECT_THAT(CommentBody(MarkOf("s"), "report\n", "", 1000), EndsWith("report\n"));
}

TEST(CommentBody, LongReportsAreCutAtALine) {
  std::string report;
  for (int i = 0; i < 3000; ++i) report += "| line " + std::to_string(i) + " |\n";
  for (const std::size_t most : {500U, 5000U, 65536U}) {
    const std::string body = CommentBody(MarkOf("s"), report, "https://x/1", most);
    EXPECT_LE(body.size(), most);
    EXPECT_EQ(body.find("more lines are in the files") != std::string::npos, report.size() > most);
    EXPECT_THAT(body, EndsWith("(https://x/1)\n"));
  }
  EXPECT_THAT(CutAtLine(report, 1000), HasSubstr("more lines are in the files"));
  EXPECT_EQ(CutAtLine("short\n", 1000), "short\n");
}

TEST(CommentBody, BlocksThatAreCutOpenAreClosed) {
  std::string report = "<details>\n<summary>s</summary>\n\n";
  for (int i = 0; i < 100; ++i) report += "- a line of the block\n";
  report += "</details>\n";
  EXPECT_THAT(CutAtLine(report, 1000), HasSubstr("</details>"));
}

}  // namespace
}  // namespace perfgate::ci
