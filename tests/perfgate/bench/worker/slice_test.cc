// SPDX-License-Identifier: Apache-2.0
// Runs slices of sample_cases in a worker. What the cases counted themselves is the oracle for
// iterations.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/perfgate/bench/worker/measured.h"

namespace perfgate::bench {
namespace {

using nlohmann::json;

TEST(Worker, RunsExactlyTheIterationsAskedFor) {
  WorkerClient worker(SAMPLE);
  for (const char* name :
       {"Plain", "Args/rows:8/cols:16", "Args/rows:64/cols:-2", "MinTime/min_time:0.050",
        "WarmUp/min_time:0.010/min_warmup_time:0.010", "Template<double, 3>", "Fixture/Ready/1",
        "Complex/16", "Complex/64", "SetupTeardown"}) {
    for (const std::int64_t n : {1, 7, 1000, 3}) {
      const json reply = Measure(worker, name, n);
      EXPECT_EQ(reply.value("iterations", 0), n) << name;
      EXPECT_EQ(Counter(reply, "n"), static_cast<double>(n)) << name;
      EXPECT_GT(reply["real_s"].get<double>(), 0) << name;
    }
  }
  EXPECT_FALSE(Measure(worker, "Plain", 2)["counters"].contains("other"));
  // Versions of the library spell the name of a template fixture differently.
  int template_fixtures = 0;
  for (const json& c : worker.list().at("cases")) {
    const std::string name = c.at("name");
    if (name.find("Typed") == std::string::npos) continue;
    EXPECT_EQ(Counter(Measure(worker, name, 9), "n"), 9);
    ++template_fixtures;
  }
  EXPECT_EQ(template_fixtures, 1);
  EXPECT_EQ(Counter(Measure(worker, "Args/rows:64/cols:-2", 2), "sum"), 62);
  EXPECT_EQ(Counter(Measure(worker, "Template<double, 3>", 2), "size"), 24);
  EXPECT_EQ(Counter(Measure(worker, "Fixture/Ready/1", 2), "ready"), 42);
}

TEST(Worker, RunsEveryOddName) {
  WorkerClient worker(SAMPLE);
  const json cases = worker.list().at("cases");
  const int first = worker.Find("quote\"backslash\\slash/");
  ASSERT_GE(first, 0);
  std::set<std::string> names;
  for (auto id = static_cast<std::size_t>(first); id < cases.size(); ++id) {
    const std::string name = cases[id].at("name");
    names.insert(name);
    EXPECT_EQ(Counter(Measure(worker, name, 5), "n"), 5) << name;
  }
  EXPECT_EQ(names.size(), 10U);
  EXPECT_EQ(names.count("two\nlines\r\n\ttab\b\f"), 1U);
  EXPECT_EQ(names.count("\nnewline first"), 1U);
}

TEST(Worker, KeepsFixedIterationsByRunningThemOverAndOver) {
  WorkerClient worker(SAMPLE);
  const int id = worker.Find("Fixed/iterations:25");
  ASSERT_GE(id, 0);
  EXPECT_EQ(worker.list().at("cases")[static_cast<std::size_t>(id)].at("fixed_iterations"), 25);
  const json once = worker.Slice(id, 25);
  EXPECT_EQ(once.value("iterations", 0), 25) << once.dump();
  EXPECT_EQ(Counter(once, "n"), 25);
  const json four = worker.Slice(id, 100);
  EXPECT_EQ(four.value("iterations", 0), 100) << four.dump();
  EXPECT_EQ(Counter(four, "n"), 25);  // a counter is averaged over the runs
  EXPECT_EQ(worker.Slice(id, 30).value("error", ""), "protocol");
  // The other cases are not affected.
  EXPECT_EQ(Counter(Measure(worker, "Plain", 7), "n"), 7);

  const json uneven = Measure(worker, "Uneven/iterations:2/real_time", 12);
  EXPECT_EQ(uneven.value("iterations", 0), 12);
  EXPECT_GE(uneven["total_s"].get<double>(), 6 * 500e-6 + 6 * 2000e-6);
  EXPECT_LE(uneven["total_s"].get<double>(), uneven["wall_s"].get<double>());
  EXPECT_EQ(Counter(uneven, "pause"), 1250);
  // A rate over uneven runs is all work over all time, not the mean of the rates. The library's
  // seconds and ours are the same, so only rounding is left.
  EXPECT_NEAR(Counter(uneven, "rate") * uneven["real_s"].get<double>(), 1, 1e-9);
}

TEST(Worker, SharesIterationsAmongRepetitions) {
  WorkerClient worker(SAMPLE);
  for (const char* name :
       {"Repeated/repeats:3", "AggregatesOnly/repeats:4", "DisplayAggregates/repeats:2",
        "FixedRepeated/iterations:10/repeats:2"}) {
    const int id = worker.Find(name);
    ASSERT_GE(id, 0) << name;
    const std::int64_t step =
        worker.list().at("cases")[static_cast<std::size_t>(id)].at("fixed_iterations");
    const std::int64_t n = 240;
    ASSERT_EQ(n % std::max<std::int64_t>(1, step), 0) << name;
    const json reply = Measure(worker, name, n);
    EXPECT_EQ(reply.value("iterations", 0), n) << name;
    EXPECT_GT(reply["real_s"].get<double>(), 0) << name;
  }
  const json manual = Measure(worker, "ManualRepeated/700/repeats:3/manual_time", 30);
  EXPECT_NEAR(manual["real_s"].get<double>(), 700e-9, 1e-15);
  EXPECT_NEAR(manual["total_s"].get<double>(), 21e-6, 1e-12);
}

TEST(Worker, IsNotMisledByArgumentsThatLookLikeSuffixes) {
  WorkerClient worker(SAMPLE);
  for (const char* name : {"Misleading/iterations:3/repeats:5", "Misleading/iterations:7",
                           "Misleading/iterations:4"}) {
    const int id = worker.Find(name);
    ASSERT_GE(id, 0) << name;
    const std::int64_t n = 420;  // a multiple of 15, 7 and 4
    EXPECT_EQ(worker.Slice(id, n).value("iterations", 0), n) << name;
    // Learned by now on every version: one run makes all of them.
    EXPECT_EQ(Counter(Measure(worker, name, n), "n"), static_cast<double>(n)) << name;
  }
}

TEST(Worker, TellsTwinsApart) {
  WorkerClient worker(SAMPLE);
  const json cases = worker.list().at("cases");
  std::vector<int> twins;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].at("name") == "Twin/1/2") twins.push_back(static_cast<int>(i));
  }
  ASSERT_EQ(twins.size(), 3U);
  for (const int id : twins) {
    const json reply = worker.Slice(id, 11);
    EXPECT_EQ(reply.value("case", -1), id);
    EXPECT_EQ(Counter(reply, "n"), 11);
    // The first is of another family, whose function does not count `sum`.
    EXPECT_EQ(reply["counters"].contains("sum"), id != twins[0]) << reply.dump();
  }
}

