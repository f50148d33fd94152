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
#include "tests/perfgate/bench/cuda/fixture_work.h"

namespace perfgate::bench {
namespace {

constexpr std::size_t kCount = std::size_t{4} << 20;  // 16 MiB in, 16 MiB out
constexpr int kSets = 8;                              // 256 MiB: five times an L2 of 50
// Elements of what a cheat keeps in the cache, 8 MiB: fits into the lines that an H100 lets persist
// unasked, 9.4 MiB (cudaLimitPersistingL2CacheSize).
constexpr std::size_t kKeptCount = std::size_t{2} << 20;

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

// The buffers of all fixtures: made once per process, shared by the cases one after the other.
struct Data {
  std::vector<GuardedBuffer> x;
  std::vector<GuardedBuffer> y;
  std::vector<GuardedBuffer> kept;
  std::vector<GuardedBuffer> memos;
  GuardedBuffer different{sizeof(unsigned)};
  cudaStream_t side = nullptr;
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;

  Data() {
    for (int i = 0; i < kSets; ++i) {
      x.emplace_back(kCount * sizeof(float));
      y.emplace_back(kCount * sizeof(float));
      kept.emplace_back(kCount * sizeof(float));
      memos.emplace_back(sizeof(Memo));
      CheckGpu(cudaMemset(memos.back().data(), 0, sizeof(Memo)), "clearing a memo");
    }
    CheckGpu(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), "creating a stream");
    CheckGpu(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), "creating an event");
    CheckGpu(cudaEventCreateWithFlags(&join, cudaEventDisableTiming), "creating an event");
  }
  float* X(int r) { return static_cast<float*>(x[static_cast<std::size_t>(r)].data()); }
  float* Y(int r) { return static_cast<float*>(y[static_cast<std::size_t>(r)].data()); }
  float* Kept(int r) { return static_cast<float*>(kept[static_cast<std::size_t>(r)].data()); }
  Memo* MemoOf(int r) { return static_cast<Memo*>(memos[static_cast<std::size_t>(r)].data()); }

  Buffers Described(int sets, bool with_check, std::size_t count = kCount) {
    Buffers buffers;
    for (int r = 0; r < sets; ++r) {
      Rotation rotation;
      rotation.inputs = {{X(r), count * sizeof(float), Content::kF32, GuardedBuffer::kMargin}};
      rotation.outputs = {{Y(r), count * sizeof(float), Content::kKeep, GuardedBuffer::kMargin}};
      // A margin behind a shorter buffer still lies inside the allocation.
      buffers.rotations.push_back(rotation);
    }
    if (with_check) {
      buffers.check = [this, count](int r) { return Check(r, count); };
    }
    return buffers;
  }

  // f32 rounds kSteps times; errors shrink by 0.999 each step: below kSteps half ulps of 1.
  std::string Check(int r, std::size_t count) {
    auto* counter = static_cast<unsigned*>(different.data());
    CheckGpu(cudaMemset(counter, 0, sizeof *counter), "clearing a counter");
    CheckGpu(cudaDeviceSynchronize(), "waiting");
    LaunchCompare(X(r), Y(r), count, kSteps * 6e-8F, counter, side);
    unsigned wrong = 0;
    CheckGpu(cudaMemcpyAsync(&wrong, counter, sizeof wrong, cudaMemcpyDeviceToHost, side),
             "reading a counter");
    CheckGpu(cudaStreamSynchronize(side), "comparing");
    return wrong == 0 ? "" : std::to_string(wrong) + " elements differ";
  }
};

Data& TheData() {
  static Data data;
  return data;
}

using Call = GpuCase::Call;

struct Fixture {
  std::string name;
  std::string defence;  // the one that is for it
  std::function<Call(Data&)> make;
  std::function<void(Data&, GpuSpec&)> change = [](Data&, GpuSpec&) {};
  std::function<void(Data&, benchmark::State&)> report = [](Data&, benchmark::State&) {};
};

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

// One set that is read and hardly written, so that a warm cache shows.
void ReadOneSet(Data& data, GpuSpec& spec) {
  spec.buffers = data.Described(1, false, kKeptCount);
  spec.buffers.rotations[0].outputs[0].bytes = kParts * sizeof(float);
  spec.buffers.rotations[0].outputs[0].margin = 0;
  constexpr double kWritten = kParts * sizeof(float);
  spec.work = {kKeptCount * sizeof(float) + kWritten, kWritten, 0};
}

Call Honest(Data& data) {
  return
      [&data](int r, cudaStream_t stream) { LaunchIterate(data.X(r), data.Y(r), kCount, stream); };
}

// A thread that goes on after the call has returned.
void Late(std::function<void()> work) {
  std::thread([work = std::move(work)] {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    work();
  }).detach();
}

