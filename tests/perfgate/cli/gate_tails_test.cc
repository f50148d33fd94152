// SPDX-License-Identifier: Apache-2.0
// `perfgate gate` on runs of a server whose slow requests changed and whose median did not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "perfgate/base/error.h"
#include "tests/perfgate/cli/run_command.h"

namespace perfgate {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_command::Finished;
using testing_command::TemporaryFolder;

struct Runs {
  int count = 0;
  int requests = 2000;
  double slow_share = 0;   // of the requests
  double slow_factor = 1;  // on their time to the first token
  int failed = 0;          // the first ones, with nothing but an error
};

class GateTails : public testing::Test {
 protected:
  static double Percentile(std::vector<double> values, double percent) {
    std::sort(values.begin(), values.end());
    const double place = percent / 100 * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - std::floor(place)) * (values[above] - values[below]);
  }

  // As `vllm bench serve --save-detailed` writes it; two tokens a request.
  json Run(const Runs& runs) {
    std::lognormal_distribution<double> service(std::log(0.1), 0.3);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> ttfts;
    std::vector<double> latencies;
    json itls = json::array();
    for (int i = 0; i < runs.requests; ++i) {
      double ttft = service(random_);
      if (uniform(random_) < runs.slow_share) ttft *= runs.slow_factor;
      const double gap = 0.02 + 0.001 * uniform(random_);
      ttfts.push_back(ttft);
      itls.push_back({gap});
      latencies.push_back(ttft + gap);
    }
    const auto count = static_cast<std::size_t>(runs.requests);
    std::vector<int> lengths(count, 2);
    std::vector<std::string> errors(count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(runs.failed); ++i) {
      ttfts[i] = latencies[i] = 0;
      itls[i] = json::array();
      lengths[i] = 0;
      errors[i] = "refused: the queue is full";
    }
    const int completed = runs.requests - runs.failed;
    const auto answered = [&] {
      return std::vector<double>(ttfts.begin() + runs.failed, ttfts.end());
    };
    return {{"date", "20260101-000000"},
            {"backend", "vllm"},
            {"model_id", "m"},
            {"tokenizer_id", "m"},
            {"num_prompts", runs.requests},
            {"request_rate", "inf"},
            {"max_concurrency", 16},
            {"duration", 100.0},
            {"completed", completed},
            {"failed", runs.failed},
            {"total_input_tokens", completed},
            {"total_output_tokens", 2 * completed},
            {"request_throughput", completed / 100.0},
            {"p90_ttft_ms", 1e3 * Percentile(answered(), 90)},
            {"p99_ttft_ms", 1e3 * Percentile(answered(), 99)},
            {"input_lens", std::vector<int>(count, 1)},
            {"output_lens", lengths},
            {"ttfts", ttfts},
            {"itls", itls},
            {"latencies", latencies},
            {"errors", errors},
            {"generated_texts", std::vector<std::string>(count)}};
  }

  std::string Arm(const std::string& arm, const Runs& runs) {
    std::vector<std::string> command = {"import", "--arm", arm, "--output", folder_ / (arm + ".s")};
    command.insert(command.end(), rules_.begin(), rules_.end());
    for (int i = 0; i < runs.count; ++i) {
      const std::string file = folder_ / (arm + std::to_string(i) + ".json");
      testing_command::write_text(file, Run(runs).dump());
      command.push_back(file);
    }
    const Finished imported = testing_command::run_program(PERFGATE_EXE, command);
    EXPECT_EQ(imported.exit_code, 0) << imported.err;
    return folder_ / (arm + ".s");
  }

  Finished Gate(const Runs& candidate, const std::string& tolerance) {
    const Runs baseline{.count = 10, .requests = candidate.requests};
    return testing_command::run_program(
        PERFGATE_EXE, {"gate", "--baseline", Arm("baseline", baseline), "--candidate",
                       Arm("candidate", candidate), "--tolerance", tolerance, "--json",
                       folder_ / "verdict.json", "--all"});
  }

  // "suspected", "no_regression", ... of a metric; empty: it has no column.
  std::string VerdictOn(const std::string& metric) const {
    const json verdict = json::parse(testing_command::read_text(folder_ / "verdict.json"));
    for (const json& column : verdict.at("columns")) {
      if (column.at("metric").at("name") == metric) return column.at("verdict");
    }
    return "";
  }

