// SPDX-License-Identifier: Apache-2.0
// A stock benchmark whose own clock lies, under a gate that has one too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/evidence/files/files.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class GateBySecondClock : public testing::Test {
 protected:
  Finished Gate(const std::string& candidate, const std::vector<std::string>& options = {}) const {
    Command command;
    command.arguments = {PERFGATE_EXE, "gate",     "--baseline", CLOCK_BASE_EXE, "--candidate",
                         candidate,    "--rounds", "14",         "--pairs",      "2",
                         "--slice",    "10ms",     "--session",  session_file_};
    command.arguments.insert(command.arguments.end(), options.begin(), options.end());
    return run_command(command);
  }

  TemporaryFolder folder_;
  std::string session_file_ = folder_ / "s.json";
};

// It is 30 % slower and says that it is 9 % faster.
TEST_F(GateBySecondClock, ACandidateThatSlowsItsClockIsInvalid) {
  // Where other programs load the machine, one gate of 14 rounds may not prove it.
  Finished judged = Gate(CLOCK_SCALED_EXE);
  for (int again = 0; again < 4 && judged.exit_code != static_cast<int>(Exit::kInvalid); ++again) {
    judged = Gate(CLOCK_SCALED_EXE);
  }
  EXPECT_EQ(judged.exit_code, static_cast<int>(Exit::kInvalid)) << judged.out << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("second_clock"));
  const Session session = read_session(session_file_);
  ASSERT_FALSE(session.rounds.empty());
  EXPECT_THAT(session.rounds[0].cases.at(0).slice_wall_s, SizeIs(2));

  const Finished believed = Gate(CLOCK_SCALED_EXE, {"--second-clock", "off"});
  EXPECT_EQ(believed.exit_code, 0) << believed.out << believed.err;

  const Finished reported = Gate(CLOCK_SCALED_EXE, {"--second-clock", "report"});
  EXPECT_EQ(reported.exit_code, 0) << reported.out << reported.err;
  EXPECT_THAT(reported.out + reported.err, HasSubstr("second_clock"));
}

TEST_F(GateBySecondClock, AnHonestSlowdownIsARegression) {
  const Finished finished = Gate(CLOCK_SLOWER_EXE);
  EXPECT_EQ(finished.exit_code, static_cast<int>(Exit::kRegression))
      << finished.out << finished.err;
  EXPECT_THAT(finished.out, Not(HasSubstr("second_clock")));
}

}  // namespace
}  // namespace perfgate