std::vector<Fixture> CheatsInTime() {
  return {
      {"rt_side_stream", "gate+poison",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t) { LaunchIterate(d.X(r), d.Y(r), kCount, d.side); };
       }},
      {"rt_side_stream_by_wall", "wall",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t) { LaunchIterate(d.X(r), d.Y(r), kCount, d.side); };
       }},
      {"rt_side_stream_unheld", "wall",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t) { LaunchIterate(d.X(r), d.Y(r), kCount, d.side); };
       },
       [](Data&, GpuSpec& spec) { spec.hold = false; }},
      {"rt_late_thread", "threads",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t) {
           Late([&d, r] { LaunchIterate(d.X(r), d.Y(r), kCount, d.side); });
         };
       }},
      // Correct when it returns, changed afterwards.
      {"rt_written_after_return", "settled+poison",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           LaunchIterate(d.X(r), d.Y(r), kCount / 2, stream);
           Late([&d, r] {
             std::this_thread::sleep_for(std::chrono::microseconds(100));
             LaunchIterate(d.X(r) + kCount / 2, d.Y(r) + kCount / 2, kCount / 2, d.side);
           });
         };
       }},
      {"rt_below_floor", "floor", [](Data&) -> Call { return [](int, cudaStream_t) {}; }},
      {"rt_persist_l2", "persisting",
       [](Data& d) -> Call {
         constexpr std::size_t kBytes = kKeptCount * sizeof(float);
         cudaDeviceProp device{};
         CheckGpu(cudaGetDeviceProperties(&device, 0), "asking for the cache's size");
         const auto most = static_cast<std::size_t>(device.persistingL2CacheMaxSize);
         if (most == 0) throw GpuError("gpu_error", "no persisting lines on this device");
         // More than unasked, or nothing would have been set aside.
         CheckGpu(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::min(most, 2 * kBytes)),
                  "setting lines aside");
         const auto window_bytes =
             std::min(kBytes, static_cast<std::size_t>(device.accessPolicyMaxWindowSize));
         return [&d, window_bytes](int r, cudaStream_t stream) {
           cudaStreamAttrValue window{};
           window.accessPolicyWindow.base_ptr = d.X(r);
           window.accessPolicyWindow.num_bytes = window_bytes;
           window.accessPolicyWindow.hitRatio = 1.0F;
           window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
           window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
           cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
           LaunchPartialSums(d.X(r), d.Y(r), kKeptCount, stream);
         };
       },
       [](Data& d, GpuSpec& spec) { ReadOneSet(d, spec); }},
      {"rt_evict_last", "persisting",
       [](Data& d) -> Call {
         cudaDeviceProp device{};
         CheckGpu(cudaGetDeviceProperties(&device, 0), "asking for the cache's size");
         if (device.persistingL2CacheMaxSize == 0) {
           throw GpuError("gpu_error", "no persisting lines on this device");
         }
         return [&d](int r, cudaStream_t stream) {
           LaunchPartialSumsKept(d.X(r), d.Y(r), kKeptCount, stream);
         };
       },
       [](Data& d, GpuSpec& spec) { ReadOneSet(d, spec); }},
  };
}

std::vector<Fixture> CheatsInResults() {
  return {
      {"rt_skip_after_first", "checks+poison",
       [](Data& d) -> Call {
         auto calls = std::make_shared<std::map<int, int>>();
         return [&d, calls](int r, cudaStream_t stream) {
           if ((*calls)[r]++ < 4) LaunchIterate(d.X(r), d.Y(r), kCount, stream);
         };
       }},
      {"rt_memo_pointer", "checks+refill+poison",
       [](Data& d) -> Call {
         auto known = std::make_shared<std::set<const float*>>();
         return [&d, known](int r, cudaStream_t stream) {
           if (known->insert(d.X(r)).second) {
             LaunchIterate(d.X(r), d.Y(r), kCount, stream);
             LaunchCopy(d.Y(r), d.Kept(r), kCount, stream);
           } else {
             LaunchCopy(d.Kept(r), d.Y(r), kCount, stream);
           }
         };
       }},
      {"rt_constant", "checks",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) { LaunchConstant(d.Y(r), kCount, 1, stream); };
       }},
      {"rt_fp16", "checks",
       [](Data& d) -> Call {
         return
             [&d](int r, cudaStream_t stream) { LaunchIterateF16(d.X(r), d.Y(r), kCount, stream); };
       }},
      {"rt_out_of_bounds", "canaries",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) {
           LaunchIterate(d.X(r), d.Y(r), kCount, stream);
           LaunchWriteOne(d.Y(r) + kCount, 0, stream);
         };
       }},
      {"rt_wrong_kernel", "kernels",
       [](Data& d) -> Call {
         return [&d](int r, cudaStream_t stream) { LaunchCopy(d.X(r), d.Y(r), kCount, stream); };
       },
       [](Data& d, GpuSpec& spec) {
         spec.buffers = d.Described(kSets, false);
         spec.kernels = {{"*FixtureIterate"}};
       }},
  };
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
