// SPDX-License-Identifier: Apache-2.0
#include "perfgate/audit/infer/relation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/audit/audit.h"
#include "perfgate/audit/infer/row_relation.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/base/error.h"

namespace perfgate::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Table table_of(const std::vector<std::string>& labels,
               const std::vector<std::vector<std::string>>& rows) {
  Table table;
  for (const std::string& label : labels) table.columns.push_back({label, label, Better::kUnknown});
  for (const auto& row : rows) {
    Row cells;
    for (const std::string& cell : row) cells.cells.push_back(parse_cell(cell));
    table.rows.push_back(std::move(cells));
  }
  finish_table(table);
  return table;
}

// One row, the result last; whether each printed result fits.
bool fits(Op op, const std::vector<std::string>& operands, const std::string& result) {
  std::vector<std::string> cells = operands;
  cells.push_back(result);
  const Table table = table_of(std::vector<std::string>(cells.size(), "c"), {cells});
  Relation relation{op, operands.size(), {}, 0};
  for (std::size_t i = 0; i < operands.size(); ++i) relation.args.push_back(i);
  return units_fit(table, relation, 0) && holds_at(table, relation, 0) == true;
}

TEST(Relation, KnowsRounding) {
  // 4.2 and 4.8 are printed: 12.5 % exactly, 10.53 % to 14.43 % within rounding.
  EXPECT_TRUE(fits(Op::kPercentSaved, {"4.2 ms", "4.8 ms"}, "11.8 %"));
  EXPECT_TRUE(fits(Op::kPercentSaved, {"4.2 ms", "4.8 ms"}, "14.4 %"));
  EXPECT_FALSE(fits(Op::kPercentSaved, {"4.2 ms", "4.8 ms"}, "14.6 %"));
  EXPECT_TRUE(fits(Op::kSum, {"1003.287 ms", "238.400 ms"}, "1241.688 ms"));
  EXPECT_FALSE(fits(Op::kSum, {"1003.287 ms", "238.400 ms"}, "1241.690 ms"));
  EXPECT_TRUE(fits(Op::kRatio, {"42.855 ms", "2.668 ms"}, "16.060x"));
  EXPECT_FALSE(fits(Op::kRatio, {"42.855 ms", "2.668 ms"}, "16.070x"));
  EXPECT_TRUE(fits(Op::kRatio, {"862 ms", "6 ms"}, "143.667x"));
  EXPECT_TRUE(fits(Op::kDifference, {"0.4097", "0.3750"}, "+0.0347"));
  EXPECT_FALSE(fits(Op::kDifference, {"0.4097", "0.3750"}, "-0.0347"));
  EXPECT_TRUE(fits(Op::kMean, {"1", "2", "6"}, "3.0"));
  EXPECT_TRUE(fits(Op::kPercentOf, {"3", "8"}, "37.5 %"));
  EXPECT_TRUE(fits(Op::kPercentChange, {"110.0", "100.0"}, "10.0 %"));
}

TEST(Relation, KnowsUnits) {
  EXPECT_TRUE(fits(Op::kSum, {"1.5 s", "250 ms"}, "1.75 s"));
  EXPECT_FALSE(fits(Op::kSum, {"1.5 s", "250 ms"}, "251.5 ms"));
  EXPECT_FALSE(fits(Op::kSum, {"1.5 s", "250"}, "251.5 s"));
  EXPECT_TRUE(fits(Op::kRatio, {"1200 tok", "1.5 s"}, "800 tok/s"));
  EXPECT_FALSE(fits(Op::kRatio, {"3 ms", "2 ms"}, "1.5 ms"));
}

TEST(Relation, HasNoAnswerWhereThereIsNone) {
  const Table table =
      table_of({"a", "b", "c"}, {{"1.0", "-", "2.0"}, {"1.0", "0.0", "inf"}, {"1", "0.0", "3"}});
  const Relation ratio{Op::kRatio, 2, {0, 1}, 0};
  EXPECT_FALSE(holds_at(table, ratio, 0).has_value());
  EXPECT_FALSE(holds_at(table, ratio, 1).has_value());
  EXPECT_FALSE(holds_at(table, ratio, 2).has_value());
}

TEST(Relation, CountsCanBeExact) {
  const Table table = table_of({"passed", "failed", "tests"}, {{"7", "2", "10"}});
  const Relation sum{Op::kSum, 2, {0, 1}, 0};
  EXPECT_EQ(holds_at(table, sum, 0, Integers::kRounded), true);
  EXPECT_EQ(holds_at(table, sum, 0, Integers::kExact), false);
}

