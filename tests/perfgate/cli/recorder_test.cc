// SPDX-License-Identifier: Apache-2.0
// `perfgate gate` on executables that record single calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_command::Finished;
using testing_command::TemporaryFolder;

class Recorder : public testing::Test {
 protected:
  Finished Gate(const std::string& candidate, const std::string& slice) {
    return testing_command::run_program(
        PERFGATE_EXE,
        {"gate", "--baseline", RECORDER_EXE, "--candidate", candidate, "--rounds", "16", "--slice",
         slice, "--pairs", "4", "--tolerance", "10%", "--hot-code", "off", "--json",
         folder_ / "verdict.json", "--session", folder_ / "session.json"});
  }

  ColumnVerdict ColumnOf(const std::string& case_name, const std::string& metric) const {
    for (const ColumnVerdict& column : read_verdict(folder_ / "verdict.json").columns) {
      if (column.case_name == case_name && column.metric.name == metric) return column;
    }
    return {};
  }

  TemporaryFolder folder_;
};

// 100 us an iteration: 60 ms are 600 calls a slice and 2,400 a round.
TEST_F(Recorder, SlowCallsAreFoundAlthoughTheMedianAndTheTimeStay) {
  const Finished gate = Gate(RECORDER_SLOW_EXE, "60ms");
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kRegression)) << gate.out << gate.err;
  EXPECT_EQ(ColumnOf("serve/manual_time", "request_p99").verdict, Verdict::kRegression) << gate.out;
  EXPECT_EQ(ColumnOf("serve/manual_time", "request_tail_mean").verdict, Verdict::kRegression);
  EXPECT_EQ(ColumnOf("serve/manual_time", "request_p50").verdict, Verdict::kNoRegression);
  EXPECT_EQ(ColumnOf("serve/manual_time", "real_time").verdict, Verdict::kNoRegression);
  EXPECT_EQ(ColumnOf("idle/manual_time", "request_p99").case_name, "") << "it recorded nothing";
}

TEST_F(Recorder, PercentilesOfFewCallsAreShown) {
  const Finished gate = Gate(RECORDER_SLOW_EXE, "10ms");
  const ColumnVerdict p99 = ColumnOf("serve/manual_time", "request_p99");
  EXPECT_FALSE(p99.gated);
  EXPECT_THAT(p99.reason, HasSubstr("few_samples: p99 of 400 calls a round"));
  EXPECT_TRUE(ColumnOf("serve/manual_time", "request_p95").gated);
}

TEST_F(Recorder, ARoundPoolsTheCallsOfItsSlices) {
  Gate(RECORDER_SLOW_EXE, "60ms");
  const Session session = read_session(folder_ / "session.json");
  std::size_t rounds = 0;
  for (std::size_t m = 0; m < session.metrics.size(); ++m) {
    if (session.metrics[m].name != "request:samples") continue;
    for (const RoundInfo& round : session.rounds) {
      for (const CaseRound& measured : round.cases) {
        if (session.cases[measured.case_index].name != "serve/manual_time") continue;
        ++rounds;
        const auto of_a_slice = static_cast<double>(session.cases[measured.case_index].iterations);
        for (const std::vector<double>& arm : measured.values[m]) {
          EXPECT_EQ(arm.front(), 4 * of_a_slice);
        }
      }
    }
  }
  EXPECT_GE(rounds, 6U);
}

TEST_F(Recorder, ARunByHandReportsCounters) {
  const Finished run = testing_command::run_program(
      RECORDER_SLOW_EXE, {"--benchmark_filter=serve", "--benchmark_min_time=0.01"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("request_p50="), HasSubstr("request_tail_mean="),
                             Not(HasSubstr("samples"))));
}

}  // namespace
}  // namespace perfgate
