// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/cuda_ops.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/error.h"
#include "engine/index.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/views.h"
#include "engine/ops/cuda_device.h"
#include "engine/ops/step_bucket.h"
#include "kernels/cuda/registry.h"
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/error.h"

namespace engine {
namespace cuda {
namespace {

using kernels::ByteSize;
using kernels::Context;
using kernels::cuda::DeviceMemory;
using kernels::cuda::Find;

constexpr std::int64_t kCapturedRows = 64;  // of a whole prompt

constexpr std::size_t kMostDrawn = 1024;  // rows; a batch has at most 256

}  // namespace

void CudaOps::Throw(std::string_view what, const char* why) {
  throw DeviceError(
      "device=cuda, " + std::string(what) + ": " + why +
      "; this process cannot use the GPU any more where it names an illegal address or "
      "a launch failure: start again, and look with compute-sanitizer if it comes back");
}

CudaOps::CudaOps(const EngineOptions& options)
    : options_(options),
      queue_(gpu_),
      transfer_(queue_.stream(), options.preload == Preload::kPinned),
      products_(gpu_.limits().device_sm),
      graphs_(queue_.stream()),
      probability_(kMostDrawn * sizeof(float)) {
  (void)ContextOf(products_.workspace_bytes());
}

CudaOps::~CudaOps() {
  graphs_.Abort();  // a stream that is captured is not waited for
  (void)cudaStreamSynchronize(queue_.stream());
}

void CudaOps::Reserve(std::size_t bytes) {
  try {
    arena_ = DeviceMemory(bytes);
    taken_ = 0;
  } catch (const kernels::Error& error) {
    throw Error(Exit::kUsage, std::string("device=cuda: weights and cache: ") + error.what() +
                                  "; lower max_seq, batch or chunk, or take another GPU");
  }
}

std::byte* CudaOps::Take(std::size_t bytes) {
  const std::size_t size = (bytes + kAlign - 1) / kAlign * kAlign;
  if (size > arena_.size() - taken_) {
    throw std::logic_error("arena: " + std::to_string(size) + " bytes asked for, " +
                           std::to_string(arena_.size() - taken_) + " left");
  }
  return arena_.data() + std::exchange(taken_, taken_ + size);
}

Context CudaOps::ContextOf(std::size_t workspace_bytes) {
  if (workspace_bytes > workspace_bytes_) {
    if (graphs_.capturing()) {
      throw std::logic_error("a step needs more workspace captured than eager");
    }
    graphs_.Clear();
    // Throws where there is not so much; the next call then asks for the old size again.
    (void)queue_.context(workspace_bytes);
    workspace_bytes_ = workspace_bytes;
  }
  return queue_.context(workspace_bytes_);
}

std::byte* CudaOps::Grown(DeviceMemory& memory, std::size_t bytes) {
  if (bytes > memory.size()) {
    if (graphs_.capturing()) {
      throw std::logic_error("a step needs more memory captured than eager");
    }
    graphs_.Clear();
    queue_.Wait();
    memory = DeviceMemory();
    memory = DeviceMemory(bytes);
  }
  return memory.data();
}

void CudaOps::Upload(void* device, const void* host, std::size_t bytes) {
  graphs_.Abort();  // of a step that threw: what is uploaded for the next must not go into it
  Do("an upload", [&] { transfer_.Upload(device, host, bytes); });
}

void CudaOps::UploadAs(View device, ConstView from) {
  if (options_.convert == Convert::kHost) {
    return Ops::UploadAs(device, from);
  }
  Do("a conversion", [&] {
    const std::size_t bytes = from.count * ByteSize(from.dtype);
    std::byte* const raw = Grown(converted_, bytes);
    transfer_.Upload(raw, from.data, bytes);
    const kernels::ConvertShape shape{static_cast<std::int64_t>(from.count), from.dtype,
                                      device.dtype};
    kernels::cuda::Run(*Find<kernels::ConvertArgs>("vector"),
                       kernels::ConvertArgs{shape, {raw, from.count, from.dtype}, device}, queue_);
    queue_.Wait();  // products read weights while the kernel before them runs
  });
}

void CudaOps::Download(void* host, const void* device, std::size_t bytes) {
  graphs_.Abort();
  Do("a download", [&] { transfer_.Download(host, device, bytes); });
}

void CudaOps::Sync() {
  Do("a wait", [&] { queue_.Wait(); });
}

nlohmann::ordered_json CudaOps::Describe() const {
  const bool own = options_.gemv == Gemv::kAuto || options_.gemv == Gemv::kOwn;
  int driver = 0, runtime = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  return {
      {"device", "cuda"},
      {"gpu", gpu_.limits().name},
      {"sm", gpu_.limits().device_sm},
      {"code_sm", gpu_.limits().sm},
      {"memory_bytes", gpu_.limits().memory_bytes},
      {"driver_cuda", driver},
      {"runtime_cuda", runtime},
      {"linear", own ? "own" : FindOption("gemv")->get(options_)},
      {"gemm", options_.gemm == Gemm::kOwn ? "own" : "cublaslt"},
      {"gemm_plans", products_.plans()},
      {"mxfp4", options_.gemv == Gemv::kReference ? "mxfp4 reference" : "mxfp4 vector"},
      {"attention",
       options_.attention == Attention::kAuto ? "fused" : FindOption("attention")->get(options_)},
      {"fused_norm", own && options_.fuse_norm != Toggle::kOff},
      {"graphs", graphs_.graphs()},
      {"graph_replays", graphs_.replays()},
      {"eager_steps", graphs_.eager()}};
}

std::byte* CudaOps::TakeHost(std::size_t bytes) {
  return Do("pinned memory", [&] { return host_.emplace_back(Pinned(bytes)).get(); });
}

void CudaOps::Mark(int mark) {
  Do("a mark", [&] { marks_.Set(mark, queue_.stream()); });
}

void CudaOps::Await(int mark) {
  Do("a step", [&] { marks_.Await(mark); });
}

bool CudaOps::BeginStep(const StepKey& key) {
  graphs_.Abort();  // of a step that threw
  half_of_ = nullptr;
  // A long prompt keeps the GPU busy while its launches are queued, pieces of it have too many
  // keys, and rows that are multiplied one by one too many launches.
  const bool step = key.rows <= options_.batch && key.logit_rows == key.rows;
  const bool short_prompt =
      key.rows <= kCapturedRows && key.length == key.rows && options_.gemm != Gemm::kOwn;
  if (!options_.cuda_graph || !(step || short_prompt)) {
    return true;
  }
  return Do("a step", [&] {
    StepKey shaped = key;
    shaped.length = StepBucket(key.length);
    return graphs_.Begin(shaped);
  });
}

void CudaOps::EndStep() {
  Do("a step", [&] { graphs_.End(); });
}

void CudaOps::Embed(const Weight& table, const RowInfo& info, Rows x) {
  appended_.clear();
  step_began_ = true;
  Launch("embedding", [&](const auto& context) { EmbedRows(table, info.tokens, x, context); });
}

void CudaOps::RmsNorm(Rows x, ConstView weight, float eps, Rows y) {
  Launch("norm", [&](const auto& context) {
    kernels::cuda::RmsNormVector({{x.rows, x.cols, DType::kF32}, eps, Floats(x), weight, Floats(y)},
                                 context);
  });
}

void CudaOps::SiluMul(Rows gate_up, Rows y) {
  Launch("silu", [&](const auto& context) { SiluMulRows(gate_up, y, nullptr, context); });
}

void CudaOps::Add(Rows x, Rows sum) {
  Launch("a sum", [&](const auto& context) { AddRows(x, sum, context); });
}

void CudaOps::Argmax(Rows logits, std::int32_t* ids, std::uint8_t* ok) {
  Launch("argmax", [&](const auto& context) {
    kernels::cuda::ArgmaxVector({{logits.rows, logits.cols},
                                 Floats(logits),
                                 {ids, Index(logits.rows)},
                                 {ok, Index(logits.rows)}},
                                context);
  });
}

void CudaOps::Sample(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok) {
  half_of_ = nullptr;
  Do("sampling", [&] {
    if (Index(logits.rows) > kMostDrawn) {
      throw std::logic_error("sampling of " + std::to_string(logits.rows) + " rows");
    }
    auto* const probability = reinterpret_cast<float*>(probability_.data());
    DrawRows(logits, how, ids, ok, probability, ContextOf(DrawWorkspace(logits, ContextOf(0))));
  });
}

void CudaOps::MeasureUncertainty(Rows logits, const std::int32_t* ids, Uncertainty* out) {
  half_of_ = nullptr;
  Do("uncertainty", [&] { MeasureRows(logits, ids, out, ContextOf(0)); });
}

void CudaOps::Deliver(const Delivery& delivery) {
  step_began_ = false;  // positions move
  Launch("delivery", [&](const auto& context) { DeliverRows(delivery, context); });
}

}  // namespace cuda

std::unique_ptr<Ops> MakeCudaOps(const EngineOptions& options) {
  std::string why;
  if (kernels::cuda::GpuCount(&why) == 0) {
    throw Error(Exit::kUsage, "device=cuda: no GPU: " + why +
                                  "; device=cpu needs none. This build is for CUDA " +
                                  std::to_string(CUDART_VERSION / 1000) +
                                  " and wants a driver of that version or newer");
  }
  try {
    return std::make_unique<cuda::CudaOps>(options);
  } catch (const kernels::Error& error) {
    throw Error(Exit::kUsage,
                std::string("device=cuda: ") + error.what() +
                    "; the GPU may be in use by others, or be none of CMAKE_CUDA_ARCHITECTURES");
  }
}

}  // namespace engine
