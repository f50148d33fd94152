// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/recorded/qualification.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/perfgate/verdict/recorded/recorded_machines.h"

namespace perfgate {
namespace {

using synthetic::Machines;

TEST(Qualification, TakesFortyFiveCleanWindows) {
  Machines machines{.random = std::mt19937_64(13), .cases = 2};
  const Qualification few = qualify(machines.sessions(3 * 44), {});
  EXPECT_EQ(few.windows, 44);
  EXPECT_EQ(few.alarms, 0);
  EXPECT_FALSE(few.qualified) << few.text;
  const Qualification enough = qualify(machines.sessions(3 * 45), {});
  EXPECT_EQ(enough.windows, 45);
  EXPECT_TRUE(enough.qualified) << enough.text;
  EXPECT_NEAR(enough.rate_upper, 1 - std::pow(0.1, 1.0 / 45), 1e-9);
  EXPECT_FALSE(qualify({}, {}).qualified);
  // Windows that cannot be judged are no clean ones.
  std::vector<RecordedSession> uneven = machines.sessions(3 * 50);
  for (std::size_t i = 0; i < uneven.size(); i += 3) uneven[i].cases.pop_back();
  EXPECT_FALSE(qualify(uneven, {}).qualified);
}

// A machine that changes speed for a few sessions and back, where no reference tells: the alarms
// are counted and the class is refused.
TEST(Qualification, AMachineThatJumpsIsRefused) {
  Machines machines{.random = std::mt19937_64(14), .cases = 2};
  std::vector<RecordedSession> sessions = machines.sessions(150);
  for (std::size_t i = 60; i < 63; ++i) {
    for (RecordedCase& info : sessions[i].cases) {
      for (double& value : info.values[0]) value *= 1.3;
    }
  }
  for (RecordedSession& session : sessions) {
    session.reference_names.clear();
    session.reference.clear();
  }
  const Qualification result = qualify(sessions, {});
  EXPECT_EQ(result.windows, 50);
  EXPECT_GE(result.alarms, 1);
  EXPECT_FALSE(result.qualified) << result.text;
}

}  // namespace
}  // namespace perfgate
