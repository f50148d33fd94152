// SPDX-License-Identifier: Apache-2.0
// Drives sample_cases as a worker: what it says of itself, and how it answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/perfgate/bench/worker/measured.h"

namespace perfgate::bench {
namespace {

using nlohmann::json;

// A gate of version 1 sends none and reads none.
TEST(Worker, RepeatsTheNonceOfARequestThatHasOne) {
  WorkerClient worker(SAMPLE);
  const json request = {{"do", "slice"}, {"case", 0}, {"iterations", 1}};
  const json without = worker.Ask(request);
  EXPECT_EQ(without.value("ok", ""), "slice") << without;
  EXPECT_FALSE(without.contains("nonce")) << without;
  json with_nonce = request;
  with_nonce["nonce"] = "0123456789abcdef";
  EXPECT_EQ(worker.Ask(with_nonce).value("nonce", ""), "0123456789abcdef");
  with_nonce["case"] = 100000;  // errors too
  EXPECT_EQ(worker.Ask(with_nonce).value("nonce", ""), "0123456789abcdef");
}

TEST(Worker, SaysHelloAndDescribesTheExecutable) {
  WorkerClient worker(SAMPLE);
  const json& hello = worker.hello();
  EXPECT_EQ(hello.at("perfgate"), 2);
  EXPECT_EQ(hello.at("oldest"), 1);
  EXPECT_THAT(hello.at("library").get<std::string>(), testing::MatchesRegex("[0-9]+\\.[0-9]+.*"));
  EXPECT_EQ(hello.at("build").at("optimized"), static_cast<bool>(BUILD_OPTIMIZED));
#if defined(NDEBUG)
  EXPECT_EQ(hello.at("build").at("assertions"), false);
#else
  EXPECT_EQ(hello.at("build").at("assertions"), true);
#endif
#if defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(hello.at("build").at("sanitizer"), "address");
#elif defined(__GNUC__) && !defined(__clang__)
  EXPECT_EQ(hello.at("build").at("sanitizer"), "");
#endif
  EXPECT_THAT(hello.at("build").at("compiler").get<std::string>(),
              testing::MatchesRegex("(GNU|Clang) [0-9.]+"));
}

TEST(Worker, ListsTheMetrics) {
  WorkerClient worker(SAMPLE);
  const json metrics = worker.list().at("metrics");
  ASSERT_EQ(metrics.size(), 3U);
  EXPECT_EQ(metrics[0],
            json::parse(R"({"name":"real_time","unit":"s","direction":"lower","kind":"time"})"));
  EXPECT_EQ(metrics[1],
            json::parse(R"({"name":"rate","unit":"1/s","direction":"higher","kind":"rate"})"));
  EXPECT_EQ(metrics[2],
            json::parse(R"({"name":"n","unit":"","direction":"lower","kind":"count"})"));
}

TEST(Worker, ListsTheDeclaredWork) {
  WorkerClient worker(SAMPLE);
  int declared = 0;
  for (const json& c : worker.list().at("cases")) {
    if (!c.contains("work")) continue;
    ++declared;
    EXPECT_EQ(c.at("name"), "Args/rows:8/cols:16");
    EXPECT_EQ(c.at("work"),
              json::parse(R"({"bytes":128.0,"flops":16.0,"ceiling":"MinTime/min_time:0.050"})"));
  }
  EXPECT_EQ(declared, 1);
}

TEST(Worker, ListsEveryCaseThatTheExecutableListsByHand) {
  WorkerClient worker(SAMPLE);
  std::string names;
  for (const json& c : worker.list().at("cases")) {
    names += c.at("name").get<std::string>() + "\n";
  }
  const Finished stock = RunProgram(STOCK, {"--benchmark_list_tests"});
  // Only the invalid bytes are shown differently.
  std::string expected;
  for (const char c : stock.out) expected += c;
  const auto replace = [&expected](const std::string& from, const std::string& to) {
    const std::size_t at = expected.find(from);
    ASSERT_NE(at, std::string::npos);
    expected.replace(at, from.size(), to);
  };
  replace("\xff\xc0\xaf\xed\xa0\x80\xf5", R"(\xff\xc0\xaf\xed\xa0\x80\xf5)");
  replace("\xe2\x82\n", "\\xe2\\x82\n");
  EXPECT_EQ(names, expected);
  EXPECT_EQ(worker.Find("DISABLED_Never"), -1);
}

TEST(Worker, AnswersNonsenseAndLivesOn) {
  WorkerClient worker(SAMPLE);
  const std::vector<std::string> nonsense = {
      "garbage",
      "",
      "{",
      "[]",
      "null",
      "{}",
      "\xff\xfe",
      R"({"do":7})",
      R"({"do":"dance"})",
      R"({"do":"slice"})",
      R"({"do":"slice","case":0})",
      R"({"do":"slice","case":0,"iterations":0})",
      R"({"do":"slice","case":0,"iterations":-5})",
      R"({"do":"slice","case":0,"iterations":1.5})",
      R"({"do":"slice","case":0,"iterations":"1"})",
      R"({"do":"slice","case":0,"iterations":18446744073709551615})",
      R"({"do":"slice","case":-1,"iterations":1})",
      R"({"do":"slice","case":100000,"iterations":1})",
      R"({"do":"slice","case":null,"iterations":1})",
      std::string(100'000, '['),
      std::string(3'000'000, 'x'),
  };
  for (const std::string& line : nonsense) {
    worker.SendRaw(line + "\n");
    const auto reply = worker.Receive();
    ASSERT_TRUE(reply.has_value()) << line.substr(0, 80);
    EXPECT_EQ(reply->value("error", ""), "protocol") << line.substr(0, 80);
    EXPECT_NE(reply->value("message", ""), "") << line.substr(0, 80);
    EXPECT_EQ(reply->value("message", "").find("1 MiB") != std::string::npos,
              line.size() > 1'048'576);
  }
  EXPECT_EQ(Counter(Measure(worker, "Plain", 3), "n"), 3);
}

TEST(Worker, AnswersRequestsThatArriveTogetherOrInPieces) {
  WorkerClient worker(SAMPLE);
  worker.SendRaw("{\"do\":\"nothing\"}\n{\"do\":\"list\"}\n{\"do\":");
  EXPECT_EQ(worker.Receive()->value("error", ""), "protocol");
  EXPECT_EQ(worker.Receive()->value("ok", ""), "list");
  worker.SendRaw("\"list\"}\n");
  EXPECT_EQ(worker.Receive()->value("ok", ""), "list");
}

TEST(Worker, IsQuietAndQuits) {
  WorkerClient worker(SAMPLE);
  Measure(worker, "Plain", 10);
  Measure(worker, "Complex/32", 10);
  worker.Slice(worker.Find("Fails"), 1);
  EXPECT_EQ(worker.Ask({{"do", "quit"}}), json::parse(R"({"ok":"quit"})"));
  EXPECT_FALSE(worker.Receive().has_value());
  const Finished end = worker.Wait();
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.out, "");
  EXPECT_EQ(end.err, "");
}

TEST(Worker, EndsWhenTheGateIsGone) {
  WorkerClient worker(SAMPLE);
  Measure(worker, "Plain", 10);
  const Finished end = worker.Wait();
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.out + end.err, "");
}

TEST(Worker, OverridesFlagsThatWouldChangeASlice) {
  WorkerClient worker(SAMPLE,
                      {"--benchmark_repetitions=5", "--benchmark_filter=Nothing",
                       "--benchmark_report_aggregates_only", "--benchmark_context=a=b",
                       "--benchmark_list_tests", "--benchmark_format=json", "--v=3"},
                      {"BENCHMARK_REPETITIONS=4", "BENCHMARK_MIN_WARMUP_TIME=0.2",
                       "BENCHMARK_OUT=/nonexistent/file"});
  const json reply = Measure(worker, "Plain", 10);
  EXPECT_EQ(Counter(reply, "n"), 10);
  EXPECT_EQ(reply.value("iterations", 0), 10);
  worker.Ask({{"do", "quit"}});
  const Finished end = worker.Wait();
  EXPECT_EQ(end.out + end.err, "");
}

TEST(Worker, ChildrenOfABenchmarkNeitherAnswerNorHoldTheSocket) {
  WorkerClient worker(SAMPLE, {}, kHostile);
  EXPECT_EQ(Counter(Measure(worker, "Forks", 4), "child_status"), 0);
  EXPECT_EQ(Counter(Measure(worker, "Forks/raw", 4), "child_status"), 0);
  EXPECT_EQ(Counter(Measure(worker, "Plain", 3), "n"), 3);
  // The child sleeps on; the stream must end with the worker all the same.
  Measure(worker, "Hold/SleepForever", 1);
  const auto start = std::chrono::steady_clock::now();
  worker.Ask({{"do", "quit"}});
  EXPECT_FALSE(worker.Receive().has_value());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
  EXPECT_EQ(worker.Wait().out, "");
}

TEST(Worker, ACaseThatExitsEndsTheStream) {
  WorkerClient worker(SAMPLE, {}, kHostile);
  EXPECT_TRUE(worker.Slice(worker.Find("Exits"), 1).is_null());
  EXPECT_EQ(worker.Wait().exit_code, 3);
}

}  // namespace
}  // namespace perfgate::bench
