// SPDX-License-Identifier: Apache-2.0
// Every kind of Google Benchmark case that the worker must handle. Linked twice: with
// perfgate::main and with benchmark::benchmark_main, to compare the two by hand.
//
// Cases count their own iterations in the counter `n` (summed over threads), because what the
// library reports is what is under test.
#include <benchmark/benchmark.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void Work(benchmark::State& state) {
  std::int64_t n = 0;
  for (auto _ : state) {
    ++n;
    benchmark::ClobberMemory();
  }
  state.counters["n"] = static_cast<double>(n);
}

// Names that contain another's, registered first: a filter that is too wide finds these.
void Other(benchmark::State& state) {
  Work(state);
  state.counters["other"] = 1;
}
BENCHMARK(Other)->Name("Not/Plain");
BENCHMARK(Other)->Name("Plain/not");

void Plain(benchmark::State& state) { Work(state); }
BENCHMARK(Plain);

void Args(benchmark::State& state) {
  Work(state);
  state.counters["sum"] = static_cast<double>(state.range(0) + state.range(1));
}
BENCHMARK(Args)->ArgNames({"rows", "cols"})->Args({8, 16})->Args({64, -2});

// Arguments that read like what the library appends.
BENCHMARK(Args)->Name("Misleading")->ArgNames({"iterations", "repeats"})->Args({3, 5});
BENCHMARK(Plain)->Name("Misleading")->ArgName("iterations")->Arg(7);
BENCHMARK(Plain)->Name("Misleading/iterations:4");

BENCHMARK(Plain)->Name("Fixed")->Iterations(25);
BENCHMARK(Plain)->Name("MinTime")->MinTime(0.05);
BENCHMARK(Plain)->Name("Repeated")->Repetitions(3);
BENCHMARK(Plain)->Name("DisplayAggregates")->Repetitions(2)->DisplayAggregatesOnly();
BENCHMARK(Plain)->Name("FixedRepeated")->Iterations(10)->Repetitions(2);
BENCHMARK(Plain)->Name("Twin");
BENCHMARK(Plain)->Name("Twin")->Args({1, 2});
BENCHMARK(Args)->Name("Twin")->Args({1, 2})->Args({1, 2});

template <typename T, int kSize>
void Template(benchmark::State& state) {
  Work(state);
  state.counters["size"] = sizeof(T) * kSize;
}
BENCHMARK_TEMPLATE(Template, double, 3);

class Fixture : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State&) override { ready_ = 42; }
  void TearDown(const benchmark::State&) override { ready_ = 0; }

 protected:
  int ready_ = 0;
};
BENCHMARK_DEFINE_F(Fixture, Ready)(benchmark::State& state) {
  Work(state);
  state.counters["ready"] = ready_;
}
BENCHMARK_REGISTER_F(Fixture, Ready)->Arg(1);

template <typename T>
class TemplateFixture : public benchmark::Fixture {};
BENCHMARK_TEMPLATE_F(TemplateFixture, Typed, int)(benchmark::State& state) { Work(state); }

// One iteration sleeps 1 ms in every thread.
void Sleep(benchmark::State& state) {
  double n = 0;
  for (auto _ : state) {
    usleep(1000);
    ++n;
  }
  state.counters["n"] = n;
  state.counters["rate"] = benchmark::Counter(n, benchmark::Counter::kIsRate);
  state.SetItemsProcessed(static_cast<std::int64_t>(n));
}
BENCHMARK(Sleep)->Threads(1)->Threads(3)->UseRealTime();
BENCHMARK(Sleep)->Name("SleepProcess")->Threads(2)->MeasureProcessCPUTime()->UseRealTime();

// Every other run is four times slower.
void Uneven(benchmark::State& state) {
  static int runs = 0;
  const useconds_t pause = runs++ % 2 == 0 ? 500 : 2000;
  double n = 0;
  for (auto _ : state) {
    usleep(pause);
    ++n;
  }
  state.counters["rate"] = benchmark::Counter(n, benchmark::Counter::kIsRate);
  state.counters["pause"] = pause;
}
BENCHMARK(Uneven)->Iterations(2)->UseRealTime();

// Manual time: range(0) nanoseconds per iteration, whatever the clock says.
void Manual(benchmark::State& state) {
  double n = 0;
  for (auto _ : state) {
    state.SetIterationTime(static_cast<double>(state.range(0)) * 1e-9);
    ++n;
  }
  state.counters["n"] = n;
}
BENCHMARK(Manual)->UseManualTime()->Arg(1500)->Arg(-250);
BENCHMARK(Manual)->Name("ManualThreads")->UseManualTime()->Arg(2000)->Threads(2);
BENCHMARK(Manual)->Name("ManualRepeated")->UseManualTime()->Arg(700)->Repetitions(3);

