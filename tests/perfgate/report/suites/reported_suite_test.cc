// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/suites/reported_suite.h"

#include <gtest/gtest.h>

namespace perfgate::report {
namespace {

SuiteVerdict VerdictOn(const std::string& suite, const std::string& session) {
  SuiteVerdict verdict;
  verdict.suite = suite;
  verdict.session_id = session;
  return verdict;
}

Session SessionNamed(const std::string& suite, const std::string& id) {
  Session session;
  session.suite = suite;
  session.id = id;
  return session;
}

TEST(SuitesOf, SessionsGoToTheirVerdicts) {
  ReportFiles files;
  files.verdicts = {{"v1.json", VerdictOn("sort", "1")}, {"v2.json", VerdictOn("sort", "2")}};
  files.sessions = {{"s2.json", SessionNamed("sort", "2")}, {"s3.json", SessionNamed("", "3")}};
  const std::vector<ReportedSuite> suites = SuitesOf(files);
  ASSERT_EQ(suites.size(), 3U);
  EXPECT_EQ(suites[0].title, "sort");
  EXPECT_FALSE(suites[0].session.has_value());
  EXPECT_EQ(suites[1].title, "sort (2)");
  ASSERT_TRUE(suites[1].session.has_value());
  EXPECT_EQ(suites[1].session->id, "2");
  EXPECT_EQ(suites[2].title, "s3.json");
  EXPECT_FALSE(suites[2].verdict.has_value());
}

TEST(SuitesOf, CalibrationsGoToSuitesOfTheirName) {
  ReportFiles files;
  files.verdicts = {{"v.json", VerdictOn("sort", "1")}};
  Calibration fits;
  fits.suite = "sort";
  Calibration other;
  other.suite = "hash";
  files.calibrations = {{"c.json", fits}, {"d.json", other}};
  const std::vector<ReportedSuite> suites = SuitesOf(files);
  ASSERT_EQ(suites.size(), 2U);
  EXPECT_TRUE(suites[0].calibration.has_value());
  EXPECT_EQ(suites[1].title, "hash");
  EXPECT_TRUE(suites[1].calibration.has_value());
  EXPECT_TRUE(SuitesOf({}).empty());
}

}  // namespace
}  // namespace perfgate::report
