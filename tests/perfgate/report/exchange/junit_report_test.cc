// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/exchange/junit_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/perfgate/report/suites/suite_samples.h"
#include "tests/perfgate/report/xml_check.h"

namespace perfgate::report {
namespace {

using sample::XmlDocument;
using sample::XmlElement;
using testing::HasSubstr;

std::vector<ReportedSuite> All() {
  std::vector<ReportedSuite> suites;
  for (const SuiteVerdict& verdict :
       {sample::mixed_verdict(), sample::identical_verdict(), sample::skipped_verdict(),
        sample::empty_verdict(), sample::hostile_verdict(), SuiteVerdict()}) {
    suites.push_back({.title = "suite " + std::to_string(suites.size()), .verdict = verdict});
  }
  suites.push_back({.title = "no verdict", .session = sample::session_of_logs({{0.1}})});
  return suites;
}

long Count(const XmlElement& suite, const std::string& name) {
  return std::stol(suite.attributes.at(name));
}

// What the schema of Ant's JUnit task demands.
void ExpectSuite(const XmlElement& suite) {
  for (const char* name :
       {"name", "package", "id", "tests", "failures", "errors", "time", "timestamp", "hostname"}) {
    EXPECT_TRUE(suite.attributes.contains(name)) << name;
  }
  EXPECT_TRUE(std::regex_match(suite.attributes.at("timestamp"),
                               std::regex("[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}")));
  EXPECT_FALSE(suite.attributes.at("hostname").empty());
}

TEST(JunitReport, FollowsTheSchema) {
  const std::string text = JunitReport(All());
  const XmlDocument document = sample::ReadXml(text);
  ASSERT_EQ(document.problem, "");
  const std::vector<XmlElement> suites = document.Named("testsuite");
  ASSERT_EQ(suites.size(), 6U);
  long tests = 0;
  long failures = 0;
  long errors = 0;
  long skipped = 0;
  for (const XmlElement& suite : suites) {
    ExpectSuite(suite);
    tests += Count(suite, "tests");
    failures += Count(suite, "failures");
    errors += Count(suite, "errors");
    skipped += Count(suite, "skipped");
  }
  EXPECT_EQ(document.Named("testcase").size(), static_cast<std::size_t>(tests));
  EXPECT_EQ(document.Named("failure").size(), static_cast<std::size_t>(failures));
  EXPECT_EQ(document.Named("error").size(), static_cast<std::size_t>(errors));
  EXPECT_EQ(document.Named("skipped").size(), static_cast<std::size_t>(skipped));
  for (const XmlElement& test : document.Named("testcase")) {
    EXPECT_TRUE(std::regex_match(test.attributes.at("time"), std::regex("[0-9]+\\.[0-9]{9}")));
    EXPECT_TRUE(test.attributes.contains("name"));
    EXPECT_FALSE(test.attributes.at("classname").empty());
    EXPECT_EQ(test.parent, "testsuite");
  }
  for (const char* name : {"failure", "error"}) {
    for (const XmlElement& element : document.Named(name)) {
      EXPECT_FALSE(element.attributes.at("type").empty());
    }
  }
  // Outputs stand behind the tests, each once.
  EXPECT_EQ(document.Named("system-out").size(), suites.size());
  EXPECT_EQ(document.Named("system-err").size(), suites.size());
}

TEST(JunitReport, OutcomesFollowTheGate) {
  const std::vector<ReportedSuite> one = {{.title = "s", .verdict = sample::mixed_verdict()}};
  const XmlDocument document = sample::ReadXml(JunitReport(one));
  std::multiset<std::string> failures;
  for (const XmlElement& failure : document.Named("failure")) {
    failures.insert(failure.attributes.at("type"));
  }
  // Of three inconclusive cases one is bounded; the regression of a metric that is not gated
  // passes.
  EXPECT_EQ(failures,
            (std::multiset<std::string>{"regression", "missing", "inconclusive", "inconclusive"}));
  EXPECT_EQ(document.Named("error").size(), 1U);
}

TEST(JunitReport, AnEmptySuiteFails) {
  const std::vector<ReportedSuite> one = {{.title = "s", .verdict = sample::empty_verdict()}};
  const XmlDocument document = sample::ReadXml(JunitReport(one));
  ASSERT_EQ(document.Named("error").size(), 1U);
  EXPECT_THAT(document.Named("error")[0].text, HasSubstr("exit 13"));
  EXPECT_EQ(sample::ReadXml(JunitReport({})).Named("testsuites").size(), 1U);
}

TEST(JunitReport, IsWellFormedWhateverNamesHold) {
  sample::Random random(5);
  for (int i = 0; i < 200; ++i) {
    const std::vector<ReportedSuite> one = {
        {.title = sample::random_text(random), .verdict = sample::random_verdict(random)}};
    ASSERT_EQ(sample::ReadXml(JunitReport(one)).problem, "");
  }
}

}  // namespace
}  // namespace perfgate::report
