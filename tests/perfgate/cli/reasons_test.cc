// SPDX-License-Identifier: Apache-2.0
// Every named reason for which results are not compared, from files as tools write them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "perfgate/base/error.h"
#include "perfgate/base/io/read_file.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/verdict/verdict_file.h"
#include "tests/perfgate/cli/run_command.h"
#include "tests/support/arguments.h"

namespace perfgate {
namespace {

using nlohmann::json;
using perfgate::test_support::DataFile;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_command::Finished;
using testing_command::TemporaryFolder;
using testing_command::unwrapped;
using testing_command::write_text;

using Edit = std::function<void(json&)>;

// Moves every sample by less than any file prints: another run of the same speed. Samples stand in
// lists; numbers elsewhere may be settings.
void run_again(json& value, bool in_list = false) {
  if (value.is_structured()) {
    for (json& member : value) run_again(member, in_list || value.is_array());
  } else if (in_list && value.is_number_float()) {
    value = value.get<double>() * (1 + 1e-9);
  }
}

class Reasons : public testing::Test {
 protected:
  Finished perfgate(std::vector<std::string> arguments) const {
    return testing_command::run_program(PERFGATE_EXE, std::move(arguments));
  }

  std::string edited(const std::string& sample, const std::string& name, const Edit& edit) const {
    json document = json::parse(read_file_text(DataFile("import/" + sample)));
    edit(document);
    write_text(folder_ / name, document.dump());
    return folder_ / name;
  }

  // Two runs of which nothing differs but what `edit` changes in the candidate.
  Finished gate(const std::string& sample, const Edit& edit,
                std::vector<std::string> options = {}) const {
    // The same bytes or samples twice would be refused as one run.
    const Edit later = [&](json& run) {
      run_again(run);
      run["date"] = "20260110-130000";
      edit(run);
    };
    return compared(DataFile("import/" + sample), edited(sample, "candidate.json", later),
                    std::move(options));
  }

  Finished compared(const std::string& baseline, const std::string& candidate,
                    std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"gate", "--baseline", baseline, "--candidate", candidate,
                                     "--json", folder_ / "verdict.json"});
    return perfgate(options);
  }

  void expect(const Finished& finished, Exit exit, const std::string& reason) const {
    EXPECT_EQ(finished.exit_code, static_cast<int>(exit)) << finished.out << finished.err;
    EXPECT_THAT(unwrapped(finished.out), HasSubstr(reason));
    EXPECT_THAT(read_file_text(folder_ / "verdict.json"), HasSubstr(reason));
  }

  TemporaryFolder folder_;
};

const std::string kServeSample = "vllm_serve/detailed.json";

TEST_F(Reasons, RunsOfOneWorkloadAreCompared) {
  const Finished same = gate(kServeSample, [](json&) {});
  EXPECT_EQ(same.exit_code, static_cast<int>(Exit::kInconclusive)) << same.out;
  EXPECT_THAT(unwrapped(same.out), AllOf(HasSubstr("few_sessions"), Not(HasSubstr("_mismatch"))));
}

TEST_F(Reasons, WorkloadsDiffer) {
  expect(gate(kServeSample, [](json& run) { run["model_id"] = "example/model-70b"; }),
         Exit::kNotComparable, "model_mismatch: model: example/model-8b against example/model-70b");
  expect(gate(kServeSample, [](json& run) { run["tokenizer_id"] = "other"; }), Exit::kNotComparable,
         "model_mismatch: tokenizer");
  expect(gate(kServeSample, [](json& run) { run["backend"] = "vllm"; }), Exit::kNotComparable,
         "mode_mismatch: backend: openai against vllm");
  expect(gate("vllm_throughput/throughput.json",
              [](json& run) {
                run["total_num_tokens"] = 2 * run["total_num_tokens"].get<int>();
                run["tokens_per_second"] = 2 * run["tokens_per_second"].get<double>();
              }),
         Exit::kNotComparable, "token_budget_mismatch: total_num_tokens");
  // What the user allows is compared, and said.
  const Finished allowed = gate(kServeSample, [](json& run) { run["model_id"] = "other"; },
                                {"--allow", "model_mismatch"});
  EXPECT_EQ(allowed.exit_code, static_cast<int>(Exit::kInconclusive)) << allowed.out;
  EXPECT_THAT(unwrapped(allowed.out), HasSubstr("compared although model_mismatch"));
}

