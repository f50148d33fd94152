// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/metrics/metric_registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

const MetricRegistry& built_in() {
  static const MetricRegistry registry = MetricRegistry::built_in();
  return registry;
}

struct Known {
  const char* text;
  const char* name;
  const char* family;
  const char* statistic;
  double scale;
  Direction direction;
};

constexpr Direction kLower = Direction::kLower;
constexpr Direction kHigher = Direction::kHigher;

// Spellings of result files and of tables that people print.
constexpr Known kKnown[] = {
    {"mean_ttft_ms", "ttft", "ttft", "mean", 1e-3, kLower},
    {"ttft", "ttft", "ttft", "", 1, kLower},
    {"TTFT (ms)", "ttft", "ttft", "", 1e-3, kLower},
    {"Mean TTFT (ms)", "ttft", "ttft", "mean", 1e-3, kLower},
    {"time_to_first_token", "ttft", "ttft", "", 1, kLower},
    {"Time to First Token", "ttft", "ttft", "", 1, kLower},
    {"ttft_p99_ms", "ttft", "ttft", "p99", 1e-3, kLower},
    {"ttft_mean", "ttft", "ttft", "mean", 1, kLower},
    {"p50_ttft_ms", "ttft", "ttft", "median", 1e-3, kLower},
    {"p99.9_itl_ms", "itl", "itl", "p99.9", 1e-3, kLower},
    {"p99_tpot_ms", "tpot", "tpot", "p99", 1e-3, kLower},
    {"tpot_mean", "tpot", "tpot", "mean", 1, kLower},
    {"inter_token_latency", "itl", "itl", "", 1, kLower},
    {"Inter-token Latency", "itl", "itl", "", 1, kLower},
    {"itl_us", "itl", "itl", "", 1e-6, kLower},
    {"itl_ns", "itl", "itl", "", 1e-9, kLower},
    {"median_e2el_ms", "e2e_latency", "e2e", "median", 1e-3, kLower},
    {"p99_e2e_latency_ms", "e2e_latency", "e2e", "p99", 1e-3, kLower},
    {"End-to-end Latency", "e2e_latency", "e2e", "", 1, kLower},
    {"e2e_p50_ms", "e2e_latency", "e2e", "median", 1e-3, kLower},
    {"avg_latency", "latency", "latency", "mean", 1, kLower},
    {"latency_avg", "latency", "latency", "mean", 1, kLower},
    {"std_latency", "latency", "latency", "stddev", 1, kLower},
    {"Mean latency", "latency", "latency", "mean", 1, kLower},
    {"output_throughput", "output_throughput", "throughput", "", 1, kHigher},
    {"Output token throughput (tok/s)", "output_throughput", "throughput", "", 1, kHigher},
    {"request_throughput", "request_throughput", "throughput", "", 1, kHigher},
    {"Request throughput (req/s)", "request_throughput", "throughput", "", 1, kHigher},
    {"requests_per_second", "request_throughput", "throughput", "", 1, kHigher},
    {"request_goodput:", "request_goodput", "throughput", "", 1, kHigher},
    {"total_token_throughput", "total_token_throughput", "throughput", "", 1, kHigher},
    {"total_throughput", "total_token_throughput", "throughput", "", 1, kHigher},
    {"throughput", "throughput", "throughput", "", 1, kHigher},
    {"throughput_tok_s", "throughput", "throughput", "", 1, kHigher},
    {"tokens_per_second", "throughput", "throughput", "", 1, kHigher},
    {"gpu_time", "gpu_time", "time", "", 1, kLower},
    {"real_time_ns", "real_time", "time", "", 1e-9, kLower},
};

TEST(MetricRegistry, ReadsTheSpellingsOfToolsAndTables) {
  for (const Known& known : kKnown) {
    const auto metric = built_in().resolve(known.text);
    ASSERT_TRUE(metric) << known.text;
    EXPECT_EQ(metric->metric.name, known.name) << known.text;
    EXPECT_EQ(metric->family, known.family) << known.text;
    EXPECT_EQ(metric->statistic, known.statistic) << known.text;
    EXPECT_DOUBLE_EQ(metric->scale, known.scale) << known.text;
    EXPECT_EQ(metric->metric.direction, known.direction) << known.text;
    // Goodput may be 0.
    const Kind rate = metric->metric.name == "request_goodput" ? Kind::kScore : Kind::kRate;
    EXPECT_EQ(metric->metric.kind, known.direction == kLower ? Kind::kTime : rate);
  }
}

