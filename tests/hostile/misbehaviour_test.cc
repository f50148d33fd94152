// SPDX-License-Identifier: Apache-2.0
// Executables that misbehave in one case: the arm decides the blame, the rest keeps its verdicts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/hostile/hostile_gate.h"

namespace perfgate::hostile {
namespace {

using testing::HasSubstr;

struct Row {
  const char* behaviour;
  Flavour flavour;
  Exit in_baseline;
  Exit in_candidate;
  const char* reason;  // of the case's verdict
  bool slow = false;   // meets a limit of 10 s
  bool alone = true;   // nothing of it falls on other cases
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.behaviour << " " << flavour_name(row.flavour);
}

constexpr Exit kNc = Exit::kNotComparable;
constexpr Flavour kWorker = Flavour::kWorker;
constexpr Flavour kStock = Flavour::kStock;

constexpr Row kRows[] = {
    {"segv", kWorker, kNc, Exit::kFailed, "crashed"},
    {"abort", kWorker, kNc, Exit::kFailed, "crashed"},
    {"throw", kWorker, kNc, Exit::kFailed, "crashed"},
    {"exit3", kWorker, kNc, Exit::kFailed, "crashed"},
    {"exit0", kWorker, kNc, Exit::kFailed, "exited_early"},
    {"skip_error", kWorker, kNc, Exit::kFailed, "no \"such\" luck"},
    {"garbage_socket", kWorker, kNc, Exit::kFailed, "protocol_error"},
    {"wrong_reply", kWorker, kNc, Exit::kFailed, "protocol_error"},
    {"huge_line", kWorker, kNc, Exit::kFailed, "protocol_error"},
    {"close_socket", kWorker, kNc, Exit::kFailed, ""},
    {"nan", kWorker, Exit::kInvalid, Exit::kInvalid, "bad_value"},
    {"infinite", kWorker, Exit::kInvalid, Exit::kInvalid, "bad_value"},
    {"zero", kWorker, Exit::kInvalid, Exit::kInvalid, "bad_value"},
    {"negative", kWorker, Exit::kInvalid, Exit::kInvalid, "bad_value"},
    {"fork", kWorker, Exit::kInvalid, Exit::kInvalid, "process_left_behind"},
    {"daemon", kWorker, Exit::kInvalid, Exit::kInvalid, "process_left_behind"},
    {"spin", kWorker, kNc, Exit::kFailed, "timeout", true},
    {"sleep", kWorker, kNc, Exit::kFailed, "timeout", true},
    {"ignore_term", kWorker, kNc, Exit::kFailed, "timeout", true},
    {"segv", kStock, kNc, Exit::kFailed, "crashed"},
    {"abort", kStock, kNc, Exit::kFailed, "crashed"},
    {"throw", kStock, kNc, Exit::kFailed, "crashed"},
    {"exit3", kStock, kNc, Exit::kFailed, "crashed"},
    {"exit0", kStock, kNc, Exit::kFailed, ""},
    {"skip_error", kStock, kNc, Exit::kFailed, "no \"such\" luck"},
    {"nan", kStock, Exit::kInvalid, Exit::kInvalid, "bad_value"},
    {"infinite", kStock, Exit::kInvalid, Exit::kInvalid, "bad_value"},
    {"zero", kStock, Exit::kInvalid, Exit::kInvalid, "bad_value"},
    {"negative", kStock, Exit::kInvalid, Exit::kInvalid, "bad_value"},
    // One process runs the whole suite, so nobody knows which case left it behind.
    {"fork", kStock, Exit::kInvalid, Exit::kInvalid, "process_left_behind", false, false},
    {"daemon", kStock, Exit::kInvalid, Exit::kInvalid, "process_left_behind", false, false},
    {"ignore_term", kStock, kNc, Exit::kFailed, "timeout", true},
};

class Misbehaviour : public testing::TestWithParam<Row> {
 protected:
  void expect(const Workbench::Result& result, Exit exit) const {
    EXPECT_EQ(result.process.exit_code, static_cast<int>(exit))
        << result.process.out << result.process.err;
    ASSERT_TRUE(result.verdict);
    if (GetParam().alone) expect_good_cases_passed(*result.verdict);
    if (const ColumnVerdict* column = find_case(*result.verdict, "bad")) {
      EXPECT_EQ(static_cast<int>(suite_of(*column)), static_cast<int>(exit)) << column->reason;
      EXPECT_THAT(column->reason, HasSubstr(GetParam().reason));
    }
    EXPECT_TRUE(result.verdict->complete);
  }

 private:
  static Exit suite_of(const ColumnVerdict& column) {
    switch (column.verdict) {
      case Verdict::kFailed:
        return Exit::kFailed;
      case Verdict::kNotComparable:
        return Exit::kNotComparable;
      case Verdict::kInvalid:
        return Exit::kInvalid;
      default:
        return Exit::kPass;
    }
  }
};

TEST_P(Misbehaviour, InTheCandidate) {
  const Row& row = GetParam();
  Workbench bench;
  expect(bench.gate(bench.executable(row.flavour, "none"),
                    bench.executable(row.flavour, row.behaviour)),
         row.in_candidate);
}

TEST_P(Misbehaviour, InTheBaseline) {
  const Row& row = GetParam();
  Workbench bench;
  expect(bench.gate(bench.executable(row.flavour, row.behaviour),
                    bench.executable(row.flavour, "none")),
         row.in_baseline);
}

std::vector<Row> rows(Flavour flavour, bool slow) {
  std::vector<Row> result;
  for (const Row& row : kRows) {
    if (row.flavour == flavour && row.slow == slow) result.push_back(row);
  }
  return result;
}

std::string name_of(const testing::TestParamInfo<Row>& info) { return info.param.behaviour; }

INSTANTIATE_TEST_SUITE_P(Worker, Misbehaviour, testing::ValuesIn(rows(kWorker, false)), name_of);
INSTANTIATE_TEST_SUITE_P(Stock, Misbehaviour, testing::ValuesIn(rows(kStock, false)), name_of);
INSTANTIATE_TEST_SUITE_P(HungWorker, Misbehaviour, testing::ValuesIn(rows(kWorker, true)), name_of);
INSTANTIATE_TEST_SUITE_P(HungStock, Misbehaviour, testing::ValuesIn(rows(kStock, true)), name_of);

}  // namespace
}  // namespace perfgate::hostile
