// SPDX-License-Identifier: Apache-2.0
// --metrics FILE: what names in result files mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "perfgate/base/io/read_file.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_command::Finished;
using testing_command::TemporaryFolder;
using testing_command::unwrapped;
using testing_command::write_text;

const std::string kServe = perfgate::test_support::DataFile("import/vllm_serve/detailed.json");

constexpr const char* kMetrics =
    R"({"format":"perfgate-metrics","version":1,"metrics":[)"
    R"({"name":"energy","unit":"1","direction":"lower","kind":"score","aliases":["joules"]},)"
    R"({"name":"prefill","unit":"s","direction":"lower","kind":"time"}]})";

class Metrics : public testing::Test {
 protected:
  Metrics() { write_text(folder_ / "metrics.json", kMetrics); }

  Finished perfgate(std::vector<std::string> arguments) const {
    return testing_command::run_program(PERFGATE_EXE, std::move(arguments));
  }

  // A run of a server with two figures that perfgate does not know.
  std::string serve(const std::string& name, double joules, double prefill_ms) const {
    json run = json::parse(read_file_text(kServe));
    run["joules"] = joules;
    run["prefill_ms"] = prefill_ms;
    run["label"] = name;
    write_text(folder_ / (name + ".json"), run.dump());
    return folder_ / (name + ".json");
  }

  // A Google Benchmark file with one counter.
  std::string counter(const std::string& name, double joules) const {
    const json row = {{"name", "a"},       {"run_name", "a"},   {"run_type", "iteration"},
                      {"repetitions", 1},  {"threads", 1},      {"repetition_index", 0},
                      {"iterations", 100}, {"real_time", 12.5}, {"cpu_time", 12.5},
                      {"time_unit", "ns"}, {"joules", joules}};
    write_text(
        folder_ / (name + ".json"),
        json{{"context", {{"library_build_type", "release"}}}, {"benchmarks", {row}}}.dump());
    return folder_ / (name + ".json");
  }

  Session imported(const std::string& file, std::vector<std::string> options) const {
    options.insert(options.begin(), {"import", file, "--output", folder_ / "s.json"});
    const Finished done = perfgate(options);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return read_session(folder_ / "s.json");
  }

  static Metric metric(const Session& session, const std::string& name) {
    const auto found = std::find_if(session.metrics.begin(), session.metrics.end(),
                                    [&](const Metric& m) { return m.name == name; });
    return found == session.metrics.end() ? Metric{.name = "none"} : *found;
  }

  TemporaryFolder folder_;
};

TEST_F(Metrics, ImportKnowsTheNames) {
  const std::string file = serve("run", 40, 5);
  const Session before = imported(file, {});
  EXPECT_THAT(before.unknown_metrics, testing::UnorderedElementsAre("joules", "prefill_ms"));
  const Session after = imported(file, {"--metrics", folder_ / "metrics.json"});
  EXPECT_THAT(after.unknown_metrics, IsEmpty());
  EXPECT_EQ(metric(after, "energy"), (Metric{"energy", "1", Direction::kLower, Kind::kScore}));
  EXPECT_EQ(metric(after, "prefill"), (Metric{"prefill", "s", Direction::kLower, Kind::kTime}));
  const auto at = [&](const std::string& name) {
    for (std::size_t m = 0; m < after.metrics.size(); ++m) {
      if (after.metrics[m].name == name) return after.rounds[0].cases[0].values[m][0][0];
    }
    return -1.0;
  };
  EXPECT_DOUBLE_EQ(at("prefill"), 0.005);
  EXPECT_DOUBLE_EQ(at("energy"), 40);
}

TEST_F(Metrics, ACounterDecidesWhereTheFileSaysWhatItMeans) {
  const std::string better = counter("better", 5);
  const std::string worse = counter("worse", 500);
  const auto gated = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"gate", "--baseline", better, "--candidate", worse, "--json",
                                     folder_ / "v.json"});
    EXPECT_EQ(perfgate(options).exit_code, static_cast<int>(Exit::kInconclusive));
    std::vector<std::string> names;
    for (const ColumnVerdict& column : read_verdict(folder_ / "v.json").columns) {
      if (column.gated) names.push_back(column.metric.name);
    }
    return names;
  };
  EXPECT_THAT(gated({}), testing::UnorderedElementsAre("real_time"));
  EXPECT_THAT(gated({"--metrics", folder_ / "metrics.json"}),
              testing::UnorderedElementsAre("real_time", "energy"));
}

