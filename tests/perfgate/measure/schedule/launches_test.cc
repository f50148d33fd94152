// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace perfgate::measure {
namespace {

using testing::ElementsAre;

std::vector<CaseInfo> cases_called(const std::vector<std::string>& names) {
  std::vector<CaseInfo> cases;
  for (const std::string& name : names) {
    cases.emplace_back();
    cases.back().name = name;
  }
  return cases;
}

const std::vector<std::size_t> kOrder = {3, 0, 2, 1};

TEST(Launches, AllCasesShareOneWithoutAPlan) {
  const std::vector<CaseInfo> cases = cases_called({"a/x", "b/x", "a/y", "b/y"});
  EXPECT_THAT(cases_by_launch({}, cases, kOrder), ElementsAre(ElementsAre(3, 0, 2, 1)));
  EXPECT_THAT(cases_by_launch({}, cases, {}), ElementsAre());
}

TEST(Launches, KeepTheOrderOfTheirCases) {
  MeasurePlan plan;
  plan.launch_of = [](const std::string& name) { return name.substr(2); };
  const std::vector<CaseInfo> cases = cases_called({"a/x", "b/x", "a/y", "b/y"});
  EXPECT_THAT(cases_by_launch(plan, cases, kOrder),
              ElementsAre(ElementsAre(3, 2), ElementsAre(0, 1)));
  // Cases that are left out of the order have no launch.
  const std::vector<std::size_t> closed = {1};
  EXPECT_THAT(cases_by_launch(plan, cases, closed), ElementsAre(ElementsAre(1)));
}

}  // namespace
}  // namespace perfgate::measure