TEST(Worker, CountsThreadsAndTimesOneOfThem) {
  WorkerClient worker(SAMPLE);
  for (const int threads : {1, 3}) {
    const std::string name = "Sleep/real_time/threads:" + std::to_string(threads);
    const json reply = Measure(worker, name, 5);
    EXPECT_EQ(worker.list()["cases"][static_cast<std::size_t>(worker.Find(name))]["threads"],
              threads);
    EXPECT_EQ(reply.value("iterations", 0), 5);
    EXPECT_EQ(Counter(reply, "n"), 5.0 * threads);
    // Every thread sleeps 1 ms per iteration, at the same time: 1 ms per iteration, whatever the
    // library's version makes of it. It cannot be less, and 1/3 ms is what 1.7 would print.
    EXPECT_GE(reply["real_s"].get<double>(), 1e-3);
    EXPECT_LE(reply["total_s"].get<double>(), reply["wall_s"].get<double>());
    EXPECT_LT(reply["cpu_s"].get<double>(), reply["real_s"].get<double>());
  }
  const json manual = Measure(worker, "ManualThreads/2000/manual_time/threads:2", 4);
  EXPECT_NEAR(manual["real_s"].get<double>(), 2e-6, 1e-15);
  EXPECT_EQ(Counter(Measure(worker, "SleepProcess/process_time/real_time/threads:2", 2), "n"), 4);
}

TEST(Worker, NamesTheClockOfACase) {
  WorkerClient worker(SAMPLE);
  const auto clock = [&](const std::string& name) {
    return worker.list().at("cases")[static_cast<std::size_t>(worker.Find(name))].at("time");
  };
  EXPECT_EQ(clock("Plain"), "cpu");
  EXPECT_EQ(clock("Sleep/real_time/threads:1"), "real");
  EXPECT_EQ(clock("Manual/1500/manual_time"), "manual");
}

