// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/perfgate/measure/fixtures/two_arms.h"

namespace perfgate::measure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two rounds of the two arms, which are the same executable.
Session inspected(const std::string& filter, int rounds = 2) {
  MeasurePlan plan;
  plan.policy.filter = filter;
  return measured_twice(GPU_LIKE, std::move(plan), rounds);
}

TEST(Inspect, CheckedKernelsAreNoNews) {
  const Session session = inspected("Checked");
  EXPECT_THAT(session.faults, IsEmpty());
  EXPECT_EQ(session.grade, "paired");
  EXPECT_EQ(session.rounds.size(), 2U);
  // The conditions are in the session.
  const auto cycles = std::find_if(session.metrics.begin(), session.metrics.end(),
                                   [](const Metric& m) { return m.name == "gpu_cycles"; });
  ASSERT_NE(cycles, session.metrics.end());
  const auto m = static_cast<std::size_t>(cycles - session.metrics.begin());
  EXPECT_THAT(session.rounds[0].cases[0].values[m][1], ElementsAre(1e5, 1e5));
}

TEST(Inspect, OtherKernelsAreInvalidInEitherArmAndTheRestGoesOn) {
  const Session session = inspected("OtherKernel|^Checked");
  ASSERT_EQ(session.faults.size(), 1U) << "the case is closed by the first";
  EXPECT_EQ(session.faults[0].kind, FaultKind::kInvalid);
  EXPECT_EQ(session.faults[0].round, -1);
  EXPECT_THAT(session.faults[0].detail, HasSubstr("kernels differ from those declared"));
  ASSERT_EQ(session.rounds.size(), 2U);
  EXPECT_EQ(session.rounds[0].cases.size(), 1U);
}

TEST(Inspect, UncheckedKernelsAreSaid) {
  const Session session = inspected("Unchecked");
  EXPECT_THAT(session.faults, IsEmpty());
  EXPECT_THAT(session.warnings,
              testing::Contains("baseline: kernel names of 1 case(s) not checked: no CUPTI"));
}

TEST(Inspect, AnArmThatDiesUnderTheProfilerIsStillMeasured) {
  const Session session = inspected("DiesUnderTheProfiler");
  EXPECT_THAT(session.faults, IsEmpty());
  EXPECT_THAT(session.warnings, testing::Contains(HasSubstr("kernel names not checked: exited")));
  EXPECT_EQ(session.rounds.size(), 2U);
}

TEST(Inspect, CasesOfTheHostAreLeftAlone) {
  const Session session = inspected("OnTheHost|^Checked");
  EXPECT_THAT(session.faults, IsEmpty());
  EXPECT_EQ(session.rounds[0].cases.size(), 2U);
}

TEST(Inspect, ArmsThatDoNotFitTakeTurns) {
  const Session session = inspected("Large");  // twice 700 MiB on a device with 1000 free
  EXPECT_EQ(session.grade, "paired_serial");
  EXPECT_THAT(session.warnings, testing::Contains(HasSubstr("1400 MiB of device memory together")));
  EXPECT_THAT(session.faults, IsEmpty());
  ASSERT_EQ(session.rounds.size(), 2U);
  EXPECT_EQ(session.rounds[1].cases.size(), 1U);
}

}  // namespace
}  // namespace perfgate::measure
