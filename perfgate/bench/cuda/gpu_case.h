// SPDX-License-Identifier: Apache-2.0
// gpu_case.h: one GPU case in a Google Benchmark loop: timed by events, guarded, explained.
//
//   void RmsNorm(benchmark::State& state) {
//     static Data data = ...;  // once per process: as many sets of buffers as RotationsFor() says
//     perfgate::bench::GpuCase gpu(Meter(), state,
//                                  {.name = "rmsnorm/rows:16384/cols:8192/cache:cold",
//                                   .cache = perfgate::bench::Cache::kCold,
//                                   .work = {.bytes = 5.4e8, .bytes_written = 2.7e8},
//                                   .buffers = data.buffers(),
//                                   .kernels = {{"*RmsNormVector"}}});
//     gpu.Run([&](int rotation, cudaStream_t stream) { data.launch(rotation, stream); });
//   }
//   BENCHMARK(RmsNorm)->Name("rmsnorm/rows:16384/cols:8192/cache:cold")->UseManualTime();
//
// A sample is one call where physics keeps it above 100 us, else one launch of a captured graph of
// calls on rotating buffers, no more calls than a cold case has sets of them. Which, is decided
// from what is declared and from the device's peak rates, so that both arms of a comparison decide
// alike; gpu_calls_per_sample reports it. Samples of one call are recorded as `gpu_call`
// (recorder.h): percentiles that a gate shows, and judges where a rule says so. Iterations of
// Google Benchmark are calls. docs/gpu.md has the rest.
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <vector>

#include "perfgate/bench/cuda/gpu_meter.h"
#include "perfgate/bench/guard.h"
#include "perfgate/bench/kernel_names.h"
#include "perfgate/bench/sample_plan.h"

namespace perfgate::bench {

struct GpuSpec {
  std::string name;  // of the case; must say cache:cold or cache:hot as `cache` does
  Cache cache = Cache::kCold;
  CallWork work{};
  Buffers buffers{};
  std::vector<ExpectedKernel> kernels{};  // of one call; empty: not checked
  int calls_per_sample = 0;               // 0: decided as above; cold: at most the sets of buffers
  // False for a call that waits for its own stream, so that it cannot be queued behind a held one.
  // Its time then contains what the host adds between launches.
  bool hold = true;
};

class GpuCase {
 public:
  using Call = std::function<void(int rotation, cudaStream_t stream)>;

  GpuCase(GpuMeter& meter, benchmark::State& state, GpuSpec spec);

  // Runs the benchmark's loop. Whatever is wrong ends the case by SkipWithError: "invalid: ..." for
  // numbers that cannot be trusted, "gpu_...: ..." for trouble with the device, other texts for
  // wrong results and wrong declarations. A kernel that breaks the context ends the process with
  // exit code 11, because nothing can run in it any more: the gate charges the case and starts
  // anew.
  void Run(const Call& call);

 private:
  struct Outcome;
  void RunLoop(const Call& call);
  void Inspect(const Call& call);
  std::string DeclarationError() const;
  Finding WarmUp(const Call& call);
  void Prepare(const Call& call);
  void Queue(std::int64_t sample, const Call& call);
  Finding Sample(std::int64_t sample, const Call& call, GpuSample* timed);
  Finding JudgeSetAside() const;
  Finding JudgeTime(const GpuSample& timed) const;
  Finding JudgeClocks(const Call& call);
  Finding JudgeThreads(const Call& call);
  void Report(double seconds_per_call);
  void ReportMemory();
  int FirstRotation(std::int64_t sample) const;
  void Settle() const;
  bool IsCold() const;  // has data and finds it in memory

  GpuMeter* meter_;
  benchmark::State* state_;
  GpuSpec spec_;
  Guard* guard_ = nullptr;
  int rotations_ = 1;
  int calls_ = 1;  // per sample
  std::vector<cudaGraphExec_t> graphs_;
  std::vector<TimedSample> samples_;
};

// Runs `body`, which may make buffers and a GpuCase, and ends the case as its GpuError says.
void RunGpuCase(benchmark::State& state, const std::string& name,
                const std::function<void()>& body);

// Cases that time an empty kernel of this grid in the way of the others: "launch_floor/blocks:132/
// threads:256/mode:graph/cache:hot" as a node of a graph and ".../mode:single/..." by itself.
// `meter` must outlive the benchmarks; it is asked for when a case runs.
void RegisterLaunchFloor(const std::function<GpuMeter&()>& meter, int blocks, int threads);

}  // namespace perfgate::bench
