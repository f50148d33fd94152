// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "perfgate/bench/cuda/device_work.h"
#include "perfgate/bench/cuda/gpu_case.h"

namespace perfgate::bench {

void RegisterLaunchFloor(const std::function<GpuMeter&()>& meter, int blocks, int threads) {
  for (const bool graph : {true, false}) {
    const std::string name = "launch_floor/blocks:" + std::to_string(blocks) +
                             "/threads:" + std::to_string(threads) +
                             "/mode:" + (graph ? "graph" : "single") + "/cache:hot";
    const auto run = [=](benchmark::State& state) {
      GpuSpec spec;
      spec.name = name;
      spec.cache = Cache::kHot;
      spec.calls_per_sample = graph ? 64 : 1;
      spec.kernels = {{"*PerfgateEmpty"}};
      GpuCase gpu(meter(), state, spec);
      gpu.Run([=](int, cudaStream_t stream) { LaunchEmpty(blocks, threads, stream); });
    };
    benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace perfgate::bench
