// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/metrics/parse_request_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RequestRules Parse(const std::vector<std::string>& limits, const std::string& failed = "") {
  return ParseRequestRules(limits, failed, "rules", MetricRegistry::built_in());
}

std::string RefusalOf(const std::vector<std::string>& limits, const std::string& failed = "") {
  try {
    Parse(limits, failed);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kUsage);
    return error.what();
  }
  ADD_FAILURE() << "not refused";
  return "";
}

TEST(RequestRules, ReadsLimitsByAnyNameOfTheirMetric) {
  const RequestRules rules = Parse({"ttft=200ms", "e2el=2s"}, "1%");
  EXPECT_THAT(rules.limits, ElementsAre(RequestLimit{"e2e_latency", 2}, RequestLimit{"ttft", 0.2}));
  EXPECT_DOUBLE_EQ(rules.allowed_failures, 0.01);
  EXPECT_EQ(LimitsText(rules), "e2e_latency 2 s, ttft 0.2 s");
}

TEST(RequestRules, RefusesWhatIsNoLimitOfARequest) {
  EXPECT_THAT(RefusalOf({"ttft"}), HasSubstr("METRIC=TIME"));
  EXPECT_THAT(RefusalOf({"request_throughput=3"}), HasSubstr("METRIC=TIME"));
  EXPECT_THAT(RefusalOf({"p99_ttft_ms=3"}), HasSubstr("METRIC=TIME"));
  EXPECT_THAT(RefusalOf({"=3s"}), HasSubstr("METRIC=TIME"));
  EXPECT_THAT(RefusalOf({"ttft=soon"}), HasSubstr("soon"));
  EXPECT_THAT(RefusalOf({"ttft=0"}), HasSubstr("above 0"));
  EXPECT_THAT(RefusalOf({"ttft=1s", "first_token_latency=2s"}), HasSubstr("two limits of ttft"));
  EXPECT_THAT(RefusalOf({}, "5"), HasSubstr("5%"));
  EXPECT_THAT(RefusalOf({}, "100%"), HasSubstr("below 100%"));
  EXPECT_THAT(RefusalOf({}, "-1%"), HasSubstr("at least 0"));
}

TEST(RequestRules, TheMetricsFileHoldsThemToo) {
  const MetricRegistry built_in = MetricRegistry::built_in();
  const MetricRegistry with =
      with_metrics(built_in,
                   R"({"format":"perfgate-metrics","version":1,"metrics":[],)"
                   R"("request_limits":["tpot=50ms"],"allowed_failures":"1%"})",
                   "m.json");
  EXPECT_EQ(with.request_rules(), Parse({"tpot=50ms"}, "1%"));
  EXPECT_EQ(built_in.request_rules(), RequestRules{});
  try {
    with_metrics(built_in,
                 R"({"format":"perfgate-metrics","version":1,"metrics":[],)"
                 R"("request_limits":["tpot"]})",
                 "m.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::kData);
    EXPECT_THAT(error.what(), HasSubstr("m.json"));
  }
}

}  // namespace
}  // namespace perfgate