// Each result key of the two serving benchmarks that is a measurement.
TEST(MetricRegistry, KnowsEveryServingName) {
  std::vector<std::string> names = {"request_throughput", "request_goodput",
                                    "output_throughput",  "total_token_throughput",
                                    "input_throughput",   "total_throughput"};
  for (const char* statistic : {"mean", "median", "std", "p25", "p50", "p90", "p95", "p99"}) {
    for (const char* metric : {"ttft", "tpot", "itl", "e2el", "e2e_latency", "client_queue_time",
                               "e2el_including_client_queue"}) {
      names.push_back(std::string(statistic) + "_" + metric + "_ms");
    }
  }
  std::set<std::string> statistics;
  for (const std::string& name : names) {
    const auto metric = built_in().resolve(name);
    ASSERT_TRUE(metric) << name;
    if (name.ends_with("_ms")) {
      EXPECT_EQ(metric->unit, "ms") << name;
      EXPECT_EQ(metric->scale, 1e-3) << name;
      EXPECT_EQ(metric->metric.unit, "s") << name;
      statistics.insert(metric->statistic);
    }
  }
  EXPECT_EQ(statistics,
            (std::set<std::string>{"mean", "median", "stddev", "p25", "p90", "p95", "p99"}));
}

TEST(MetricRegistry, UnknownNamesStayUnknown) {
  for (const char* name : {"",
                           "ms",
                           "p99",
                           "mean",
                           "mean_",
                           "_ms",
                           "flops",
                           "mean_flops_ms",
                           "ttft_tps",
                           "output_throughput_ms",
                           "p100_ttft_ms",
                           "p0_ttft_ms",
                           "p_ttft",
                           "p9x_ttft_ms",
                           "mean_p99_ttft_ms",
                           "ttft_ms_ms",
                           "max_output_tokens_per_s_s",
                           "TTFT (furlongs)",
                           "throughput.tg32_tps",
                           "(ms)",
                           "()",
                           ")",
                           "mean (ms)"}) {
    EXPECT_FALSE(built_in().resolve(name)) << name;
  }
}

TEST(MetricRegistry, TimesBetweenTokensNeedTwoTokens) {
  for (const MetricEntry& entry : built_in().entries()) {
    EXPECT_EQ(entry.needs_two_tokens, entry.name == "tpot" || entry.name == "itl") << entry.name;
  }
  EXPECT_TRUE(built_in().resolve("p99_tpot_ms")->needs_two_tokens);
  EXPECT_FALSE(built_in().resolve("p99_ttft_ms")->needs_two_tokens);
}

// Every alias in every decoration, case and spelling of the gaps has the meaning of its entry, and
// no two entries share a spelling.
TEST(MetricRegistry, EveryAliasHasExactlyOneMeaning) {
  std::mt19937 random(7);
  std::set<std::string> stems;
  const std::string gaps = " -/_";
  for (const MetricEntry& entry : built_in().entries()) {
    std::vector<std::string> names = entry.aliases;
    names.push_back(entry.name);
    for (const std::string& stem : names) {
      EXPECT_TRUE(stems.insert(stem).second) << stem;
      for (const char* statistic : {"", "mean", "p99", "median"}) {
        for (const bool before : {true, false}) {
          for (const char* unit : {"", "ms", "s", "us", "tok_s", "req_s"}) {
            std::string name = stem;
            if (*statistic != 0) {
              name = before ? statistic + ("_" + name) : name + "_" + statistic;
            }
            if (*unit != 0) name += std::string("_") + unit;
            for (char& c : name) {
              if (c == '_') c = gaps[random() % gaps.size()];
              if (random() % 2 != 0) {
                c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
              }
            }
            const auto metric = built_in().resolve(name);
            std::string spelled = unit;
            if (spelled == "tok_s" || spelled == "req_s") spelled.replace(3, 1, "/");
            const auto scale = unit_scale(spelled.empty() ? entry.unit : spelled, entry.unit);
            ASSERT_EQ(metric.has_value(), scale.has_value()) << name;
            if (!metric) continue;
            EXPECT_EQ(metric->metric.name, entry.name) << name;
            EXPECT_EQ(metric->metric.unit, entry.unit) << name;
            EXPECT_EQ(metric->statistic, statistic) << name;
            EXPECT_EQ(metric->scale, *scale) << name;
          }
        }
      }
    }
  }
  EXPECT_GT(stems.size(), 40U);
}