void ManualNan(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(std::nan(""));
  state.counters["infinite"] = HUGE_VAL;
}
BENCHMARK(ManualNan)->UseManualTime()->Iterations(1);  // fixed: by hand it would never end

void Fails(benchmark::State& state) {
  for (auto _ : state) {
    state.SkipWithError("wrong \"answer\"\n\xff");
    break;
  }
}
BENCHMARK(Fails);

void Distrusts(benchmark::State& state) {
  for (auto _ : state) {
    state.SkipWithError("invalid: work after the stop");
    break;
  }
}
BENCHMARK(Distrusts);
void Complex(benchmark::State& state) {
  Work(state);
  state.SetComplexityN(state.range(0));
}
BENCHMARK(Complex)->RangeMultiplier(2)->Range(16, 64)->Complexity(benchmark::oN);

#if defined(SAMPLE_SKIP_WITH_MESSAGE)
void Skips(benchmark::State& state) {
  state.SkipWithMessage("no such hardware");
  for (auto _ : state) {
  }
}
BENCHMARK(Skips);
#endif

void Batch(benchmark::State& state) {
  double n = 0;
  while (state.KeepRunningBatch(10)) n += 10;
  state.counters["n"] = n;
}
BENCHMARK(Batch);

std::atomic<int> set_ups{0};
std::atomic<int> teardowns{0};
void SetUpOnce(const benchmark::State&) { ++set_ups; }
void TearDownOnce(const benchmark::State&) { ++teardowns; }
void SetupTeardown(benchmark::State& state) {
  Work(state);
  state.counters["set_ups"] = set_ups.load();
  state.counters["teardowns"] = teardowns.load();
}
BENCHMARK(SetupTeardown)->Setup(SetUpOnce)->Teardown(TearDownOnce);
BENCHMARK(SetupTeardown)->Name("WarmUp")->MinTime(0.01)->MinWarmUpTime(0.01)->Setup(SetUpOnce);
BENCHMARK(SetupTeardown)
    ->Name("AggregatesOnly")
    ->Repetitions(4)
    ->ReportAggregatesOnly()
    ->Setup(SetUpOnce);

// The child returns into the library and the worker, as a careless benchmark would let it.
template <bool kRaw>
void Forks(benchmark::State& state) {
  Work(state);
  // The raw call passes by the handlers that fork() runs.
  const auto child = kRaw ? static_cast<pid_t>(syscall(SYS_fork)) : fork();
  if (child == 0) return;
  int status = -1;
  waitpid(child, &status, 0);
  state.counters["child_status"] = status;
}

void Early(benchmark::State&) {}  // never loops

void Exits(benchmark::State& state) {
  for (auto _ : state) std::exit(3);
}

const int kRegistered = [] {
  // Only on request: by hand the child would print a report of its own.
  if (std::getenv("SAMPLE_HOSTILE") != nullptr) {
    benchmark::RegisterBenchmark("Forks", Forks<false>);
    benchmark::RegisterBenchmark("Forks/raw", Forks<true>);
    benchmark::RegisterBenchmark("Early", Early);
    benchmark::RegisterBenchmark("FailsComplex", Fails)->Arg(1)->Arg(2)->Complexity();
    benchmark::RegisterBenchmark("Exits", Exits);
    benchmark::RegisterBenchmark("Hold/SleepForever", [](benchmark::State& state) {
      // A child that outlives the worker must not keep the socket open.
      if (fork() == 0) {
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        sleep(5);
        _exit(0);
      }
      Work(state);
    });
  }
  benchmark::RegisterBenchmark("DISABLED_Never", Plain);
  const std::vector<std::string> odd = {
      "quote\"backslash\\slash/",
      "regex ^$.[a]|(b)*+?{2}-",
      "two\nlines\r\n\ttab\b\f",
      "\nnewline first",
      "invalid \xff\xc0\xaf\xed\xa0\x80\xf5 bytes",
      "valid \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\x89",
      "cut \xe2\x82",
      "-starts with a minus",
      "all",
  };
  for (const std::string& name : odd) benchmark::RegisterBenchmark(name.c_str(), Plain);
  std::string controls;
  for (char c = 1; c < 32; ++c) controls += c;
  benchmark::RegisterBenchmark((controls + "\x7f").c_str(), Plain);
  return 0;
}();

}  // namespace
