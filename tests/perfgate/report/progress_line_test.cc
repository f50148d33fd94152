// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/progress_line.h"

#include <gtest/gtest.h>

#include <limits>

namespace perfgate::report {
namespace {

const ProgressState kState{
    .rounds_done = 7, .looks = {6, 10, 40}, .open = 3, .passed = 12, .failed = 1, .left_s = 42.6};

TEST(ProgressLine, SaysWhereItStands) {
  EXPECT_EQ(progress_line(kState),
            "round 7/40, 3 open, 1 failed, 12 passed, 43 s left, next look at 10");
  EXPECT_EQ(progress_line({}), "round 0, 0 open, 0 passed");
}

TEST(ProgressLine, LeavesOutWhatIsNotKnown) {
  ProgressState state = kState;
  state.failed = 0;
  state.left_s = std::numeric_limits<double>::infinity();
  state.rounds_done = 40;
  EXPECT_EQ(progress_line(state), "round 40/40, 3 open, 12 passed");
  state.left_s = 1200;
  EXPECT_EQ(progress_line(state), "round 40/40, 3 open, 12 passed, 20 min left");
}

TEST(ProgressLine, FitsAnyWidth) {
  const std::string whole = progress_line(kState, 1000);
  for (std::size_t width = 0; width < 100; ++width) {
    const std::string line = progress_line(kState, width);
    EXPECT_LE(line.size(), width);
    EXPECT_TRUE(whole.starts_with(line));
  }
  EXPECT_EQ(progress_line(kState, whole.size()), whole);
}

}  // namespace
}  // namespace perfgate::report
