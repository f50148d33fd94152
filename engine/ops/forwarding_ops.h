// SPDX-License-Identifier: Apache-2.0
// forwarding_ops.h: ops that hand every call on to others: the base of what measures or disturbs.
//
// Fused entries are handed on as such, so that what a device fuses stays fused.
#pragma once

#include <memory>

#include "engine/ops/ops.h"

namespace engine {

class ForwardingOps : public Ops {
 public:
  explicit ForwardingOps(std::unique_ptr<Ops> inner);

  std::byte* Take(std::size_t bytes) override;
  std::byte* TakeHost(std::size_t bytes) override;
  void Reserve(std::size_t bytes) override;
  bool reads_mapped_files() const override;
  void Upload(void* device, const void* host, std::size_t bytes) override;
  void UploadAs(View device, ConstView from) override;
  void Download(void* host, const void* device, std::size_t bytes) override;
  void Sync() override;
  nlohmann::ordered_json Describe() const override;

  bool BeginStep(const StepKey& key) override;
  void EndStep() override;
  bool queues() const override;
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

 protected:
  Ops& inner() { return *inner_; }

 private:
  std::unique_ptr<Ops> inner_;
};

}  // namespace engine