TEST(MetricRegistry, AnyTextIsAnswered) {
  std::mt19937 random(11);
  const std::string letters = "_ ()/-.:pmtsnu9e2avg\xC2\xB5";
  for (int i = 0; i < 20000; ++i) {
    std::string name(random() % 14, ' ');
    for (char& c : name) c = letters[random() % letters.size()];
    const auto metric = built_in().resolve(name);
    if (metric) {
      EXPECT_GT(metric->scale, 0) << name;
    }
  }
}

TEST(MetricUnits, ConvertWithinOneQuantityOnly) {
  EXPECT_DOUBLE_EQ(unit_scale("ms", "s").value(), 1e-3);
  EXPECT_DOUBLE_EQ(unit_scale("s", "ms").value(), 1e3);
  EXPECT_DOUBLE_EQ(unit_scale("\xC2\xB5s", "ns").value(), 1e3);
  EXPECT_DOUBLE_EQ(unit_scale("GiB", "B").value(), 1073741824);
  EXPECT_DOUBLE_EQ(unit_scale("tokens/s", "tok/s").value(), 1);
  EXPECT_DOUBLE_EQ(unit_scale("%", "1").value(), 0.01);
  EXPECT_DOUBLE_EQ(unit_scale("h", "min").value(), 60);
  for (const auto& [from, to] : {std::pair("s", "tok/s"),
                                 {"B", "B/s"},
                                 {"tok/s", "req/s"},
                                 {"1", "1/s"},
                                 {"Hz", "1/s"},
                                 {"", "s"},
                                 {"furlong", "s"}}) {
    EXPECT_FALSE(unit_scale(from, to)) << from << " " << to;
    EXPECT_FALSE(unit_scale(to, from)) << from << " " << to;
  }
  // Case tells bytes from bits and milli from mega, so it is kept where it matters.
  EXPECT_EQ(canonical_unit("MB"), "MB");
  EXPECT_FALSE(canonical_unit("mb"));
  EXPECT_EQ(canonical_unit("MS"), "ms");
  EXPECT_EQ(canonical_unit(" Tokens/sec "), "tok/s");
}

json one(const json& metric) {
  return {{"format", "perfgate-metrics"}, {"version", 1}, {"metrics", json::array({metric})}};
}

json energy() {
  return {{"name", "energy"}, {"unit", "1"},       {"direction", "lower"},
          {"kind", "count"},  {"family", "power"}, {"aliases", {"joules", "energy_used"}}};
}

TEST(MetricsFile, AddsMetricsAndAliases) {
  json document = one(energy());
  document["metrics"].push_back({{"name", "tpot"},
                                 {"unit", "s"},
                                 {"direction", "lower"},
                                 {"kind", "time"},
                                 {"aliases", {"decode_step"}}});
  const MetricRegistry registry = with_metrics(built_in(), document.dump(), "m.json");
  const auto joules = registry.resolve("p99_energy_used");
  ASSERT_TRUE(joules);
  EXPECT_EQ(joules->metric, (Metric{"energy", "1", kLower, Kind::kCount}));
  EXPECT_EQ(joules->family, "power");
  EXPECT_EQ(joules->statistic, "p99");
  const auto step = registry.resolve("mean_decode_step_ms");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->metric.name, "tpot");
  EXPECT_TRUE(step->needs_two_tokens);
  EXPECT_EQ(step->family, "tpot");
  // What was known stays, and the registry that was given is not touched.
  for (const Known& known : kKnown) EXPECT_TRUE(registry.resolve(known.text)) << known.text;
  EXPECT_FALSE(built_in().resolve("energy_used"));
}

void expect_registry_refused(const std::string& text, Exit exit, const std::string& place,
                             const std::string& words) {
  try {
    with_metrics(built_in(), text, "m.json");
    ADD_FAILURE() << text << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), exit) << text << "\n" << error.what();
    EXPECT_THAT(error.what(), StartsWith("m.json" + place)) << text;
    EXPECT_THAT(error.what(), HasSubstr(words)) << text;
  }
}

void expect_metric_refused(const char* field, const json& value, Exit exit,
                           const std::string& place, const std::string& words) {
  json metric = energy();
  metric[field] = value;
  expect_registry_refused(one(metric).dump(), exit, place, words);
}

