// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/page/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "tests/perfgate/report/suites/suite_samples.h"
#include "tests/perfgate/report/xml_check.h"

namespace perfgate::report {
namespace {

using sample::XmlDocument;
using sample::XmlElement;
using testing::HasSubstr;
using testing::Not;

// A page is written as XML too, so that a small reader can check it. The style sheet is no text.
XmlDocument PageOf(std::string text) {
  const std::size_t begin = text.find("<style>") + 7;
  text.erase(begin, text.find("</style>") - begin);
  return sample::ReadXml(text);
}

// Nothing of the page comes from elsewhere, runs, or refers to what is not there.
void ExpectSelfContained(const std::string& text, const XmlDocument& page) {
  ASSERT_EQ(page.problem, "");
  EXPECT_THAT(text, Not(HasSubstr("url(")));
  EXPECT_THAT(text, Not(HasSubstr("@import")));
  std::set<std::string> ids;
  for (const XmlElement& element : page.elements) {
    for (const char* name : {"script", "link", "img", "iframe", "object", "image"}) {
      EXPECT_NE(element.name, name);
    }
    for (const auto& [attribute, value] : element.attributes) {
      EXPECT_FALSE(attribute.starts_with("on")) << attribute;
      if (attribute == "id") {
        EXPECT_TRUE(ids.insert(value).second) << value;
      }
    }
  }
  for (const XmlElement& element : page.elements) {
    for (const auto& [attribute, value] : element.attributes) {
      EXPECT_NE(attribute, "src");
      if (attribute != "href") continue;
      EXPECT_TRUE(value.starts_with("#") && ids.contains(value.substr(1))) << value;
    }
  }
}

std::vector<ReportedSuite> EverySuite() {
  std::vector<ReportedSuite> suites;
  for (const SuiteVerdict& verdict :
       {sample::mixed_verdict(), sample::identical_verdict(), sample::skipped_verdict(),
        sample::empty_verdict(), sample::hostile_verdict(), SuiteVerdict()}) {
    suites.push_back({.title = "suite " + std::to_string(suites.size()), .verdict = verdict});
  }
  suites.push_back(sample::suite_of_logs(
      {{0.1, 0.1, 0.2, 0.1, 0.2, 0.1, 0.1}, {0, 0, 0, 0.01, 0.01, 0.01, 0.02}}));
  suites.back().calibration = sample::full_calibration();
  suites.push_back({.title = "no verdict", .session = sample::session_of_logs({{0.1}})});
  suites.push_back({.title = "calibration", .calibration = sample::full_calibration()});
  suites.push_back({.title = sample::hostile_names()[0], .session = sample::full_session()});
  return suites;
}

TEST(HtmlReport, IsOnePageThatNeedsNothingElse) {
  const std::vector<ReportedSuite> suites = EverySuite();
  const std::string text = HtmlReport(suites, "a <title> & more");
  const XmlDocument page = PageOf(text);
  ExpectSelfContained(text, page);
  EXPECT_EQ(page.Named("section").size(), suites.size());
  ASSERT_EQ(page.Named("h1").size(), 1U);
  EXPECT_EQ(page.Named("h1")[0].text, "a &lt;title&gt; &amp; more");
  EXPECT_THAT(text, HasSubstr("No case was compared."));
  EXPECT_THAT(text, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(text, HasSubstr("@media print"));
  ExpectSelfContained(HtmlReport({}), PageOf(HtmlReport({})));
}

TEST(HtmlReport, HasEveryFigureThatTheFilesAllow) {
  ReportedSuite suite =
      sample::suite_of_logs({{0.1, 0.1, 0.2, 0.1, 0.2, 0.1}, {0, 0, 0, 0.01, 0.01, 0.01}});
  Session& session = *suite.session;
  session.cases[0].work = {.bytes = 1000, .flops = 500, .ceiling = "case/1"};
  session.cases[1].work.bytes = 2000;
  SuiteVerdict& verdict = *suite.verdict;
  verdict.columns[0].verdict = Verdict::kRegression;
  verdict.columns[0].link_effect.estimate = 0.06;
  LayoutStage stage;
  stage.rounds = session.rounds;
  session.confirmation = {stage};
  Calibration calibration;
  calibration.columns.emplace_back().case_name = "case/0";
  calibration.columns[0].d = {0.01, -0.02, 0.01};
  suite.calibration = calibration;
  for (const char* stage_name : {"stage_load", "stage_store"}) {
    ColumnVerdict column = verdict.columns[1];
    column.metric.name = stage_name;
    verdict.columns.push_back(column);
  }
  const std::string text = HtmlReport({&suite, 1});
  ExpectSelfContained(text, PageOf(text));
  for (const char* words :
       {"Layout spread", "Roofline", "Shares of stages", "Rounds over time per arm",
        "Change per round", "A/A band", "95 % interval", "Geometric mean over 2 cases",
        "perfgate gate --baseline old/bench"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
}

// What names hold is text: nothing of it is markup, and nothing turns the text behind it.
TEST(HtmlReport, ShowsAnyNameAsText) {
  const std::vector<ReportedSuite> one = {{.title = "x", .verdict = sample::hostile_verdict()}};
  const std::string text = HtmlReport(one);
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_THAT(text, HasSubstr("<bdi>\\u{202e}evil</bdi>"));
  EXPECT_THAT(text, HasSubstr(std::string(500, 'x')));  // never cut
  EXPECT_THAT(text, HasSubstr("\xF0\x9F\x9A\x80"));
  EXPECT_THAT(text, HasSubstr("(no name)"));
  sample::Random random(12);
  for (int i = 0; i < 100; ++i) {
    const std::vector<ReportedSuite> any = {{.title = sample::random_text(random),
                                             .verdict = sample::random_verdict(random),
                                             .session = sample::random_session(random),
                                             .calibration = sample::random_calibration(random)}};
    ASSERT_EQ(PageOf(HtmlReport(any)).problem, "");
  }
}

SuiteVerdict VerdictOfCases(int count) {
  SuiteVerdict verdict = sample::verdict_without_columns();
  verdict.exit = Exit::kPass;
  for (int i = 0; i < count; ++i) {
    const std::string name =
        "gemm/device:cpu/impl:vector/m:64/n:4096/k:" + std::to_string(i) + "/dtype:bf16";
    verdict.columns.push_back(sample::measured_column(name.c_str(), Verdict::kNoRegression,
                                                      Claim::kNoiseDominated, 1e-6 * i, 0.01, 10));
  }
  return verdict;
}

double SecondsFor(int cases, std::size_t& bytes) {
  const std::vector<ReportedSuite> one = {{.title = "x", .verdict = VerdictOfCases(cases)}};
  const auto begin = std::chrono::steady_clock::now();
  bytes = HtmlReport(one).size();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(HtmlReport, FiveThousandCasesFitIntoFiveMebibytes) {
  std::size_t bytes = 0;
  const double seconds = SecondsFor(5000, bytes);
  std::printf("5000 cases: %.2f s, %.2f MiB\n", seconds, static_cast<double>(bytes) / (1 << 20));
  EXPECT_LT(bytes, 5U << 20U);
  EXPECT_GT(bytes, 1U << 20U);
}

}  // namespace
}  // namespace perfgate::report