TEST_F(Reasons, FailedRequestsAreNoTimes) {
  const std::string failed = DataFile("import/vllm_serve/some_failed.json");
  const std::string fine = DataFile("import/" + kServeSample);
  expect(compared(fine, failed), Exit::kFailed, "failed_requests");
  expect(compared(failed, fine), Exit::kNotComparable, "failed_requests");
}

TEST_F(Reasons, AveragesAloneCarryNoVerdict) {
  const Edit averages_only = [](json& run) {
    for (const char* key : {"input_lens", "output_lens", "ttfts", "itls", "latencies", "errors"}) {
      run.erase(key);
    }
    // The run's own quotients are one sample each.
    for (const char* key : {"request_throughput", "output_throughput", "total_token_throughput"}) {
      run.erase(key);
    }
    run["request_throughput"] = 14.634146341463415;
  };
  const std::string baseline = edited(kServeSample, "baseline.json", averages_only);
  const std::string candidate = edited(kServeSample, "candidate.json", [&](json& run) {
    averages_only(run);
    run["mean_ttft_ms"] = 1000.0;
  });
  expect(compared(baseline, candidate), Exit::kInconclusive,
         "aggregate_only: a mean without its samples");
}

TEST_F(Reasons, EnvironmentsDiffer) {
  const auto file = [&](const std::string& name, const char* key, const json& value) {
    json context = {{"num_cpus", 4}, {"library_build_type", "release"}, {"site", "a"}};
    context[key] = value;
    json row = {{"name", "a"},       {"run_name", "a"},   {"run_type", "iteration"},
                {"iterations", 100}, {"real_time", 12.5}, {"cpu_time", 12.5},
                {"time_unit", "ns"}};
    write_text(folder_ / name, json{{"context", context}, {"benchmarks", {row}}}.dump());
    return folder_ / name;
  };
  const std::string baseline = file("baseline", "site", "a");
  expect(compared(baseline, file("cpus", "num_cpus", 64)), Exit::kNotComparable,
         "hardware_mismatch: context.num_cpus: 4 against 64");
  expect(compared(baseline, file("compiler", "compiler", "clang 19")), Exit::kNotComparable,
         "toolchain_mismatch: context.compiler: not stated against clang 19");
  expect(compared(baseline, file("site", "site", "b")), Exit::kNotComparable,
         "environment_mismatch: context.site: a against b");
}

// A result with one counter, imported under a policy that says what it means.
class Counters : public Reasons {
 protected:
  std::string import(const std::string& name, double value, const std::string& metric,
                     const std::string& counter = "joules") const {
    // No two runs have the same time to the last digit.
    const double time = 12.5 + 1e-9 * static_cast<double>(name.size());
    const json row = {{"name", "a"},       {"run_name", "a"},   {"run_type", "iteration"},
                      {"repetitions", 1},  {"threads", 1},      {"repetition_index", 0},
                      {"iterations", 100}, {"real_time", time}, {"cpu_time", time},
                      {"time_unit", "ns"}, {counter, value}};
    const json file = {{"context", {{"library_build_type", "release"}}}, {"benchmarks", {row}}};
    write_text(folder_ / (name + ".json"), file.dump());
    std::vector<std::string> arguments = {"import",   folder_ / (name + ".json"),   "--arm", name,
                                          "--output", folder_ / (name + ".session")};
    if (!metric.empty()) {
      write_text(folder_ / (name + ".policy"),
                 R"({"format":"perfgate-policy","version":1,"metrics":[)" + metric + "]}");
      arguments.insert(arguments.end(), {"--policy", folder_ / (name + ".policy")});
    }
    const Finished imported = perfgate(arguments);
    EXPECT_EQ(imported.exit_code, 0) << imported.err;
    return folder_ / (name + ".session");
  }
};