  TemporaryFolder folder_;
  std::mt19937_64 random_{1};
  std::vector<std::string> rules_;  // further arguments of the import
};

TEST_F(GateTails, TenTimesSlowerRequestsAreFoundAlthoughTheMedianStays) {
  const Finished gate = Gate({.count = 3, .slow_share = 0.04, .slow_factor = 10}, "10%");
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kSuspected)) << gate.out << gate.err;
  EXPECT_EQ(VerdictOn("ttft_p99"), "suspected");
  EXPECT_EQ(VerdictOn("ttft_tail_mean"), "suspected");
  EXPECT_EQ(VerdictOn("ttft"), "no_regression");
  EXPECT_EQ(VerdictOn("itl_p99"), "no_regression");
  EXPECT_NE(VerdictOn("ttft_p90"), "") << "the files name it";
  EXPECT_EQ(VerdictOn("ttft:samples"), "");
}

// One request in a hundred is too few for p99, which then falls on either side of the gap.
TEST_F(GateTails, AThinTailIsFoundByItsMean) {
  const Finished gate = Gate({.count = 3, .slow_share = 0.01, .slow_factor = 5}, "10%");
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kSuspected)) << gate.out << gate.err;
  EXPECT_EQ(VerdictOn("ttft_tail_mean"), "suspected");
  EXPECT_EQ(VerdictOn("ttft"), "no_regression");
}

TEST_F(GateTails, TheSameServerPasses) {
  const Finished gate = Gate({.count = 3}, "20%");
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kPass)) << gate.out << gate.err;
  EXPECT_EQ(VerdictOn("ttft_p99"), "no_regression");
}

TEST_F(GateTails, PercentilesOfFewRequestsAreShownAndNotGated) {
  const Finished gate =
      Gate({.count = 3, .requests = 300, .slow_share = 0.04, .slow_factor = 10}, "20%");
  EXPECT_THAT(gate.out, HasSubstr("few_samples: p99 of 300 calls a round is shown, and gated from "
                                  "2000 on"));
  EXPECT_NE(gate.exit_code, static_cast<int>(Exit::kSuspected)) << gate.out << gate.err;
}

// The times alone would not be red at this tolerance.
TEST_F(GateTails, RequestsBeyondALimitAreCountedAndNamed) {
  rules_ = {"--limit", "ttft=350ms"};
  const Finished gate = Gate({.count = 3, .slow_share = 0.02, .slow_factor = 10}, "1000%");
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kSuspected)) << gate.out << gate.err;
  EXPECT_EQ(VerdictOn("limit_misses"), "suspected");
  EXPECT_EQ(VerdictOn("request_goodput"), "suspected");
  EXPECT_EQ(VerdictOn("ttft_p99"), "no_regression");
}

TEST_F(GateTails, ACandidateThatRefusesMoreRequestsIsNamedWhereSomeMayFail) {
  rules_ = {"--allow-failed", "5%"};
  const Finished gate = Gate({.count = 3, .failed = 40}, "1000%");
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kSuspected)) << gate.out << gate.err;
  EXPECT_EQ(VerdictOn("failed_share"), "suspected");
  EXPECT_EQ(VerdictOn("ttft"), "no_regression");
}

TEST_F(GateTails, ArmsThatWereReadByDifferentRulesAreNotCompared) {
  rules_ = {"--limit", "ttft=350ms"};
  const std::string baseline = Arm("baseline", {.count = 10});
  rules_ = {"--limit", "ttft=400ms"};
  const Finished gate = testing_command::run_program(
      PERFGATE_EXE,
      {"gate", "--baseline", baseline, "--candidate", Arm("candidate", {.count = 3})});
  EXPECT_EQ(gate.exit_code, static_cast<int>(Exit::kNotComparable)) << gate.out << gate.err;
  EXPECT_THAT(gate.out, HasSubstr("request_limits"));
}

TEST(ImportLimits, NonsenseIsRefused) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& rules : {std::vector<std::string>{"--limit", "ttft"},
                                                {"--limit", "queue=1s"},
                                                {"--allow-failed", "5"},
                                                {"--allow-failed", "100%"}}) {
    std::vector<std::string> command = {"import", folder / "missing.json"};
    command.insert(command.end(), rules.begin(), rules.end());
    EXPECT_EQ(testing_command::run_program(PERFGATE_EXE, command).exit_code,
              static_cast<int>(Exit::kUsage))
        << rules.back();
  }
}

}  // namespace
}  // namespace perfgate
