// SPDX-License-Identifier: Apache-2.0
// Benchmarks that look fast by not doing the work, and honest ones that look suspicious.
//
// Every case is listed three times: /defences:all, /defences:off, and /defences:<the one that is
// for it>. fixtures_test.cc says what must become of each.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "perfgate/bench/cuda/gpu_case.h"
#include "perfgate/bench/cuda/gpu_status.h"
#include "tests/perfgate/bench/cuda/fixture.h"

namespace perfgate::bench {
namespace {

Defences DefencesOf(const std::string& which) {
  if (which == "all") return {};
  Defences none;
  const std::map<std::string, bool Defences::*> all = {{"poison", &Defences::poison},
                                                       {"checks", &Defences::checks},
                                                       {"refill", &Defences::refill},
                                                       {"settled", &Defences::settled},
                                                       {"canaries", &Defences::canaries},
                                                       {"inputs", &Defences::inputs},
                                                       {"gate", &Defences::gate},
                                                       {"wall", &Defences::wall},
                                                       {"threads", &Defences::threads},
                                                       {"floor", &Defences::floor},
                                                       {"persisting", &Defences::persisting},
                                                       {"kernels", &Defences::kernels}};
  for (const auto& [name, member] : all) none.*member = false;
  for (const auto& [name, member] : all) {
    if (("+" + which + "+").find("+" + name + "+") != std::string::npos) none.*member = true;
  }
  return none;
}

GpuMeter& MeterOf(const std::string& defences) {
  static std::map<std::string, std::unique_ptr<GpuMeter>> meters;
  std::unique_ptr<GpuMeter>& meter = meters[defences];
  if (!meter) {
    GpuMeterOptions options;
    options.defences = DefencesOf(defences);
    meter = std::make_unique<GpuMeter>(options);
  }
  return *meter;
}

Data& TheData() {
  static Data data;
  return data;
}

GpuSpec SpecOf(Data& data, const std::string& name) {
  GpuSpec spec;
  spec.name = name;
  spec.cache = Cache::kCold;
  // What the work needs by arithmetic: read, write, 2 x kSteps operations per element.
  spec.work = {2.0 * kCount * sizeof(float), 1.0 * kCount * sizeof(float), 2.0 * kCount * kSteps};
  spec.buffers = data.Described(kSets, true);
  spec.calls_per_sample = 1;
  return spec;
}

void Measure(benchmark::State& state, const Fixture& fixture, const std::string& defences,
             const std::string& name) {
  GpuMeter& meter = MeterOf(defences);
  if (!meter.status().empty()) {
    state.SkipWithError(meter.status().c_str());
    return;
  }
  RunGpuCase(state, name, [&] {
    Data& data = TheData();
    // State of a cheat lives as long as the process, as a real one's does.
    static std::map<std::string, Call> calls;
    Call& call = calls[name];
    if (!call) call = fixture.make(data);
    GpuSpec spec = SpecOf(data, name);
    fixture.change(data, spec);
    GpuCase(meter, state, std::move(spec)).Run(call);
    fixture.report(data, state);
  });
}

void ReportHits(Data& data, benchmark::State& state) {
  double hits = 0;
  for (int r = 0; r < kSets; ++r) {
    Memo memo{};
    CheckGpu(cudaMemcpy(&memo, data.MemoOf(r), sizeof memo, cudaMemcpyDeviceToHost), "reading");
    hits += static_cast<double>(memo.hits);
  }
  state.counters["hits"] = hits;
}

std::vector<Fixture> Controls() {
  const auto memoized = [](Data& d) -> Call {
    return [&d](int r, cudaStream_t stream) {
      LaunchMemoized(d.X(r), d.Y(r), d.Kept(r), kCount, d.MemoOf(r), stream);
    };
  };
  return {
      {"hc_plain", "none", Honest,
       [](Data&, GpuSpec& spec) { spec.kernels = {{"*FixtureIterate"}}; }},
      {"hc_joined_streams", "none",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           cudaEventRecord(d.fork, stream);
           cudaStreamWaitEvent(d.side, d.fork, 0);
           LaunchIterate(d.X(r), d.Y(r), kCount / 2, d.side);
           LaunchIterate(d.X(r) + kCount / 2, d.Y(r) + kCount / 2, kCount / 2, stream);
           cudaEventRecord(d.join, d.side);
           cudaStreamWaitEvent(stream, d.join, 0);
         };
       }},
      {"hc_near_floor", "none",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) { LaunchCopy(d.X(r), d.Y(r), kCount, stream); };
       },
       [](Data& d, GpuSpec& spec) {
         spec.buffers = d.Described(kSets, false);
         spec.work.flops = 0;
       }},
      // The honest twin of rt_persist_l2 and rt_evict_last.
      {"hc_one_set", "none",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           LaunchPartialSums(d.X(r), d.Y(r), kKeptCount, stream);
         };
       },
       [](Data& d, GpuSpec& spec) { ReadOneSet(d, spec); }},
      {"hc_async_copy", "none",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           cudaMemcpyAsync(d.Y(r), d.X(r), kCount * sizeof(float), cudaMemcpyDeviceToDevice,
                           stream);
         };
       },
       [](Data& d, GpuSpec& spec) {
         spec.buffers = d.Described(kSets, false);
         spec.work.flops = 0;
       }},
      {"hc_atomic_sum", "none",
       [](Data& d) -> Call {
         return
             [&d](int r, cudaStream_t stream) { LaunchAtomicSum(d.X(r), kCount, d.Y(r), stream); };
       },
       [](Data& d, GpuSpec& spec) {
         spec.buffers = d.Described(kSets, false, kCount);
         for (Rotation& rotation : spec.buffers.rotations) rotation.outputs[0].bytes = 4;
         for (Rotation& rotation : spec.buffers.rotations) rotation.outputs[0].margin = 0;
         spec.buffers.deterministic = false;
         spec.work = {1.0 * kCount * sizeof(float), 4, 1.0 * kCount};
       }},
      {"hc_graph", "none", Honest,
       [](Data&, GpuSpec& spec) {
         spec.calls_per_sample = 0;
         spec.kernels = {{"*FixtureIterate"}};
       }},
      // Waits for its own stream, so that it cannot be queued behind a held one.
      {"hc_waits", "none",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           LaunchIterate(d.X(r), d.Y(r), kCount / 2, stream);
           cudaStreamSynchronize(stream);
           LaunchIterate(d.X(r) + kCount / 2, d.Y(r) + kCount / 2, kCount / 2, stream);
         };
       },
       [](Data&, GpuSpec& spec) { spec.hold = false; }},
      {"waits_in_a_hold", "none",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           LaunchIterate(d.X(r), d.Y(r), kCount, stream);
           cudaStreamSynchronize(stream);
         };
       }},
      {"memo_content_fresh", "none", memoized,
       [](Data&, GpuSpec& spec) { spec.buffers.fresh_every_sample = true; }, ReportHits},
      {"memo_content_stale", "none", memoized, [](Data&, GpuSpec&) {}, ReportHits},
  };
}