TEST(MetricsFile, RefusesClashes) {
  const std::string at = ": /metrics/0";
  // A known name or alias with another direction, unit or kind would turn verdicts round.
  const json ttft = {{"name", "ttft"}, {"unit", "s"}, {"direction", "lower"}, {"kind", "time"}};
  for (const auto& [field, value] :
       {std::pair("direction", "higher"), {"unit", "1"}, {"kind", "rate"}, {"family", "e2e"}}) {
    json metric = ttft;
    metric[field] = value;
    expect_registry_refused(one(metric).dump(), Exit::kInvalid, at, "contradicts ttft");
  }
  expect_metric_refused("aliases", {"ttft"}, Exit::kInvalid, at, "already means ttft");
  expect_metric_refused("aliases", {"Time to first TOKEN"}, Exit::kInvalid, at, "already means");
  expect_metric_refused("name", "e2el", Exit::kInvalid, at, "already means e2e_latency");
  json twice = one(energy());
  json second = energy();
  second["name"] = "power";
  twice["metrics"].push_back(second);
  expect_registry_refused(twice.dump(), Exit::kInvalid, ": /metrics/1", "already means energy");
  expect_registry_refused(R"({"format":"perfgate-metrics","version":1,"metrics":[],"metrics":[]})",
                          Exit::kInvalid, ":1:", "twice");
}

TEST(MetricsFile, RefusesNamesWithASecondReading) {
  for (const char* alias : {"mean_joules", "joules_ms", "p99", "joules_p99", "joules (ms)"}) {
    expect_metric_refused("aliases", {alias}, Exit::kData, ": /metrics/0", "carries");
  }
  expect_metric_refused("aliases", {""}, Exit::kData, ": /metrics/0", "empty");
  expect_metric_refused("name", " ", Exit::kData, ": /metrics/0", "empty");
}

TEST(MetricsFile, RefusesWhatIsNotOne) {
  expect_registry_refused("", Exit::kData, "", "empty");
  expect_registry_refused("[]", Exit::kData, "", "object");
  expect_registry_refused("{", Exit::kData, "", "not JSON");
  expect_registry_refused(R"({"format":"perfgate-metrics","version":1})", Exit::kData, ": /metrics",
                          "missing");
  expect_registry_refused(R"({"format":"perfgate-policy","version":1,"metrics":[]})", Exit::kData,
                          ": /format", "perfgate-metrics");
  expect_registry_refused(R"({"format":"perfgate-metrics","version":2,"metrics":[]})", Exit::kData,
                          ": /version", "version 2");
  expect_registry_refused(R"({"format":"perfgate-metrics","version":1,"metrics":{}})", Exit::kData,
                          ": /metrics", "list");
  expect_registry_refused(R"({"format":"perfgate-metrics","version":1,"metrics":[7]})", Exit::kData,
                          ": /metrics/0", "object");
  for (const char* field : {"name", "unit", "direction", "kind"}) {
    json metric = energy();
    metric.erase(field);
    expect_registry_refused(one(metric).dump(), Exit::kData, std::string(": /metrics/0/") + field,
                            "missing");
  }
  expect_metric_refused("unit", "ms", Exit::kData, ": /metrics/0", "canonical");
  expect_metric_refused("unit", "furlong", Exit::kData, ": /metrics/0", "canonical");
  expect_metric_refused("direction", "up", Exit::kData, ": /metrics/0/direction", "lower, higher");
  expect_metric_refused("kind", "speed", Exit::kData, ": /metrics/0/kind", "rate");
  expect_metric_refused("aliases", "joules", Exit::kData, ": /metrics/0/aliases", "list");
  expect_metric_refused("alias", "joules", Exit::kData, ": /metrics/0/alias", "aliases");
}

// docs/metrics.md shows the built-in table.
TEST(MetricsDocument, ListsEveryMetricAndAlias) {
  const std::string text =
      read_file_text(perfgate::test_support::SourceFolder() + "/docs/metrics.md");
  for (const MetricEntry& entry : built_in().entries()) {
    const std::string row = "| `" + entry.name + "` | " + entry.family + " | " + entry.unit +
                            " | " + std::string(to_string(entry.direction)) + " | " +
                            std::string(to_string(entry.kind)) + " | ";
    const auto found = text.find(row);
    ASSERT_NE(found, std::string::npos) << row;
    const std::string line = text.substr(found, text.find('\n', found) - found);
    for (const std::string& alias : entry.aliases) EXPECT_THAT(line, HasSubstr("`" + alias + "`"));
  }
}

}  // namespace
}  // namespace perfgate
