// SPDX-License-Identifier: Apache-2.0
// `perfgate gate --count`: what is counted beside the time, and what cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/measure/counters/event_counters.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_command::Finished;
using testing_command::TemporaryFolder;
using testing_command::write_text;

class Counts : public testing::Test {
 protected:
  Finished Gate(const std::string& candidate, const std::string& count,
                const std::string& rules = "") {
    write_text(folder_ / "policy.json",
               R"({"format":"perfgate-policy","version":1,"tolerance":0.2,)"
               R"("cases":[)" +
                   rules + "]}");
    return testing_command::run_program(
        PERFGATE_EXE,
        {"gate", "--baseline", COUNTED_EXE, "--candidate", candidate, "--rounds", "10", "--slice",
         "1ms", "--hot-code", "off", "--policy", folder_ / "policy.json", "--count", count,
         "--json", folder_ / "verdict.json", "--session", folder_ / "session.json"});
  }

  // The column of a metric; a default one where there is none.
  ColumnVerdict ColumnOf(const std::string& metric) const {
    for (const ColumnVerdict& column : read_verdict(folder_ / "verdict.json").columns) {
      if (column.metric.name == metric) return column;
    }
    return {};
  }

  TemporaryFolder folder_;
};

TEST_F(Counts, MoreMemoryIsShownAndNamedWhereARuleSaysSo) {
  const Finished shown = Gate(COUNTED_MEMORY_EXE, "peak_rss");
  EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_FALSE(ColumnOf("peak_rss").gated);
  const double mib = 1 << 20;
  EXPECT_NEAR(ColumnOf("peak_rss").effect.estimate, 40 * mib, 8 * mib);
  const Finished named =
      Gate(COUNTED_MEMORY_EXE, "peak_rss",
           R"({"match":"*","metric":"peak_rss","gate":true,"tolerance":8388608})");
  EXPECT_EQ(named.exit_code, static_cast<int>(Exit::kRegression)) << named.out << named.err;
  EXPECT_EQ(ColumnOf("peak_rss").verdict, Verdict::kRegression);
  EXPECT_NE(ColumnOf("real_time").verdict, Verdict::kRegression);
}

TEST_F(Counts, AllocationsOfTheBenchmarksOwnManagerAreCompared) {
  const Finished gate = Gate(COUNTED_ALLOCS_EXE, "allocs_per_iter,max_bytes_used",
                             R"({"match":"*","metric":"allocs_per_iter","gate":true})");
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kRegression)) << gate.out << gate.err;
  EXPECT_EQ(ColumnOf("allocs_per_iter").verdict, Verdict::kRegression);
  EXPECT_EQ(ColumnOf("allocs_per_iter").effect.estimate, 1);
  EXPECT_FALSE(ColumnOf("max_bytes_used").gated);
}

// A machine without counters says so, and nothing else changes.
TEST_F(Counts, EventsAreCountedOrTheReportSaysWhyNot) {
  const std::vector<std::string> names = {"instructions", "cycles"};
  const bool refused = !measure::RefusedEvents(names).empty();
  const Finished gate = Gate(COUNTED_MEMORY_EXE, "instructions,cycles",
                             R"({"match":"*","metric":"instructions","tolerance":10})");
  EXPECT_EQ(gate.exit_code, 0) << gate.out << gate.err;
  if (refused) {
    EXPECT_THAT(gate.out, HasSubstr("not counted: instructions, cycles: perf_event_open: "));
    EXPECT_EQ(ColumnOf("instructions").case_name, "");
  } else {
    EXPECT_THAT(gate.out, Not(HasSubstr("not counted")));
    EXPECT_NE(ColumnOf("instructions").case_name, "");
  }
  EXPECT_EQ(read_session(folder_ / "session.json").policy.count, names);
}

TEST_F(Counts, OnlyWhatCanBeCountedIsTaken) {
  const Finished gate = Gate(COUNTED_EXE, "flops");
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kUsage));
  EXPECT_THAT(gate.err, HasSubstr("instructions, cycles, branch_misses"));
}

}  // namespace
}  // namespace perfgate