TEST(Worker, DeliversManualTimeAsItIs) {
  WorkerClient worker(SAMPLE);
  const json reply = Measure(worker, "Manual/1500/manual_time", 8);
  EXPECT_NEAR(reply["real_s"].get<double>(), 1500e-9, 1e-15);
  EXPECT_NEAR(reply["total_s"].get<double>(), 12e-6, 1e-12);
  const json negative = Measure(worker, "Manual/-250/manual_time", 8);
  EXPECT_NEAR(negative["real_s"].get<double>(), -250e-9, 1e-15);
  const json nan = Measure(worker, "ManualNan/iterations:1/manual_time", 2);
  EXPECT_TRUE(nan["real_s"].is_null()) << nan.dump();
  EXPECT_TRUE(nan["total_s"].is_null());
  EXPECT_TRUE(nan["counters"]["infinite"].is_null());
  EXPECT_TRUE(nan["cpu_s"].is_number());
}

TEST(Worker, ReportsFailedAndSkippedCases) {
  WorkerClient worker(SAMPLE);
  const int id = worker.Find("Fails");
  const json reply = worker.Slice(id, 10);
  EXPECT_EQ(reply.value("error", ""), "failed");
  EXPECT_EQ(reply.value("case", -1), id);
  EXPECT_EQ(reply.value("message", ""), "wrong \"answer\"\n\\xff");
  const json distrusted = worker.Slice(worker.Find("Distrusts"), 10);
  EXPECT_EQ(distrusted.value("error", ""), "invalid");
  EXPECT_EQ(distrusted.value("message", ""), "work after the stop");
  if (worker.Find("Skips") >= 0) {
    const json skipped = worker.Slice(worker.Find("Skips"), 10);
    EXPECT_EQ(skipped.value("error", ""), "skipped");
    EXPECT_EQ(skipped.value("message", ""), "no such hardware");
  }
  EXPECT_EQ(Counter(Measure(worker, "Plain", 2), "n"), 2);
}

TEST(Worker, SaysHowManyIterationsABatchedLoopReallyMade) {
  WorkerClient worker(SAMPLE);
  EXPECT_FALSE(Measure(worker, "Batch", 20).contains("ran"));
  const json rounded = Measure(worker, "Batch", 15);
  EXPECT_EQ(rounded.value("iterations", 0), 15);
  EXPECT_EQ(rounded.value("ran", 0), 20);
  EXPECT_EQ(Counter(rounded, "n"), 20);
}

TEST(Worker, CallsSetupAndTeardownOncePerSlice) {
  WorkerClient worker(SAMPLE);
  for (int slice = 1; slice <= 3; ++slice) {
    const json reply = Measure(worker, "SetupTeardown", 10);
    EXPECT_EQ(Counter(reply, "set_ups"), slice);
    EXPECT_EQ(Counter(reply, "teardowns"), slice - 1);
  }
}

TEST(Worker, RunsACaseNoMoreOftenThanNeeded) {
  WorkerClient worker(SAMPLE);
  const auto set_ups = [&](const std::string& name, std::int64_t n) {
    return Counter(Measure(worker, name, n), "set_ups");
  };
  // Four repetitions where the library cannot be talked out of them; the counter is their mean.
  const double repeated = set_ups("AggregatesOnly/repeats:4", 240);
  EXPECT_LE(set_ups("AggregatesOnly/repeats:4", 240) - repeated, 4);
  if (worker.hello().at("library").get<std::string>().rfind("1.7", 0) == 0) {
    const std::string name = "WarmUp/min_time:0.010/min_warmup_time:0.010";
    const double warmed = set_ups(name, 10);
    EXPECT_EQ(set_ups(name, 10) - warmed, 1);  // later versions warm up in every slice
  }
}

TEST(Worker, ACaseThatNeverLoopsIsNoMeasurement) {
  WorkerClient worker(SAMPLE, {}, kHostile);
  const json reply = worker.Slice(worker.Find("Early"), 10);
  if (reply.is_null()) {
    EXPECT_EQ(worker.Wait().exit_code, 128 + SIGABRT);  // a library built with its own checks
  } else {
    EXPECT_EQ(reply.value("error", ""), "failed") << reply.dump();
    EXPECT_NE(reply.value("message", ""), "");
  }
}

TEST(Worker, AFailedCaseOfAFamilyWithComplexityIsNoMeasurement) {
  WorkerClient worker(SAMPLE, {}, kHostile);
  const json reply = worker.Slice(worker.Find("FailsComplex/2"), 10);
  if (worker.hello().at("library").get<std::string>().rfind("1.7", 0) == 0 || !reply.is_null()) {
    EXPECT_EQ(reply.value("error", ""), "failed") << reply.dump();
  } else {
    EXPECT_NE(worker.Wait().exit_code, 0);  // the library crashes, as it does by hand
  }
}

}  // namespace
}  // namespace perfgate::bench
