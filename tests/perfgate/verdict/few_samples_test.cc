// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/few_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/evidence/metrics/distribution.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "tests/perfgate/verdict/synthetic_session.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// A case whose p95 is a quarter slower in the candidate; calls a round of either arm.
Session WithCalls(double baseline, double candidate) {
  const Metric latency{"latency", "s", Direction::kLower, Kind::kTime};
  Session session = synthetic::empty_session(
      {"a"}, {Metric{}, SummaryMetric(latency, "p95"), SamplesMetric(latency.name)}, 40);
  for (int r = 0; r < 40; ++r) {
    synthetic::add_round(session);
    const double noise = 1 + 1e-4 * (r % 7);
    synthetic::add_case(session, 0,
                        {{{noise}, {1}}, {{1}, {1.25 * noise}}, {{baseline}, {candidate}}});
  }
  return session;
}

TEST(FewSamples, TheArmWithTheFewestCallsCounts) {
  EXPECT_THAT(FewSamples(WithCalls(400, 400), 0, 1), IsEmpty());
  EXPECT_THAT(FewSamples(WithCalls(400, 399), 0, 1), HasSubstr("p95 of 399 calls a round"));
  EXPECT_THAT(FewSamples(WithCalls(30, 5000), 0, 1), HasSubstr("gated from 400 on"));
  EXPECT_THAT(FewSamples(WithCalls(30, 30), 0, 0), IsEmpty()) << "of the time itself";
}

TEST(FewSamples, APercentileOfFewCallsDoesNotDecide) {
  const SuiteVerdict enough = decide(WithCalls(400, 400));
  EXPECT_EQ(synthetic::find_column(enough, "a", "latency_p95").verdict, Verdict::kRegression);
  EXPECT_EQ(enough.exit, Exit::kRegression);
  const SuiteVerdict few = decide(WithCalls(400, 399));
  EXPECT_FALSE(synthetic::find_column(few, "a", "latency_p95").gated);
  EXPECT_THAT(synthetic::find_column(few, "a", "latency_p95").reason, HasSubstr("few_samples"));
  EXPECT_EQ(few.exit, Exit::kPass);
}

// A counter may be called anything: without the number of calls it is no percentile of calls.
TEST(FewSamples, OtherCountersOfSuchNamesAreGatedAsEver) {
  Session session = WithCalls(10, 10);
  session.metrics[2].name = "something";
  EXPECT_THAT(FewSamples(session, 0, 1), IsEmpty());
  EXPECT_EQ(decide(session).exit, Exit::kRegression);
}

}  // namespace
}  // namespace perfgate
