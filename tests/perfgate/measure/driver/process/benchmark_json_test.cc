// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/driver/process/benchmark_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "perfgate/base/os/entropy.h"
#include "perfgate/base/text/utf8.h"

namespace perfgate::measure {
namespace {

std::string row(const std::string& name, const std::string& more = "") {
  return R"({"name":")" + name +
         R"(","family_index":0,"per_family_instance_index":0,"run_name":")" + name +
         R"(","run_type":"iteration","repetitions":1,"repetition_index":0,"threads":2,)"
         R"("iterations":10,"real_time":2.5e+00,"cpu_time":1,"time_unit":"us")" +
         more + "}";
}

std::string document(const std::string& rows) {
  return R"({"context":{"date":"today","library_version":"v1.9.0","load_avg":[0.1,NaN]},)"
         "\"benchmarks\": [" +
         rows + "]\n}\n";
}

TEST(BenchmarkJson, ReadsAPlainFile) {
  const BenchmarkFile file = read_benchmark_json(
      document(row("BM_x/8") + ",\n" + row("BM_x/8_mean", R"(,"GFLOPs":3.5,"label":"seven")")));
  EXPECT_TRUE(file.complete);
  EXPECT_EQ(file.library_version, "v1.9.0");
  ASSERT_EQ(file.rows.size(), 2U);
  EXPECT_EQ(file.rows[0].run_name, "BM_x/8");
  EXPECT_DOUBLE_EQ(file.rows[0].real_s, 2.5e-6);
  EXPECT_DOUBLE_EQ(file.rows[0].cpu_s, 1e-6);
  EXPECT_EQ(file.rows[0].iterations, 10);
  EXPECT_EQ(file.rows[0].threads, 2);
  EXPECT_TRUE(file.rows[0].unreadable.empty());
  ASSERT_EQ(file.rows[1].counters.size(), 1U);
  EXPECT_EQ(file.rows[1].counters[0].first, "GFLOPs");
  EXPECT_DOUBLE_EQ(file.rows[1].counters[0].second, 3.5);
}

TEST(BenchmarkJson, TimeUnits) {
  for (const auto& [unit, factor] :
       {std::pair{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}) {
    const BenchmarkFile file = read_benchmark_json(document(
        std::string(R"({"name":"a","real_time":3,"cpu_time":2,"time_unit":")") + unit + "\"}"));
    ASSERT_EQ(file.rows.size(), 1U);
    EXPECT_DOUBLE_EQ(file.rows[0].real_s, 3 * factor) << unit;
    EXPECT_EQ(file.rows[0].run_name, "a");
  }
  const BenchmarkFile file =
      read_benchmark_json(document(R"({"name":"a","real_time":3,"time_unit":"weeks"})"));
  EXPECT_TRUE(std::isnan(file.rows.at(0).real_s));
}

TEST(BenchmarkJson, BareWordsThatAreNotFinite) {
  for (const char* word : {"NaN", "-nan", "nan", "Infinity", "-Infinity", "inf", "-inf"}) {
    const BenchmarkFile file =
        read_benchmark_json(document(row("a", std::string(R"(,"odd":)") + word) + "," + row("b")));
    ASSERT_EQ(file.rows.size(), 2U) << word;
    EXPECT_TRUE(file.rows[0].unreadable.empty());
    ASSERT_EQ(file.rows[0].counters.size(), 1U);
    EXPECT_TRUE(std::isnan(file.rows[0].counters[0].second)) << word;
  }
  const BenchmarkFile file =
      read_benchmark_json(document(R"({"name":"a","real_time":NaN,"cpu_time":1,"time_unit":"s"})"));
  EXPECT_TRUE(std::isnan(file.rows.at(0).real_s));
}

TEST(BenchmarkJson, NamesWithEveryByte) {
  for (int byte = 1; byte < 256; ++byte) {
    const auto c = static_cast<char>(byte);
    if (c == '"' || c == '\\') continue;  // the library escapes these
    const std::string name = std::string("x") + c + "y";
    const BenchmarkFile file = read_benchmark_json(document(row(name)));
    ASSERT_EQ(file.rows.size(), 1U) << byte;
    EXPECT_TRUE(file.rows[0].unreadable.empty()) << file.rows[0].unreadable;
    EXPECT_EQ(file.rows[0].run_name, VisibleText(name)) << byte;
  }
  EXPECT_EQ(VisibleText("a\xff\xc3\xbc"), "a\\xff\xc3\xbc");
}

TEST(BenchmarkJson, OneBrokenRowSpoilsNoOther) {
  const BenchmarkFile file = read_benchmark_json(
      document(row("first") + "," + row("shadow", R"(,"real_time":1e-9)") + "," + row("last")));
  EXPECT_TRUE(file.complete);
  ASSERT_EQ(file.rows.size(), 3U);
  EXPECT_TRUE(file.rows[0].unreadable.empty());
  EXPECT_EQ(file.rows[1].run_name, "shadow");
  EXPECT_NE(file.rows[1].unreadable, "");
  EXPECT_TRUE(file.rows[2].unreadable.empty());
}

TEST(BenchmarkJson, ACounterCannotRenameItsRow) {
  const BenchmarkFile file =
      read_benchmark_json(document(row("honest", R"(,"run_name":"other","run_type":"aggregate")")));
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.rows[0].run_name, "honest");
  EXPECT_NE(file.rows[0].unreadable, "");
}

