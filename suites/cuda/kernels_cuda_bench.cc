// SPDX-License-Identifier: Apache-2.0
// kernels_cuda_bench: every device:cuda row of the kernel registry at the shapes of cuda_cases.h,
// with cold caches, as Google Benchmark cases in manual time.
//
// Counters: `bytes` and `flops` are the work of one call by the model in the op's header. The cases
// copy/ are the ceiling that the others' bytes per second are related to; launch_floor/ is a kernel
// that does nothing.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/case_name.h"
#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/queue.h"
#include "kernels/cuda/registry.h"
#include "perfgate/bench/work.h"
#include "suites/cuda/cuda_cases.h"

namespace suites {
namespace {

using kernels::cuda::CheckCuda;

struct Device {
  kernels::cuda::Gpu gpu;
  kernels::cuda::Queue queue{gpu};
  DevicePool pool;
  kernels::cuda::DeviceMemory flush{4 * gpu.limits().l2_bytes};
};

Device& TheDevice() {
  static Device device;
  return device;
}

constexpr double kStreamBytes = 64e6;
constexpr std::string_view kCeiling =
    "copy/device:cuda/impl:memcpy/count:134217728/dtype:f32/cache:cold";

template <class Args>
void Measure(benchmark::State& state, const kernels::Row<Args>& row,
             const typename Args::Shape& shape) {
  Device& device = TheDevice();
  const kernels::Cost cost = kernels::CostOf(shape);
  const auto l2 = static_cast<double>(device.gpu.limits().l2_bytes);
  const int rotations = std::clamp(static_cast<int>(std::ceil(5 * l2 / cost.bytes)), 1, 40);
  const bool flush = rotations * cost.bytes < 5 * l2;
  const bool single = cost.bytes >= kStreamBytes;
  device.pool.Rewind();
  std::vector<Args> calls;
  for (int r = 0; r < rotations; ++r) {
    calls.push_back(BindCuda<Args>(shape, device.pool, calls.empty() ? nullptr : &calls.front()));
  }
  cudaStream_t stream = device.queue.stream();
  for (const Args& args : calls) {
    kernels::cuda::Run(row, args, device.queue);
  }
  device.queue.Wait();
  cudaEvent_t start{};
  cudaEvent_t stop{};
  CheckCuda(cudaEventCreate(&start), "cudaEventCreate");
  CheckCuda(cudaEventCreate(&stop), "cudaEventCreate");
  cudaGraphExec_t graph{};
  if (!single) {
    cudaGraph_t captured{};
    CheckCuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    for (const Args& args : calls) {
      kernels::cuda::Run(row, args, device.queue);
    }
    CheckCuda(cudaStreamEndCapture(stream, &captured), "capture");
    CheckCuda(cudaGraphInstantiate(&graph, captured, 0), "instantiate");
    CheckCuda(cudaGraphDestroy(captured), "destroy");
  }
  std::size_t next = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (flush) {
      // Writes, then reads, so that no dirty line is left to be written back while timed.
      const std::size_t half = device.flush.size() / 2;
      CheckCuda(cudaMemsetAsync(device.flush.data(), 0x5a, half, stream), "flush");
      CheckCuda(cudaMemcpyAsync(device.flush.data(), device.flush.data() + half, half / 4,
                                cudaMemcpyDeviceToDevice, stream),
                "flush");
    }
    CheckCuda(cudaEventRecord(start, stream), "record");
    if (single) {
      kernels::cuda::Run(row, calls[next++ % calls.size()], device.queue);
    } else {
      CheckCuda(cudaGraphLaunch(graph, stream), "launch");
    }
    CheckCuda(cudaEventRecord(stop, stream), "record");
    CheckCuda(cudaEventSynchronize(stop), "synchronise");
    float ms = 0;
    CheckCuda(cudaEventElapsedTime(&ms, start, stop), "elapsed");
    state.SetIterationTime(static_cast<double>(ms) * 1e-3 / (single ? 1 : rotations));
  }
  if (graph != nullptr) {
    CheckCuda(cudaGraphExecDestroy(graph), "destroy");
  }
  CheckCuda(cudaEventDestroy(start), "destroy");
  CheckCuda(cudaEventDestroy(stop), "destroy");
  state.SetBytesProcessed(static_cast<std::int64_t>(cost.bytes) * state.iterations());
  state.counters["bytes"] = cost.bytes;
  state.counters["flops"] = cost.flops;
}

template <class Args>
void RegisterOp() {
  for (const auto& row : kernels::cuda::AllRows<Args>()) {
    for (const auto& shape : CudaCases<Args>()) {
      // The plain implementations are there to be right; timed at these shapes they take minutes.
      if (row.impl == "reference" || !Unsupported(row, shape).empty()) {
        continue;
      }
      const std::string name = CaseName(row, shape) + "/cache:cold";
      const auto run = [&row, shape](benchmark::State& state) {
        try {
          Measure<Args>(state, row, shape);
        } catch (const kernels::Error& error) {
          state.SkipWithError(error.what());
        }
      };
      const kernels::Cost cost = kernels::CostOf(shape);
      perfgate::bench::DeclareWork(
          name, {.bytes = cost.bytes, .flops = cost.flops, .ceiling = std::string(kCeiling)});
      benchmark::RegisterBenchmark(name.c_str(), run)
          ->Unit(benchmark::kMicrosecond)
          ->UseManualTime();
    }
  }
}

const bool kRegistered = [] {
  kernels::ForEachOp([]<class Args>() { RegisterOp<Args>(); });
  return true;
}();

}  // namespace
}  // namespace suites