TEST(RowRelation, TotalsLeaveOutWhatIsAbsent) {
  const Table table =
      table_of({"part", "a"}, {{"x", "1.5 ms"}, {"y", "-"}, {"z", "2.0 ms"}, {"Total", "3.5 ms"}});
  EXPECT_EQ(holds_at(table, RowRelation{RowOp::kSum, 3, {0, 1, 2}}, 1), true);
  EXPECT_FALSE(holds_at(table, RowRelation{RowOp::kMean, 3, {0, 1, 2}}, 1).has_value());
}

TEST(Words, SayWhatALabelNames) {
  EXPECT_TRUE(naming("custom/frontend").ratio);
  EXPECT_TRUE(naming("Speedup (Off/On)").ratio);
  EXPECT_THAT(naming("Speedup (Off/On)").content, ElementsAre("off", "on"));
  EXPECT_TRUE(naming("Delta (runtime-vLLM)").difference);
  EXPECT_TRUE(naming("Cold Total").sum);
  EXPECT_TRUE(naming("Overall (a+b)").whole);
  EXPECT_TRUE(naming("Share %").percent);
  EXPECT_FALSE(naming("tok/s").ratio);
  EXPECT_FALSE(naming("Request TTFT").ratio);
  EXPECT_EQ(singular("profiles"), singular("Profile"));
  EXPECT_EQ(singular("queries"), "query");
  EXPECT_EQ(counted("six"), 6);
  EXPECT_EQ(counted("12"), 12);
  EXPECT_EQ(counted("p95"), -1);
}

AuditResult audit_json(const std::string& text) {
  AuditInput input;
  read_audit_text("t.json", text, input);
  return audit(input);
}

constexpr const char* kColumns = R"("columns": [{"key": "k"}, {"key": "a"}, {"key": "b"}], )";

std::string table_json(const std::string& derived, const std::string& value) {
  return std::string(R"({"format": "perfgate-table/1", "id": "t", )") + kColumns +
         R"("rows": [{"k": "x", "a": {"text": "2.0 ms"}, "b": {"text": "4.0 ms", "value": )" +
         value + R"(, "decimals": 1, "unit": "ms"}}], "derived": [)" + derived + "]}";
}

TEST(Declared, OperationsAreChecked) {
  const auto sum = [](const char* op, const char* args) {
    return std::string(R"({"op": ")") + op + R"(", "out": "b", "args": )" + args + "}";
  };
  EXPECT_TRUE(audit_json(table_json(sum("sum", R"(["a", "a"])"), "4.0")).findings.empty());
  const AuditResult broken = audit_json(table_json(sum("sum", R"(["a"])"), "4.0"));
  ASSERT_EQ(broken.findings.size(), 1U);
  EXPECT_EQ(broken.findings[0].kind, Kind::kTotal);
  EXPECT_EQ(broken.findings[0].pointer, "/rows/0/b");
  EXPECT_EQ(broken.findings[0].recomputed, "1.95 to 2.05");
  // Text and value are two answers to one question.
  const AuditResult two = audit_json(table_json(sum("sum", R"(["a", "a"])"), "4.5"));
  ASSERT_EQ(two.findings.size(), 1U);
  EXPECT_EQ(two.findings[0].kind, Kind::kDataConflict);
}

TEST(Declared, RefusesWhatDoesNotExist) {
  const auto message = [](const std::string& derived) -> std::string {
    try {
      audit_json(table_json(derived, "4.0"));
    } catch (const Error& error) {
      EXPECT_EQ(error.exit(), Exit::kData);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message(R"({"op": "root", "out": "b", "args": ["a"]})"),
              HasSubstr("t.json: /derived/0/op: \"root\" is no operation"));
  EXPECT_THAT(message(R"({"op": "sum", "out": "b", "args": ["z"]})"),
              HasSubstr("/derived/0/args: there is no column \"z\""));
  EXPECT_THAT(message(R"({"op": "ratio", "out": "b", "args": ["a"]})"), HasSubstr("two columns"));
  EXPECT_THAT(message(R"({"op": "sum", "out": "b"})"), HasSubstr("/derived/0/args"));
}

TEST(Declared, ALostRowIsAFinding) {
  const AuditResult result = audit_json(
      table_json(R"({"op": "ratio_to_row", "out": "b", "of": "a", "row": "gone"})", "4.0"));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, Kind::kListVsHeading);
}

}  // namespace
}  // namespace perfgate::audit
