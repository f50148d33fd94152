// SPDX-License-Identifier: Apache-2.0
// A GPU case in a process that is inspected instead of measured (run_mode.h).
#include <string>
#include <utility>
#include <vector>

#include "perfgate/bench/cuda/gpu_case.h"
#include "perfgate/bench/cuda/gpu_status.h"
#include "perfgate/bench/cuda/kernel_log.h"
#include "perfgate/bench/host_case.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"

namespace perfgate::bench {

// Names the kernels of one call made directly, and of the graph that is timed in its place.
void GpuCase::Inspect(const Call& call) {
  if (Conclude(*state_, guard_->BeginSlice(spec_.buffers, 1))) return;
  call(0, meter_->stream());
  CheckGpu(cudaDeviceSynchronize(), "running the call");
  Prepare(call);
  std::string label;
  bool checked = false;
  Finding finding;
  {
    KernelLog log;
    label = log.unavailable().empty() ? "" : "kernel names not checked: " + log.unavailable();
    if (log.unavailable().empty()) {
      log.Start();
      call(0, meter_->stream());
      const ObservedKernels direct = log.Stop();
      for (const auto& [name, count] : direct) {
        label += (label.empty() ? "" : ", ") + name + " x " + std::to_string(count);
      }
      std::string wrong;
      if (!spec_.kernels.empty()) {
        wrong = KernelMismatch(spec_.kernels, direct, 1);
        checked = true;
      }
      if (wrong.empty() && calls_ > 1) {
        log.Start();
        Queue(0, call);
        // What the graph runs must be what the calls run.
        std::vector<ExpectedKernel> expected;
        for (const auto& [name, count] : direct) expected.push_back({name, count});
        wrong = KernelMismatch(expected, log.Stop(), calls_);
        if (!wrong.empty()) wrong = "in the captured graph, " + wrong;
      }
      if (!wrong.empty() && meter_->defences().kernels)
        finding = {Finding::Kind::kInvalid, std::move(wrong)};
    }
  }
  if (Conclude(*state_, finding)) return;
  // Nothing is timed here: a time that is long enough for the library to ask for no more.
  constexpr double kEnoughS = 10;
  while (state_->KeepRunningBatch(calls_)) state_->SetIterationTime(kEnoughS);
  state_->SetLabel(label);
  if (!spec_.kernels.empty()) {
    state_->counters[std::string(kGpuKernelsChecked)] = checked ? 1 : 0;
  }
  ReportMemory();
}

}  // namespace perfgate::bench