TEST(BenchmarkJson, ErrorsSkipsAndAggregates) {
  const BenchmarkFile file = read_benchmark_json(
      document(row("e", R"(,"error_occurred":true,"error_message":"bad")") + "," +
               row("s", R"(,"skipped":true,"skip_message":"later")") + "," +
               R"({"name":"a_mean","run_name":"a","run_type":"aggregate","aggregate_name":"mean",)"
               R"("iterations":3,"real_time":1,"cpu_time":1,"time_unit":"ns"})"));
  ASSERT_EQ(file.rows.size(), 3U);
  EXPECT_TRUE(file.rows[0].error);
  EXPECT_EQ(file.rows[0].message, "bad");
  EXPECT_TRUE(file.rows[1].skipped);
  EXPECT_EQ(file.rows[1].message, "later");
  EXPECT_TRUE(file.rows[2].aggregate);
}

TEST(BenchmarkJson, EveryTruncationKeepsOnlyWholeRows) {
  const std::string whole = document(row("a") + "," + row("b"));
  const std::size_t last_brace = whole.rfind('}');
  for (std::size_t size = 0; size <= last_brace; ++size) {
    const BenchmarkFile file = read_benchmark_json(std::string_view(whole).substr(0, size));
    EXPECT_FALSE(file.complete) << size;
    for (const BenchmarkRow& row : file.rows) {
      EXPECT_TRUE(row.unreadable.empty()) << size;
      EXPECT_DOUBLE_EQ(row.real_s, 2.5e-6) << size;
    }
  }
  EXPECT_TRUE(read_benchmark_json(std::string_view(whole).substr(0, last_brace + 1)).complete);
}

TEST(BenchmarkJson, SurvivesMutations) {
  const std::string whole = document(row("a") + "," + row("b", R"(,"c":[1,{"d":"e"}])"));
  RandomStream random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text = whole;
    for (std::uint64_t k = 0, n = 1 + random.below(4); k < n; ++k) {
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    }
    const BenchmarkFile file = read_benchmark_json(text);
    EXPECT_LE(file.rows.size(), 100U);
  }
  EXPECT_TRUE(read_benchmark_json(std::string(100000, '[')).rows.empty());
  EXPECT_TRUE(read_benchmark_json("{\"benchmarks\":" + std::string(100000, '[')).rows.empty());
}

}  // namespace
}  // namespace perfgate::measure
