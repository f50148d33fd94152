// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/dot/gemm_tune.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <memory>

#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/memory.h"
#include "kernels/cuda/runtime/random_fill.h"

namespace kernels::cuda {
namespace {

constexpr int kRounds = 7;
constexpr double kReplayMicroseconds = 500;
constexpr double kEqual = 1.01;  // medians this close are noise
// Calls this long draw so much power that the clock falls, and which algorithm is fastest depends
// on how far: all are run for a while before they are timed.
constexpr double kLongMicroseconds = 50;
constexpr int kLongWarmUpRounds = 15;

struct Destroy {
  void operator()(CUstream_st* stream) const { (void)cudaStreamDestroy(stream); }
  void operator()(CUevent_st* event) const { (void)cudaEventDestroy(event); }
  void operator()(CUgraph_st* graph) const { (void)cudaGraphDestroy(graph); }
  void operator()(CUgraphExec_st* graph) const { (void)cudaGraphExecDestroy(graph); }
};
template <class T>
using Owner = std::unique_ptr<T, Destroy>;

Owner<CUstream_st> NewStream() {
  cudaStream_t stream = nullptr;
  CheckCuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  return Owner<CUstream_st>(stream);
}

Owner<CUevent_st> NewEvent() {
  cudaEvent_t event = nullptr;
  CheckCuda(cudaEventCreate(&event), "cudaEventCreate");
  return Owner<CUevent_st>(event);
}

std::size_t Bytes(const GemmShape& shape, std::int64_t elements) {
  return static_cast<std::size_t>(elements) * ByteSize(shape.dtype);
}

class Tuner {
 public:
  Tuner(const GemmShape& shape, const GemmProblem& problem, cublasLtHandle_t handle,
        const GemmAlignment& alignment, std::size_t workspace_bytes, const GpuLimits& limits)
      : problem_(problem),
        handle_(handle),
        alignment_(alignment),
        stream_(NewStream()),
        start_(NewEvent()),
        stop_(NewEvent()) {
    const auto& [m, n, k, dtype, batch] = shape;
    // A copy ends at a multiple of 256, so that each begins at the alignment.
    const std::size_t weight_bytes = Bytes(shape, batch * n * k);
    weight_stride_ = (weight_bytes + 255) / 256 * 256;
    copies_ = 3 * limits.l2_bytes / weight_stride_ + 1;
    c_bytes_ = Bytes(shape, batch * m * n);
    weights_ = DeviceMemory(copies_ * weight_stride_ + 256);
    a_ = DeviceMemory(Bytes(shape, m * k) + 256);
    c_ = DeviceMemory(c_bytes_ + 256);
    workspace_ = DeviceMemory(workspace_bytes);
    const std::size_t size = ByteSize(dtype);
    FillUniform({weights_.data(), weights_.size() / size, dtype}, 1, stream_.get());
    FillUniform({a_.data(), a_.size() / size, dtype}, 2, stream_.get());
  }

  // One call; false where the algorithm does not run after all.
  bool Call(const cublasLtMatmulAlgo_t& algorithm, std::size_t index) {
    const std::byte* weight = weights_.data() + index % copies_ * weight_stride_;
    return problem_.Multiply(handle_, algorithm, a_.data() + alignment_.a % 256,
                             weight + alignment_.weight % 256, c_.data() + alignment_.c % 256,
                             workspace_.data(), workspace_.size(),
                             stream_.get()) == CUBLAS_STATUS_SUCCESS;
  }

  bool SameBitsTwice(const cublasLtMatmulAlgo_t& algorithm) {
    std::vector<std::byte> results[2];
    for (std::vector<std::byte>& result : results) {
      CheckCuda(cudaMemsetAsync(c_.data(), 0xff, c_.size(), stream_.get()), "cudaMemset");
      if (!Call(algorithm, 0)) {
        return false;
      }
      result.resize(c_.size());
      CheckCuda(cudaMemcpyAsync(result.data(), c_.data(), c_.size(), cudaMemcpyDeviceToHost,
                                stream_.get()),
                "cudaMemcpy");
      CheckCuda(cudaStreamSynchronize(stream_.get()), "a cuBLASLt algorithm");
    }
    return results[0] == results[1];
  }

