// SPDX-License-Identifier: Apache-2.0
// cuda_ops.h: the ops on an NVIDIA GPU.
//
// One row of activations goes through engine/ops/cuda/gemv.h, f32 throughout: norm, product, bias,
// silu and residual sum are one kernel, a layer is five. Several rows (prompts, batches) are
// rounded to bf16 for a bf16 weight and multiplied by cuBLASLt, sums in f32; f32 weights take f32
// rows. MXFP4 weights take up to eight rows one by one, and become bf16 piece by piece for more.
//
// The cache is [sequence, position, kv head, dim]. Everything is queued on one stream; only
// Download, Await and Sync wait. The device is CUDA's number 0, which every thread has unless it
// chose another, so any thread may call, one at a time.
#pragma once

#include <string_view>
#include <vector>

#include "engine/ops/cuda/gemv.h"
#include "engine/ops/cuda/products.h"
#include "engine/ops/cuda/step_graphs.h"
#include "engine/ops/cuda/transfer.h"
#include "engine/ops/ops.h"
#include "engine/options.h"
#include "kernels/cuda/attention/decode_attention.h"
#include "kernels/cuda/runtime/queue.h"
#include "kernels/error.h"

namespace engine::cuda {

class CudaOps : public Ops {
 public:
  // Throws kernels::Error: MakeCudaOps() makes an engine::Error of it.
  explicit CudaOps(const EngineOptions& options);
  ~CudaOps() override;

  void Reserve(std::size_t bytes) override;
  std::byte* Take(std::size_t bytes) override;
  bool reads_mapped_files() const override { return false; }
  void Upload(void* device, const void* host, std::size_t bytes) override;
  void UploadAs(View device, ConstView from) override;
  void Download(void* host, const void* device, std::size_t bytes) override;
  void Sync() override;
  nlohmann::ordered_json Describe() const override;

  std::byte* TakeHost(std::size_t bytes) override;
  bool BeginStep(const StepKey& key) override;
  void EndStep() override;
  bool queues() const override { return true; }
  void Mark(int mark) override;
  void Await(int mark) override;

  void Embed(const Weight& table, const RowInfo& info, Rows x) override;
  void RmsNorm(Rows x, ConstView weight, float eps, Rows y) override;
  void Linear(Rows x, std::span<const Weight> parts, Rows y) override;
  void RopeAppendKv(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                    Rows qkv, const KvLayer& cache) override;
  void Attend(const AttentionShape& shape, const RowInfo& info, Rows qkv, const KvLayer& cache,
              std::int64_t length, Rows out) override;
  void SiluMul(Rows gate_up, Rows y) override;
  void Add(Rows x, Rows sum) override;
  void Argmax(Rows logits, std::int32_t* ids, std::uint8_t* ok) override;
  void Sample(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok) override;
  void MeasureUncertainty(Rows logits, const std::int32_t* ids, Uncertainty* out) override;
  void Deliver(const Delivery& delivery) override;

  void NormLinear(Rows x, ConstView weight, float eps, std::span<const Weight> parts, Rows norm,
                  Rows y) override;
  void NormGateUpSilu(Rows x, ConstView weight, float eps, std::span<const Weight> parts, Rows norm,
                      Rows gate_up, Rows y) override;
  bool FusesRopeAttend(const AttentionShape& shape, const KvLayer& cache, std::int64_t rows,
                       std::int64_t length) override;
  void RopeAttend(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                  Rows qkv, const KvLayer& cache, std::int64_t length, Rows out) override;
  void LinearResidual(Rows x, const Weight& weight, Rows product, Rows sum) override;

 private:
  // How rows are multiplied with a weight.
  enum class Way : std::uint8_t {
    kRows,     // one by one, by kernels::cuda
    kGemv,     // one by one, by engine/ops/cuda/gemv.h
    kProduct,  // together, by cuBLASLt
  };
  // Where one part of a product goes: columns of rows that are `row` apart.
  struct Target {
    float* data = nullptr;
    std::int64_t row = 0;
    bool add = false;
  };

  bool TakesShort(const AttentionShape& shape, const KvLayer& cache, std::int64_t slots);
  Way WayOf(const Weight& weight, std::int64_t rows);
  bool AllGo(std::span<const Weight> parts, std::int64_t rows, Way way);
  // Throws where that would change addresses in a capture.
  kernels::Context ContextOf(std::size_t workspace_bytes);
  std::byte* Grown(kernels::cuda::DeviceMemory& memory, std::size_t bytes);
  const kernels::Bf16* HalfOf(Rows x);

  void Multiply(Rows x, const Weight& weight, const Target& to);
  void MultiplyRows(Rows x, const Weight& weight, const Target& to);
  // bf16 rows of `half`, or f32 ones of x where the weight is f32. False: no algorithm.
  bool MultiplyTogether(Rows x, const kernels::Bf16* half, const Weight& weight, const Target& to);
  bool MultiplyMxfp4(Rows x, const kernels::Bf16* half, const Weight& weight, const Target& to);

  [[noreturn]] static void Throw(std::string_view what, const char* why);
  // f(), with what kernels/cuda throws as an Error of the device.
  template <class F>
  auto Do(std::string_view what, F&& f) {
    try {
      return f();
    } catch (const kernels::Error& error) {
      graphs_.Abort();
      Throw(what, error.what());
    } catch (...) {
      graphs_.Abort();
      throw;
    }
  }

  // The same for a launch, which ends what halves_ holds.
  template <class F>
  void Launch(std::string_view what, F&& f) {
    half_of_ = nullptr;
    Do(what, [&] { f(ContextOf(0)); });
  }

  const EngineOptions options_;
  kernels::cuda::Gpu gpu_;
  kernels::cuda::Queue queue_;
  Transfer transfer_;
  Products products_;
  StepGraphs graphs_;
  Marks marks_;
  std::vector<PinnedMemory> host_;
  kernels::cuda::DeviceMemory arena_, halves_, tile_, converted_, probability_;
  std::size_t taken_ = 0, workspace_bytes_ = 0;
  // Which f32 rows halves_ holds as bf16; until another op has run.
  const float* half_of_ = nullptr;
  std::size_t half_count_ = 0;
  // What short attention may read while the kernel before runs: since Embed, which waits for all
  // that was queued, nobody has moved positions, and these are the keys that were appended to.
  bool step_began_ = false;
  std::vector<const void*> appended_;
};

}  // namespace engine::cuda
