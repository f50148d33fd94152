// SPDX-License-Identifier: Apache-2.0
// queue.h: a CUDA stream with the scratch memory that launches on it share.
//
// Work on one queue runs in order. Two queues share nothing and may run at the same time.
#pragma once

#include <cstddef>

#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/memory.h"
#include "kernels/row.h"

namespace kernels::cuda {

class Queue {
 public:
  // `gpu` must outlive the queue.
  explicit Queue(Gpu& gpu);
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();

  Gpu& gpu() { return *gpu_; }
  CUstream_st* stream() { return stream_; }

  // What a launch takes. The workspace has at least `workspace_bytes`; growing it waits for the
  // queue, so ask for the largest before timing or capturing.
  Context context(std::size_t workspace_bytes = 0);

  // Waits until everything queued is done. Throws Error for what went wrong on the device.
  void Wait();

 private:
  Gpu* gpu_;
  CUstream_st* stream_ = nullptr;
  DeviceMemory counters_;
  DeviceMemory workspace_;
};

// 32-bit words of Context::counters.
inline constexpr std::size_t kCounters = 16384;

// Queues one implementation. Throws Error as kernels::Run does, and for a device below row.min_sm.
template <class Args>
void Run(const Row<Args>& row, const Args& args, Queue& queue) {
  const auto refuse = [&row](const std::string& reason) {
    throw Error(std::string(Table<Args>::op) + "/device:cuda/impl:" + std::string(row.impl) + ": " +
                reason);
  };
  if (const GpuLimits& limits = queue.gpu().limits(); limits.sm < row.min_sm) {
    refuse("needs compute capability " + std::to_string(row.min_sm) + "; " + limits.name + " has " +
           std::to_string(limits.device_sm) + ", this build code for " + std::to_string(limits.sm));
  }
  if (const std::string_view reason = Unsupported(row, args.shape); !reason.empty()) {
    refuse(std::string(reason));
  }
  Check(args);
  const std::size_t bytes =
      row.workspace == nullptr ? 0 : row.workspace(args.shape, queue.context());
  row.launch(args, queue.context(bytes));
}

}  // namespace kernels::cuda
