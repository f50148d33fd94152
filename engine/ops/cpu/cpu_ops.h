// SPDX-License-Identifier: Apache-2.0
// cpu_ops.h: the ops on a CPU, by the kernels of kernels/ and a thread pool.
//
// Work is cut by rows of weights, rows of activations and heads, never along a sum, and into pieces
// whose size does not depend on the number of threads: the same bits for any number. A row of
// several has the bits that it has alone, so a prompt fed at once equals one fed token by token.
//
// The cache of a sequence is [kv_heads, capacity, dim], so that a head's keys are contiguous and
// heads can go to different threads.
#pragma once

#include <memory>

#include "engine/ops/ops.h"
#include "engine/options.h"
#include "engine/thread_pool.h"
#include "kernels/decode_attention.h"
#include "kernels/gemv.h"
#include "kernels/gemv_mxfp4.h"

namespace engine {

class CpuOps : public Ops {
 public:
  // Needs options that Validate() accepts.
  explicit CpuOps(const EngineOptions& options);

  void Reserve(std::size_t bytes) override;
  std::byte* Take(std::size_t bytes) override;
  bool reads_mapped_files() const override { return true; }
  void Upload(void* device, const void* host, std::size_t bytes) override;
  void Download(void* host, const void* device, std::size_t bytes) override;
  void Sync() override {}
  nlohmann::ordered_json Describe() const override;

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

 protected:
  // A row's q for one key head, and what is in the cache for them.
  struct HeadTask {
    const float* q;  // [group, dim]
    View k, v;       // [length, dim]
    std::int64_t length;
    float* out;  // [group, dim]
  };
  // Called from several threads.
  virtual void FinishProduct(std::span<float> y) const;
  virtual void RotateRow(const AttentionShape& shape, const RopeTable& table, std::int32_t position,
                         float* qk) const;
  virtual void AttendHead(const AttentionShape& shape, const HeadTask& task) const;

  ThreadPool& pool() { return pool_; }
  const kernels::Context& context() const { return context_; }

 private:
  void ArgmaxOfRow(ConstView logits, std::int32_t* id, std::uint8_t* ok) const;
  // y: [x.rows, count], of rows [first, first + count) of the weight.
  void Multiply(const Weight& part, std::int64_t first, std::int64_t count, Rows x, float* y) const;
  void MultiplyTile(const Weight& part, std::int64_t first, std::int64_t count, Rows x, float* y,
                    std::int64_t y_stride) const;

  ThreadPool pool_;
  kernels::Context context_;
  const kernels::Row<kernels::GemvArgs>& gemv_;
  const kernels::Row<kernels::GemvMxfp4Args>& gemv_mxfp4_;
  const kernels::Row<kernels::DecodeAttentionArgs>& attention_;
  std::unique_ptr<std::byte[]> block_;
  std::byte* arena_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace engine
