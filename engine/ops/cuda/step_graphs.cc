// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/step_graphs.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>

#include "kernels/cuda/runtime/check_cuda.h"

namespace engine::cuda {
namespace {

using kernels::cuda::CheckCuda;

// Prompts have as many keys as lengths, and a batch of 256 that shrinks row by row as many as rows;
// graphs of all would fill memory.
constexpr std::size_t kMostGraphs = 128;

}  // namespace

void StepGraphs::Destroy::operator()(CUgraphExec_st* graph) const {
  (void)cudaGraphExecDestroy(graph);
}

std::size_t StepGraphs::graphs() const {
  return static_cast<std::size_t>(
      std::count_if(graphs_.begin(), graphs_.end(),
                    [](const auto& entry) { return entry.second.executable != nullptr; }));
}

bool StepGraphs::Begin(const StepKey& key) {
  if (refused_) {
    ++eager_;
    return true;
  }
  if (!graphs_.contains(key)) {
    MakeRoom();
  }
  const auto [at, first] = graphs_.try_emplace(key);
  current_ = at;
  at->second.last_use = ++uses_;
  if (first) {
    step_ = Step::kEager;
    ++eager_;
    return true;
  }
  if (at->second.executable == nullptr) {
    CheckCuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
              "beginning the capture of a step");
    step_ = Step::kCapture;
    return true;
  }
  CheckCuda(cudaGraphLaunch(at->second.executable.get(), stream_), "replaying a step");
  step_ = Step::kReplay;
  ++replays_;
  return false;
}

void StepGraphs::End() {
  const Step step = step_;
  step_ = Step::kNone;
  if (step != Step::kCapture) {
    return;
  }
  cudaGraph_t graph = nullptr;
  CheckCuda(cudaStreamEndCapture(stream_, &graph), "ending the capture of a step");
  cudaGraphExec_t executable = nullptr;
  cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
  (void)cudaGraphDestroy(graph);
  if (status == cudaSuccess) {
    current_->second.executable.reset(executable);
    status = cudaGraphLaunch(executable, stream_);
  }
  if (status != cudaSuccess) {
    refused_ = true;
    Clear();
  }
  CheckCuda(status, "making a graph of a step");
  ++replays_;
}

void StepGraphs::Abort() {
  if (step_ == Step::kCapture) {
    cudaGraph_t graph = nullptr;
    (void)cudaStreamEndCapture(stream_, &graph);
    if (graph != nullptr) {
      (void)cudaGraphDestroy(graph);
    }
    (void)cudaGetLastError();
  } else if (step_ == Step::kEager && current_ != graphs_.end()) {
    graphs_.erase(current_);  // what it should have loaded may be missing
    current_ = graphs_.end();
  }
  step_ = Step::kNone;
}

// CUDA keeps a graph that still runs until it is done.
void StepGraphs::MakeRoom() {
  if (graphs_.size() >= kMostGraphs) {
    graphs_.erase(std::min_element(
        graphs_.begin(), graphs_.end(),
        [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; }));
  }
}

void StepGraphs::Clear() {
  CheckCuda(cudaStreamSynchronize(stream_), "waiting for the last step");
  if (step_ != Step::kEager) {
    current_ = graphs_.end();
    graphs_.clear();
    return;
  }
  auto running = graphs_.extract(current_);
  graphs_.clear();
  current_ = graphs_.insert(std::move(running)).position;
}

}  // namespace engine::cuda
