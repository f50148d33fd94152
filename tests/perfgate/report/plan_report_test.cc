// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/plan_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/planning/suite_plan.h"
#include "tests/perfgate/evidence/sample_evidence.h"
#include "tests/perfgate/report/calibration_samples.h"
#include "tests/perfgate/report/golden_report.h"

namespace perfgate::report {
namespace {

using testing::HasSubstr;
using testing::Not;

SuitePlan sample_plan() {
  PlanRequest request;
  const Calibration calibration = sample::calibration_of_four();
  request.policy = calibration.policy;
  request.tool = calibration.tool;
  request.gates = 200;
  return plan_suite(calibration, request);
}

TEST(PlanReport, LooksAsAgreed) {
  const SuitePlan plan = sample_plan();
  expect_golden("plan.txt", plan_console_report(plan));
  expect_golden("plan.md", plan_markdown_report(plan));
  expect_fits(plan_console_report(plan));
  SuitePlan resolved = plan;
  std::erase_if(resolved.columns, [](const PlannedColumn& column) { return !column.resolved; });
  resolved.rules.clear();
  resolved.exit = Exit::kPass;
  expect_golden("plan_resolved.txt", plan_console_report(resolved));
}

TEST(PlanReport, ItsSnippetIsReadByPolicyFiles) {
  SuitePlan plan = sample_plan();
  plan.rules.push_back({.match = "a\"b\\c\xC3\xA9*", .metric = {}, .tolerance = 0.075, .gate = {}});
  plan.rules.push_back({.match = "watched", .metric = {}, .tolerance = {}, .gate = false});
  PlannedColumn counter;
  counter.case_name = "counted";
  counter.metric = {.name = "allocs", .unit = "1", .kind = Kind::kCount};
  plan.columns.push_back(counter);
  plan.rules.push_back({.match = "counted", .metric = "allocs", .tolerance = 12, .gate = {}});
  const std::string text =
      R"({"format":"perfgate-policy","version":1,)" + policy_snippet(plan) + "}";
  const Policy policy = policy_from_json(text, "snippet");
  ASSERT_EQ(policy.cases.size(), plan.rules.size());
  for (std::size_t i = 0; i < plan.rules.size(); ++i) {
    EXPECT_EQ(policy.cases[i].match, plan.rules[i].match);
    EXPECT_EQ(policy.cases[i].metric, plan.rules[i].metric);
    EXPECT_EQ(policy.cases[i].gate, plan.rules[i].gate);
    ASSERT_EQ(policy.cases[i].tolerance.has_value(), plan.rules[i].tolerance.has_value());
    if (plan.rules[i].tolerance) {
      EXPECT_NEAR(*policy.cases[i].tolerance, *plan.rules[i].tolerance, 1e-12);
    }
  }
  EXPECT_EQ(policy_snippet(SuitePlan{}), "");
}

TEST(PlanReport, ColoursOnlyWhenAsked) {
  EXPECT_THAT(plan_console_report(sample_plan()), Not(HasSubstr("\x1b")));
  EXPECT_THAT(plan_console_report(sample_plan(), {.color = true}), HasSubstr("\x1b[33m"));
}

TEST(PlanReport, NothingDecidedIsSaid) {
  SuitePlan plan = sample_plan();
  plan.gates = 0;
  plan.looks.clear();
  plan.look_alpha.clear();
  EXPECT_THAT(plan_console_report(plan), HasSubstr("reaches no look"));
}

TEST(PlanReport, RandomPlansFit) {
  sample::Random random(32);
  for (int i = 0; i < 50; ++i) {
    SuitePlan plan = sample::random_plan(random);
    plan.rules.clear();  // printed whole, to be pasted
    expect_fits(plan_console_report(plan));
    EXPECT_THAT(plan_console_report(plan), Not(HasSubstr("\x1b")));
  }
}

}  // namespace
}  // namespace perfgate::report