TEST_F(Metrics, PerfgatesOwnNamesAreNotTheAuthors) {
  // A counter that happens to be called "goodput" is the author's, whatever servers mean by it.
  const json row = {{"name", "a"},       {"run_name", "a"},   {"run_type", "iteration"},
                    {"repetitions", 1},  {"threads", 1},      {"repetition_index", 0},
                    {"iterations", 100}, {"real_time", 12.5}, {"cpu_time", 12.5},
                    {"time_unit", "ns"}, {"goodput", 3.0}};
  write_text(folder_ / "g.json",
             json{{"context", {{"library_build_type", "release"}}}, {"benchmarks", {row}}}.dump());
  const Session session = imported(folder_ / "g.json", {"--metrics", folder_ / "metrics.json"});
  EXPECT_THAT(session.unknown_metrics, Contains("goodput"));
}

TEST_F(Metrics, ReportAndParityReadTheFileToo) {
  const std::string file = serve("run", 40, 5);
  const Finished shown = perfgate({"report", file, "--metrics", folder_ / "metrics.json"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("[energy]"));
  EXPECT_THAT(unwrapped(perfgate({"report", file}).out), HasSubstr("unknown_metric"));
  const Finished parity =
      perfgate({"parity", "--baseline", serve("b", 80, 9), "--human", serve("h", 40, 5), "--agent",
                serve("a", 41, 5), "--primary", "energy", "--metrics", folder_ / "metrics.json",
                "--json", folder_ / "p.json"});
  EXPECT_EQ(parity.exit_code, static_cast<int>(Exit::kInconclusive)) << parity.out << parity.err;
  const ParityVerdict verdict = read_parity(folder_ / "p.json");
  const auto primary = std::find_if(verdict.columns.begin(), verdict.columns.end(),
                                    [](const ParityColumn& c) { return c.primary; });
  ASSERT_NE(primary, verdict.columns.end());
  EXPECT_EQ(primary->metric.name, "energy");
}

TEST_F(Metrics, AFileThatIsWrongIsRefused) {
  const std::string file = serve("run", 40, 5);
  const std::pair<std::string, Exit> wrong[] = {
      {"", Exit::kData},
      {R"({"format":"perfgate-metrics","version":9,"metrics":[]})", Exit::kData},
      {R"({"format":"perfgate-metrics","version":1,"metrics":[{"name":"a"}]})", Exit::kData},
      {R"({"format":"perfgate-metrics","version":1,"metrics":[{"name":"ttft","unit":"s",)"
       R"("direction":"higher","kind":"time"}]})",
       Exit::kInvalid},
      {R"({"format":"perfgate-metrics","version":1,"metrics":[],"metrics":[]})", Exit::kInvalid}};
  for (const auto& [text, exit] : wrong) {
    write_text(folder_ / "wrong.json", text);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"import", file},
          {"report", file},
          {"gate", "--baseline", file, "--candidate", serve("other", 1, 1)}}) {
      std::vector<std::string> arguments = command;
      arguments.insert(arguments.end(), {"--metrics", folder_ / "wrong.json"});
      const Finished done = perfgate(arguments);
      EXPECT_EQ(done.exit_code, static_cast<int>(exit)) << command[0] << text << done.err;
      EXPECT_THAT(done.err, HasSubstr("wrong.json"));
    }
  }
  EXPECT_EQ(perfgate({"import", file, "--metrics", folder_ / "none.json"}).exit_code,
            static_cast<int>(Exit::kData));
}

TEST_F(Metrics, AnOptionThatWouldDoNothingIsRefused) {
  const Session session = imported(serve("run", 40, 5), {});
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"report", folder_ / "s.json"},
        {"gate", "--baseline", PERFGATE_EXE, "--candidate", PERFGATE_EXE},
        {"parity", "--from", folder_ / "s.json"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--metrics", folder_ / "metrics.json"});
    const Finished done = perfgate(arguments);
    EXPECT_EQ(done.exit_code, static_cast<int>(Exit::kUsage)) << command[0] << done.out;
    EXPECT_THAT(done.err, HasSubstr("--metrics"));
  }
}

}  // namespace
}  // namespace perfgate
