// SPDX-License-Identifier: Apache-2.0
// kernels_cuda_bench: every fast device:cuda row of the kernel registry at the shapes of
// kernel_cases.h, with cold caches, as guarded Google Benchmark cases in manual time.
//
// Cases declare their bytes, operations and ceiling, so that `perfgate report` shows bytes per
// second and the share of the device copy measured in the same run. launch_floor/ is a kernel that
// does nothing.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "kernels/case_name.h"
#include "kernels/cuda/dot/gemm_plans.h"
#include "perfgate/bench/cuda/gpu_case.h"
#include "perfgate/bench/work.h"
#include "suites/cuda/bound_case.h"
#include "suites/cuda/expected_kernels.h"
#include "suites/cuda/slower.h"
#include "suites/kernel_cases.h"

namespace suites {
namespace {

using perfgate::bench::Cache;

// The best copy that the device offers.
constexpr std::string_view kCeiling =
    "copy/device:cuda/impl:memcpy/count:134217728/dtype:f32/cache:cold";

// kernels_cuda_bench_slower is this program with every case but matrix products slower by this.
#ifdef SUITES_SLOWER_BY
constexpr double kSlowerBy = SUITES_SLOWER_BY;
#else
constexpr double kSlowerBy = 0;
#endif

// Sets of buffers of a case at most: no sample has more calls.
constexpr int kMostSets = 64;

perfgate::bench::GpuMeter& Meter() {
  static perfgate::bench::GpuMeter meter;
  return meter;
}

struct Device {
  kernels::cuda::Gpu gpu;
  kernels::cuda::Queue queue{gpu};
  DevicePool pool;
};

// Needs a Meter() whose status is empty.
Device& TheDevice() {
  static Device device;
  return device;
}

// Bound once per process: graphs are captured on these addresses.
template <class Args>
std::shared_ptr<BoundCase<Args>> Bind(const kernels::Row<Args>& row,
                                      const typename Args::Shape& shape, double bytes) {
  Device& device = TheDevice();
  const int sets =
      std::min(kMostSets, perfgate::bench::RotationsFor(Cache::kCold, bytes, Meter().peaks()));
  return std::make_shared<BoundCase<Args>>(
      BindCase<Args>(row, shape, sets, device.pool, device.queue));
}

// Which of cuBLASLt's algorithms ran, in its own numbers: for the record, not to be judged.
void RecordChoice(benchmark::State& state, const kernels::GemmShape& shape, bool tuned) {
  const kernels::cuda::GemmChoice choice =
      kernels::cuda::PlansOf(TheDevice().gpu).Prepare(shape, tuned);
  state.counters["gemm_algorithm"] = choice.algorithm;
  state.counters["gemm_tile"] = choice.tile;
  state.counters["gemm_stages"] = choice.stages;
  state.counters["gemm_cluster"] = choice.cluster_shape;
  state.counters["gemm_split_k"] = choice.split_k;
  state.counters["gemm_rank"] = choice.rank;
}

template <class Args>
void Measure(benchmark::State& state, const std::string& name, const kernels::Row<Args>& row,
             const typename Args::Shape& shape, const kernels::Cost& cost,
             std::shared_ptr<BoundCase<Args>>& bound) {
  perfgate::bench::GpuSpec spec;
  spec.name = name;
  if (Meter().status().empty()) {
    if (row.min_sm > TheDevice().gpu.limits().sm) {
      state.SkipWithError("skipped: needs a later compute capability");
      return;
    }
    if (bound == nullptr) {
      bound = Bind(row, Slower(shape, kSlowerBy), cost.bytes);
    }
    for (std::size_t set = 0; set < bound->calls.size(); ++set) {
      spec.buffers.rotations.push_back(bound->Regions(set));
    }
    spec.buffers.check = [&bound](int rotation) {
      return bound->Check(static_cast<std::size_t>(rotation), TheDevice().queue);
    };
    spec.work = {.bytes = cost.bytes, .bytes_written = bound->bytes_written, .flops = cost.flops};
    spec.kernels = ExpectedKernels(kernels::Table<Args>::op, row.impl);
  }
  perfgate::bench::GpuCase gpu(Meter(), state, spec);
  gpu.Run([&](int rotation, cudaStream_t stream) {
    kernels::Context context = TheDevice().queue.context();
    context.stream = stream;
    context.workspace = bound->workspace;
    row.launch(bound->calls[static_cast<std::size_t>(rotation)], context);
  });
  state.SetBytesProcessed(static_cast<std::int64_t>(cost.bytes) * state.iterations());
  if constexpr (std::is_same_v<Args, kernels::GemmArgs>) {
    if (bound != nullptr && row.numerics == kernels::Numerics::kBlas) {
      RecordChoice(state, shape, row.impl == "cublaslt");
    }
  }
}

template <class Args>
void RegisterOp() {
  for (const auto& row : kernels::cuda::AllRows<Args>()) {
    for (const auto& shape : CasesOf<Args>().cuda) {
      // The plain implementations are there to be right; timed at these shapes they take minutes.
      if (row.impl == "reference" || !Unsupported(row, shape).empty()) {
        continue;
      }
      const std::string name = CaseName(row, shape) + "/cache:cold";
      const kernels::Cost cost = kernels::CostOf(shape);
      perfgate::bench::DeclareWork(
          name, {.bytes = cost.bytes, .flops = cost.flops, .ceiling = std::string(kCeiling)});
      const auto run = [&row, shape, cost, name, bound = std::shared_ptr<BoundCase<Args>>()](
                           benchmark::State& state) mutable {
        try {
          Measure<Args>(state, name, row, shape, cost, bound);
        } catch (const kernels::Error& error) {
          state.SkipWithError(error.what());
        }
      };
      benchmark::RegisterBenchmark(name.c_str(), run)
          ->Unit(benchmark::kMicrosecond)
          ->UseManualTime();
    }
  }
}

const bool kRegistered = [] {
  perfgate::bench::RegisterLaunchFloor(&Meter, 1, 32);
  perfgate::bench::RegisterLaunchFloor(&Meter, 132, 256);
  kernels::ForEachOp([]<class Args>() { RegisterOp<Args>(); });
  return true;
}();

}  // namespace
}  // namespace suites