  // As many calls as fill the time of a replay.
  void Capture(const cublasLtMatmulAlgo_t& algorithm) {
    const double once = Time([&] { (void)Call(algorithm, 1); });
    longest_ = std::max(longest_, once);
    Replay replay;
    replay.calls = static_cast<int>(std::clamp(kReplayMicroseconds / once, 1.0, 200.0));
    CheckCuda(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal),
              "cudaStreamBeginCapture");
    bool ran = true;
    for (int i = 0; i < replay.calls; ++i) {
      ran = Call(algorithm, static_cast<std::size_t>(i)) && ran;
    }
    cudaGraph_t graph = nullptr;
    CheckCuda(cudaStreamEndCapture(stream_.get(), &graph), "cudaStreamEndCapture");
    const Owner<CUgraph_st> owner(graph);
    if (!ran) {
      throw Error("a cuBLASLt algorithm that ran before cannot be captured");
    }
    cudaGraphExec_t executable = nullptr;
    CheckCuda(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    replay.graph.reset(executable);
    replays_.push_back(std::move(replay));
  }

  // Median microseconds of a call of each captured algorithm.
  std::vector<double> Medians() {
    std::vector<std::vector<double>> times(replays_.size());
    const int warm_up = longest_ > kLongMicroseconds ? kLongWarmUpRounds : 1;
    for (int round = 0; round < kRounds + warm_up; ++round) {
      for (std::size_t i = 0; i < replays_.size(); ++i) {
        const double time =
            Time([&] {
              CheckCuda(cudaGraphLaunch(replays_[i].graph.get(), stream_.get()), "cudaGraphLaunch");
            }) /
            replays_[i].calls;
        if (round >= warm_up) {
          times[i].push_back(time);
        }
      }
    }
    std::vector<double> medians;
    for (std::vector<double>& of_one : times) {
      std::nth_element(of_one.begin(), of_one.begin() + kRounds / 2, of_one.end());
      medians.push_back(of_one[kRounds / 2]);
    }
    return medians;
  }

 private:
  struct Replay {
    Owner<CUgraphExec_st> graph;
    int calls = 1;
  };

  template <class F>
  double Time(F&& queue) {
    CheckCuda(cudaEventRecord(start_.get(), stream_.get()), "cudaEventRecord");
    queue();
    CheckCuda(cudaEventRecord(stop_.get(), stream_.get()), "cudaEventRecord");
    CheckCuda(cudaEventSynchronize(stop_.get()), "timing a cuBLASLt algorithm");
    float milliseconds = 0;
    CheckCuda(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()),
              "cudaEventElapsedTime");
    return std::max(1e3 * static_cast<double>(milliseconds), 0.1);
  }

  const GemmProblem& problem_;
  cublasLtHandle_t handle_;
  GemmAlignment alignment_;
  std::size_t weight_stride_ = 0, copies_ = 1, c_bytes_ = 0;
  DeviceMemory weights_, a_, c_, workspace_;
  std::vector<Replay> replays_;
  double longest_ = 0;  // microseconds of a call
  Owner<CUstream_st> stream_;
  Owner<CUevent_st> start_, stop_;
};

}  // namespace

GemmTuned TuneGemm(const GemmShape& shape, const GemmProblem& problem, cublasLtHandle_t handle,
                   const std::vector<cublasLtMatmulHeuristicResult_t>& proposals,
                   const GemmAlignment& alignment, std::size_t workspace_bytes,
                   const GpuLimits& limits) {
  Tuner tuner(shape, problem, handle, alignment, workspace_bytes, limits);
  std::vector<std::size_t> captured;
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    if (tuner.SameBitsTwice(proposals[i].algo)) {
      tuner.Capture(proposals[i].algo);
      captured.push_back(i);
    }
  }
  if (captured.empty()) {
    return {};
  }
  const std::vector<double> medians = tuner.Medians();
  const double least = *std::min_element(medians.begin(), medians.end());
  const auto first = static_cast<std::size_t>(
      std::find_if(medians.begin(), medians.end(),
                   [least](double time) { return time <= kEqual * least; }) -
      medians.begin());
  return {captured[first], static_cast<int>(captured.size()), medians[first]};
}

}  // namespace kernels::cuda
