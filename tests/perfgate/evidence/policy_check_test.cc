// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/policy_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "perfgate/base/error.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate {
namespace {

using testing::HasSubstr;

void expect_policy_refused(const std::string& pointer, const std::function<void(Policy&)>& spoil) {
  Policy policy = sample::full_policy();
  spoil(policy);
  try {
    validate(policy);
    ADD_FAILURE() << pointer << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    EXPECT_THAT(error.what(), HasSubstr(pointer + ":"));
  }
}

TEST(ValidatePolicy, AcceptsDefaultsAndGoodOnes) {
  validate(Policy{});
  validate(sample::full_policy());
  sample::Random random(2);
  for (int i = 0; i < 200; ++i) validate(sample::random_policy(random));
}

TEST(ValidatePolicy, RefusesNumbersOutOfRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {-0.001, 10.5, nan, inf}) {
    expect_policy_refused("/tolerance", [&](Policy& p) { p.tolerance = bad; });
    expect_policy_refused("/hide_limit", [&](Policy& p) { p.hide_limit = bad; });
  }
  for (const double bad : {0.0, -0.1, 0.51, nan}) {
    expect_policy_refused("/alpha", [&](Policy& p) { p.alpha = bad; });
  }
  for (const double bad : {-1.0, 1e9, nan, inf}) {
    expect_policy_refused("/budget_s", [&](Policy& p) { p.budget_s = bad; });
    expect_policy_refused("/slice_s", [&](Policy& p) { p.slice_s = bad; });
  }
  expect_policy_refused("/slice_s", [](Policy& p) { p.slice_s = 0; });
  expect_policy_refused("/pairs", [](Policy& p) { p.pairs = 0; });
  expect_policy_refused("/warmup_slices", [](Policy& p) { p.warmup_slices = -1; });
  expect_policy_refused("/rounds", [](Policy& p) { p.rounds = -1; });
  expect_policy_refused("/cases/0/tolerance", [&](Policy& p) { p.cases[0].tolerance = -1; });
  expect_policy_refused("/cases/0/tolerance", [&](Policy& p) { p.cases[0].tolerance = nan; });
}

TEST(ValidatePolicy, RefusesEmptyAndRepeatedNames) {
  expect_policy_refused("/cases/0/match", [](Policy& p) { p.cases[0].match = ""; });
  expect_policy_refused("/expected", [](Policy& p) { p.expected = {""}; });
  expect_policy_refused("/cases/0/metric", [](Policy& p) { p.cases[0].metric = ""; });
  expect_policy_refused("/expected", [](Policy& p) { p.expected = {"a", "b", "a"}; });
  expect_policy_refused("/metrics", [](Policy& p) { p.metrics = {Metric{}, Metric{}}; });
}

TEST(ValidatePolicy, RefusesBadRegularExpressions) {
  Policy policy;
  policy.filter = "a(";
  try {
    validate(policy);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/filter: \"a(\""));
  }
}

}  // namespace
}  // namespace perfgate
