// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/latex/latex_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "perfgate/base/io/private_folder.h"
#include "perfgate/report/text/latex.h"
#include "tests/perfgate/report/suites/suite_samples.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;

std::vector<ReportedSuite> PaperSuites() {
  std::vector<ReportedSuite> suites;
  for (const SuiteVerdict& verdict : {sample::mixed_verdict(), sample::hostile_verdict(),
                                      sample::empty_verdict(), sample::skipped_verdict()}) {
    suites.push_back({.title = sample::hostile_names()[2], .verdict = verdict});
  }
  suites.push_back(sample::suite_of_logs(
      {{0.1, 0.1, 0.2, 0.1, 0.2, 0.1, 0.1}, {0, 0, 0, 0.01, 0.01, 0.01, 0.02}}));
  suites.back().verdict->columns[0].verdict = Verdict::kRegression;
  suites.back().verdict->columns[0].claim = Claim::kStrong;
  suites.back().calibration = sample::full_calibration();
  suites.push_back({.title = "alone", .session = sample::full_session()});
  return suites;
}

TEST(LatexReport, IsAsciiAndBalanced) {
  const std::string text = LatexReport(PaperSuites());
  EXPECT_TRUE(std::ranges::all_of(text, [](char c) {
    return c == '\n' ||
           (static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f);
  }));
  for (const char* words :
       {"\\begin{tabular}", "\\begin{tikzpicture}", "Geometric mean over 2 cases", "claim strong",
        "50\\%", "Measured and judged by"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else {
      depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    }
    ASSERT_GE(depth, 0) << text.substr(i > 60 ? i - 60 : 0, 120);
  }
  EXPECT_EQ(depth, 0);
}

TEST(LatexReport, Compiles) {
  if (std::system("kpsewhich tikz.sty >/dev/null 2>&1 && command -v pdflatex >/dev/null 2>&1") !=
      0) {
    GTEST_SKIP() << "no pdflatex with tikz";
  }
  const PrivateFolder folder("latex");
  std::ofstream(folder.file("report.tex")) << LatexReport(PaperSuites());
  std::ofstream(folder.file("paper.tex")) << LatexDocument("report.tex");
  const std::string command = "cd " + folder.path() +
                              " && pdflatex -interaction=nonstopmode -halt-on-error paper.tex "
                              ">paper.out";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(LatexText, LongWordsCanBreak) {
  EXPECT_EQ(BreakableLatex("a/b_c"), "a/\\allowbreak{}b\\_\\allowbreak{}c");
  const std::string text = BreakableLatex(std::string(500, 'x'));
  EXPECT_THAT(text, HasSubstr("xxxxxxxxxxxx\\allowbreak{}xxxxxxxxxxxx"));
}

}  // namespace
}  // namespace perfgate::report
