// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/summary_check.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/perfgate/import/import_samples.h"

namespace perfgate::import {
namespace {

// numpy 1.24: mean, median, std, percentile of this list.
TEST(SummaryCheck, RecomputesAsNumpyDoes) {
  const std::vector<double> x = {4, 1, 3, 10, 2, 7};
  EXPECT_DOUBLE_EQ(recomputed("mean", x).value(), 4.5);
  EXPECT_DOUBLE_EQ(recomputed("median", x).value(), 3.5);
  EXPECT_DOUBLE_EQ(recomputed("stddev", x).value(), 3.095695936834452);
  EXPECT_DOUBLE_EQ(recomputed("min", x).value(), 1);
  EXPECT_DOUBLE_EQ(recomputed("max", x).value(), 10);
  EXPECT_DOUBLE_EQ(recomputed("p25", x).value(), 2.25);
  EXPECT_DOUBLE_EQ(recomputed("p90", x).value(), 8.5);
  EXPECT_DOUBLE_EQ(recomputed("p99", x).value(), 9.85);
  EXPECT_DOUBLE_EQ(recomputed("p99.9", x).value(), 9.985);
  EXPECT_DOUBLE_EQ(recomputed("p99", std::vector<double>{3}).value(), 3);
  for (const char* word : {"", "cv", "p", "pp", "p-1", "p101", "p5x", "other"}) {
    EXPECT_FALSE(recomputed(word, x)) << word;
  }
  EXPECT_FALSE(recomputed("mean", {}));
  EXPECT_FALSE(recomputed("mean", std::vector<double>{1, NAN}));
}

TEST(SummaryCheck, KnowsPrintPrecision) {
  EXPECT_NEAR(print_precision(12.35), 0.005, 1e-4);
  EXPECT_NEAR(print_precision(-12.35), 0.005, 1e-4);
  EXPECT_NEAR(print_precision(12.345), 0.0005, 1e-5);
  EXPECT_NEAR(print_precision(12), 0.005, 1e-4);
  EXPECT_NEAR(print_precision(1e-9), 0.5e-9, 1e-12);
  EXPECT_NEAR(print_precision(1.5e-9), 0.5e-10, 1e-12);
  EXPECT_NEAR(print_precision(123456.789012), 0.123, 0.001);
}

TEST(SummaryCheck, RefusesMoreThanRounding) {
  check_summary("f:1", "/mean", 12.35, 12.3549);
  check_summary("f:1", "/mean", 12.35, 12.3451);
  check_summary("f:1", "/mean", 12.3456789012345, 12.3456789);
  check_summary("f:1", "/mean", 10, 10.9, 1);
  for (const double expected : {12.356, 12.344, -12.35, 0.0}) {
    const Refusal refused = refusal([&] { check_summary("f:1", "/mean", 12.35, expected); });
    EXPECT_EQ(refused.exit, Exit::kInvalid) << expected;
    EXPECT_THAT(refused.message, testing::StartsWith("f:1: /mean is 12.35 and ")) << expected;
  }
}

TEST(SummaryCheck, DropsAggregatesThatSamplesBack) {
  Document document;
  const auto add = [&](const char* name, const char* metric, RecordKind kind) {
    Record record;
    record.case_name = name;
    record.metric.name = metric;
    record.kind = kind;
    document.records.push_back(record);
  };
  add("a", "ttft", RecordKind::kAggregate);
  add("a", "ttft", RecordKind::kSample);
  add("a", "tpot", RecordKind::kAggregate);
  add("b", "ttft", RecordKind::kAggregate);
  drop_backed_aggregates(&document);
  ASSERT_EQ(document.records.size(), 3U);
  EXPECT_EQ(document.records[0].kind, RecordKind::kSample);
  EXPECT_EQ(document.records[1].metric.name, "tpot");
  EXPECT_EQ(document.records[2].case_name, "b");
}

}  // namespace
}  // namespace perfgate::import
