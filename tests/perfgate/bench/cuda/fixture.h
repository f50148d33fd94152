// SPDX-License-Identifier: Apache-2.0
// fixture.h: a benchmark that cheats, or an honest one that looks suspicious, and its buffers.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "perfgate/bench/cuda/gpu_case.h"
#include "perfgate/bench/cuda/gpu_status.h"
#include "tests/perfgate/bench/cuda/fixture_work.h"

namespace perfgate::bench {

inline constexpr std::size_t kCount = std::size_t{4} << 20;  // 16 MiB in, 16 MiB out
inline constexpr int kSets = 8;                              // 256 MiB: five times an L2 of 50
// Elements of what a cheat keeps in the cache, 8 MiB: fits into the lines that an H100 lets persist
// unasked, 9.4 MiB (cudaLimitPersistingL2CacheSize).
inline constexpr std::size_t kKeptCount = std::size_t{2} << 20;

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

using Call = GpuCase::Call;

struct Fixture {
  std::string name;
  std::string defence;  // the one that is for it
  std::function<Call(Data&)> make;
  std::function<void(Data&, GpuSpec&)> change = [](Data&, GpuSpec&) {};
  std::function<void(Data&, benchmark::State&)> report = [](Data&, benchmark::State&) {};
};

// One set that is read and hardly written, so that a warm cache shows.
inline void ReadOneSet(Data& data, GpuSpec& spec) {
  spec.buffers = data.Described(1, false, kKeptCount);
  spec.buffers.rotations[0].outputs[0].bytes = kParts * sizeof(float);
  spec.buffers.rotations[0].outputs[0].margin = 0;
  constexpr double kWritten = kParts * sizeof(float);
  spec.work = {kKeptCount * sizeof(float) + kWritten, kWritten, 0};
}

inline Call Honest(Data& data) {
  return
      [&data](int r, cudaStream_t stream) { LaunchIterate(data.X(r), data.Y(r), kCount, stream); };
}

// Those that look fast by timing less than the work, and by not doing it right.
std::vector<Fixture> CheatsInTime();
std::vector<Fixture> CheatsInResults();

}  // namespace perfgate::bench
