// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/queue.h"

#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime/check_cuda.h"

namespace kernels::cuda {

Queue::Queue(Gpu& gpu) : gpu_(&gpu), counters_(kCounters * sizeof(std::uint32_t)) {
  CheckCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  CheckCuda(cudaMemset(counters_.data(), 0, counters_.size()), "cudaMemset");
  CheckCuda(cudaDeviceSynchronize(), "waiting for the device");
}

Queue::~Queue() { (void)cudaStreamDestroy(stream_); }

Context Queue::context(std::size_t workspace_bytes) {
  if (workspace_bytes > workspace_.size()) {
    Wait();
    workspace_ = DeviceMemory();
    workspace_ = DeviceMemory(workspace_bytes);
  }
  Context context;
  context.gpu = gpu_;
  context.stream = stream_;
  context.workspace = workspace_.bytes();
  context.counters = {reinterpret_cast<std::uint32_t*>(counters_.data()), kCounters};
  return context;
}

void Queue::Wait() { CheckCuda(cudaStreamSynchronize(stream_), "waiting for the stream"); }

}  // namespace kernels::cuda