constexpr const char* kJoules =
    R"({"name":"joules","unit":"1","direction":"lower","kind":"score"})";

TEST_F(Counters, MetricsDiffer) {
  const std::string baseline = import("baseline", 5, kJoules);
  expect(compared(baseline, import("unit", 5,
                                   R"({"name":"joules","unit":"B","direction":"lower",)"
                                   R"("kind":"score"})")),
         Exit::kNotComparable, "unit_mismatch: unit of joules: 1 against B");
  expect(compared(baseline, import("direction", 5,
                                   R"({"name":"joules","unit":"1","direction":"higher",)"
                                   R"("kind":"score"})")),
         Exit::kNotComparable, "direction_mismatch: direction of joules: lower against higher");
  expect(compared(baseline, import("metric", 5, "", "watts")), Exit::kNotComparable,
         "metric_mismatch: only the baseline reports joules");
}

TEST_F(Counters, WhatNobodyDeclaresIsShownAndNeverJudged) {
  const std::string baseline = import("baseline", 5, "");
  EXPECT_THAT(unwrapped(perfgate({"report", baseline}).out), HasSubstr("unknown_metric"));
  // A hundred times worse, and the exit is that of the times alone.
  const Finished finished = compared(baseline, import("candidate", 500, ""));
  expect(finished, Exit::kInconclusive, "unknown_metric");
  for (const ColumnVerdict& column : read_verdict(folder_ / "verdict.json").columns) {
    EXPECT_EQ(column.gated, column.metric.name == "real_time") << column.metric.name;
  }
  // The candidate cannot take a declared metric out of the judgement by not declaring it.
  const Finished hidden = compared(import("declared", 5, kJoules), import("undeclared", 500, ""));
  for (const ColumnVerdict& column : read_verdict(folder_ / "verdict.json").columns) {
    EXPECT_EQ(column.gated, column.metric.name != "cpu_time") << column.metric.name;
  }
}

// Sessions of perfgate's own, as `perfgate run` writes them.
class Recorded : public Reasons {
 protected:
  std::string session(const std::string& name, const std::function<void(Session&)>& edit) const {
    Session session;
    session.id = std::string(32, 'a');
    session.tool = "perfgate";
    session.complete = true;
    session.schedule.seed = std::string(16, '0');
    session.machine.cpu_model = "Example 9000";
    session.arms.resize(1);
    session.arms[0].label = session.arms[0].path = name;
    session.arms[0].digest = "sha256:" + name;
    session.arms[0].build.compiler = "GNU 12.2.0";
    session.arms[0].build.known = session.arms[0].build.optimized = true;
    session.metrics = {Metric{}};
    session.cases.resize(1);
    session.cases[0].name = "sort";
    RoundInfo round;
    round.cases.resize(1);
    round.cases[0].values = {{{0.001, 0.001}}};
    session.rounds = {round};
    edit(session);
    write_session(folder_ / name, session);
    return folder_ / name;
  }
};

TEST_F(Recorded, MachinesAndCompilersDiffer) {
  const std::string baseline = session("baseline", [](Session&) {});
  expect(compared(baseline, session("same", [](Session&) {})), Exit::kInconclusive, "few_sessions");
  expect(
      compared(baseline, session("machine", [](Session& s) { s.machine.cpu_model = "Example 1"; })),
      Exit::kNotComparable, "hardware_mismatch");
  expect(compared(baseline,
                  session("compiler", [](Session& s) { s.arms[0].build.compiler = "GNU 13.1.0"; })),
         Exit::kNotComparable, "toolchain_mismatch: compiler: GNU 12.2.0 against GNU 13.1.0");
  expect(
      compared(baseline, session("debug", [](Session& s) { s.arms[0].build.optimized = false; })),
      Exit::kNotComparable, "build_type_mismatch");
  expect(compared(baseline, session("slices", [](Session& s) { s.policy.pairs = 40; })),
         Exit::kNotComparable, "plan_mismatch");
}

}  // namespace
}  // namespace perfgate
