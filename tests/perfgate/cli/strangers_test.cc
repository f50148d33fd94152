// SPDX-License-Identifier: Apache-2.0
// A stranger's candidate, which is one that is isolated, on the command line: what passes in the
// open and does not pass for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/verdict/gate/conclusion_check.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_command::code;
using testing_command::Command;
using testing_command::Finished;
using testing_command::TemporaryFolder;
using testing_command::unwrapped;

class StrangersTest : public testing::Test {
 protected:
  Finished Perfgate(const std::string& arguments) const {
    Command command;
    command.arguments = {"/bin/sh", "-c",
                         "cd '" + folder_.path() + "' && '" + PERFGATE_EXE + "' " + arguments};
    return run_command(command);
  }

  void Expect(const Finished& finished, Exit exit, const std::string& part) const {
    EXPECT_EQ(finished.exit_code, code(exit)) << finished.out << finished.err;
    EXPECT_THAT(unwrapped(finished.out + finished.err), HasSubstr(part));
  }

  TemporaryFolder folder_;
};

// Of recorded sessions nobody knows the wall time: the candidate's own clock would decide.
TEST_F(StrangersTest, NeverPassOnTheNumbersOfAStore) {
  Expect(
      Perfgate(std::string("baseline record '") + QUICK_EXE +
               "' --suite quick --rounds 2 --slice 1ms --pairs 1 --gap 0s --sessions 7 --commit " +
               std::string(40, 'a')),
      Exit::kPass, "recorded");
  const auto gate = [&](const char* candidate, const std::string& more) {
    return Perfgate(std::string("gate --baseline baselines --numbers --candidate '") + candidate +
                    "' --rounds 10 --slice 1ms --pairs 1 --session-gap 0s --json v.json " + more);
  };
  const auto verdict = [&] { return read_verdict(folder_ / "v.json"); };
  const std::string sentence(kNumbersPassNoStranger);

  Expect(gate(QUICK_EXE, ""), Exit::kPass, "2 no_regression");
  EXPECT_THAT(verdict().warnings, Not(Contains(StartsWith(sentence))));
  Expect(gate(QUICK_EXE, "--isolate"), Exit::kInconclusive, sentence);
  EXPECT_EQ(verdict().exit, Exit::kInconclusive);
  EXPECT_THAT(verdict().warnings, Contains(StartsWith(sentence)));
  Expect(Perfgate("report v.json"), Exit::kPass, sentence);  // it is what the gate concluded

  // What does not pass stays what it is.
  Expect(gate(SLOWER_EXE, "--isolate"), Exit::kSuspected, "2 suspected");
  EXPECT_THAT(verdict().warnings, Not(Contains(StartsWith(sentence))));
  Expect(gate(SLOWER_EXE, "--isolate --suspected warn"), Exit::kInconclusive, sentence);
}

TEST_F(StrangersTest, KeepEveryPromiseOfTheBaseline) {
  const auto gate = [&](const char* candidate, const std::string& more) {
    return Perfgate(std::string("gate --baseline '") + PROMISE_KEPT_EXE + "' --candidate '" +
                    candidate + "' --rounds 6 --slice 1ms --pairs 1 --second-clock off " + more);
  };
  Expect(gate(PROMISE_DROPPED_EXE, ""), Exit::kPass, "1 no_regression");
  Expect(gate(PROMISE_DROPPED_EXE, "--isolate"), Exit::kNotComparable,
         "promises no result, and the first arm promises steps");
  Expect(gate(PROMISE_OTHER_EXE, "--isolate"), Exit::kNotComparable,
         "promises the result halves, and the first arm promises steps");
  Expect(gate(PROMISE_COPY_EXE, "--isolate"), Exit::kPass, "1 no_regression");
}

}  // namespace
}  // namespace perfgate
