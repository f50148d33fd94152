// SPDX-License-Identifier: Apache-2.0
// kernels_bench: every implementation in the kernel registry at the shapes of kernel_cases.h, as
// ordinary Google Benchmark cases.
//
// Counters: `bytes` and `flops` are the work of one call by the model in the op's header; the
// benchmark's own bytes_per_second and `flops_per_second` are the rates. The cases copy/ and sum/
// are the ceilings to relate bytes_per_second to.
#include <benchmark/benchmark.h>

#include <string>

#include "kernels/case_name.h"
#include "kernels/registry.h"
#include "suites/cpu/pool.h"
#include "suites/kernel_arguments.h"
#include "suites/kernel_cases.h"

namespace suites {
namespace {

template <class Args>
void Measure(benchmark::State& state, const kernels::Row<Args>& row,
             const typename Args::Shape& shape) {
  Pool& pool = SharedPool();
  pool.Rewind();
  const Args args = ArgumentsOf(shape, pool);
  const kernels::Context context;
  Check(args);
  for ([[maybe_unused]] auto _ : state) {
    row.launch(args, context);
    benchmark::ClobberMemory();
  }
  const kernels::Cost cost = kernels::CostOf(shape);
  state.SetBytesProcessed(static_cast<std::int64_t>(cost.bytes) * state.iterations());
  state.counters["bytes"] = cost.bytes;
  state.counters["flops"] = cost.flops;
  if (cost.flops > 0) {
    state.counters["flops_per_second"] =
        benchmark::Counter(cost.flops, benchmark::Counter::kIsIterationInvariantRate);
  }
}

template <class Args>
void RegisterOp() {
  for (const auto& row : kernels::Table<Args>::rows) {
    for (const auto& [shape, small] : CasesOf<Args>().cpu) {
      if ((row.impl == "reference" && !small) || !Unsupported(row, shape).empty()) {
        continue;
      }
      const auto run = [&row, shape = shape](benchmark::State& state) {
        Measure<Args>(state, row, shape);
      };
      benchmark::RegisterBenchmark(CaseName(row, shape).c_str(), run)
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

const bool kRegistered = [] {
  benchmark::AddCustomContext("kernels_isa", std::string(Name(kernels::BestIsa())));
  kernels::ForEachOp([]<class Args>() { RegisterOp<Args>(); });
  return true;
}();

}  // namespace
}  // namespace suites