// Trouble with the device itself.
void RegisterTroubles() {
  benchmark::RegisterBenchmark("trouble_trap/cache:cold", [](benchmark::State& state) {
    const Fixture trap = {"trap", "none", [](Data&) -> Call {
                            return [](int, cudaStream_t stream) { LaunchTrap(stream); };
                          }};
    Measure(state, trap, "all", "trouble_trap/cache:cold");
  })->UseManualTime();
  benchmark::RegisterBenchmark("trouble_memory/cache:cold", [](benchmark::State& state) {
    GpuMeter& meter = MeterOf("all");
    if (!meter.status().empty()) {
      state.SkipWithError(meter.status().c_str());
      return;
    }
    RunGpuCase(state, "trouble_memory", [] { const GuardedBuffer huge(std::size_t{1} << 46); });
    for ([[maybe_unused]] auto _ : state) state.SetIterationTime(1);
  })->UseManualTime();
  benchmark::RegisterBenchmark(
      "rt_event_swap/cache:cold",
      [](benchmark::State& state) {
        GpuMeter& meter = MeterOf("all");
        if (!meter.status().empty()) {
          state.SkipWithError(meter.status().c_str());
          return;
        }
        cudaEvent_t start{};
        cudaEvent_t stop{};
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
        for ([[maybe_unused]] auto _ : state) {
          cudaEventRecord(stop, meter.stream());  // the pair the wrong way round
          LaunchIterate(TheData().X(0), TheData().Y(0), kCount, meter.stream());
          cudaEventRecord(start, meter.stream());
          cudaStreamSynchronize(meter.stream());
          float milliseconds = 0;
          cudaEventElapsedTime(&milliseconds, start, stop);
          state.SetIterationTime(1e-3 * static_cast<double>(milliseconds));
        }
      })
      ->UseManualTime()
      ->Iterations(10);
}

const bool kRegistered = [] {
  for (const auto& list : {CheatsInTime(), CheatsInResults(), Controls()}) {
    for (const Fixture& fixture : list) {
      for (const std::string& defences :
           {std::string("all"), std::string("off"), fixture.defence}) {
        if (defences == "none") continue;
        const std::string name = fixture.name + "/defences:" + defences + "/cache:cold";
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
          Measure(state, fixture, defences, name);
        })->UseManualTime();
      }
    }
  }
  RegisterTroubles();
  RegisterLaunchFloor([]() -> GpuMeter& { return MeterOf("all"); }, 132, 256);
  return true;
}();

}  // namespace
}  // namespace perfgate::bench
