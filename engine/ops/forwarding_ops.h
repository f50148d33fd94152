// SPDX-License-Identifier: Apache-2.0
// forwarding_ops.h: ops that hand every call on to others: the base of what measures or disturbs.
//
// Fused entries are handed on as such, so that what a device fuses stays fused.
#pragma once

#include <memory>
#include <utility>

#include "engine/ops/ops.h"

namespace engine {

class ForwardingOps : public Ops {
 public:
  explicit ForwardingOps(std::unique_ptr<Ops> inner) : inner_(std::move(inner)) {}

  std::byte* Take(std::size_t bytes) override { return inner_->Take(bytes); }
  std::byte* TakeHost(std::size_t bytes) override { return inner_->TakeHost(bytes); }
  void Reserve(std::size_t bytes) override { inner_->Reserve(bytes); }
  bool reads_mapped_files() const override { return inner_->reads_mapped_files(); }
  void Upload(void* device, const void* host, std::size_t bytes) override {
    inner_->Upload(device, host, bytes);
  }
  void UploadAs(View device, ConstView from) override { inner_->UploadAs(device, from); }
  void Download(void* host, const void* device, std::size_t bytes) override {
    inner_->Download(host, device, bytes);
  }
  void Sync() override { inner_->Sync(); }
  nlohmann::ordered_json Describe() const override { return inner_->Describe(); }

  bool BeginStep(const StepKey& key) override { return inner_->BeginStep(key); }
  void EndStep() override { inner_->EndStep(); }
  void BeginStage(OpStage stage) override { inner_->BeginStage(stage); }
  bool queues() const override { return inner_->queues(); }
  void Mark(int mark) override { inner_->Mark(mark); }
  void Await(int mark) override { inner_->Await(mark); }

  void Embed(const Weight& table, const RowInfo& info, Rows x) override {
    inner_->Embed(table, info, x);
  }
  void RmsNorm(Rows x, ConstView weight, float eps, Rows y) override {
    inner_->RmsNorm(x, weight, eps, y);
  }
  void Linear(Rows x, std::span<const Weight> parts, Rows y) override {
    inner_->Linear(x, parts, y);
  }
  void RopeAppendKv(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                    Rows qkv, const KvLayer& cache) override {
    inner_->RopeAppendKv(shape, table, info, qkv, cache);
  }
  void Attend(const AttentionShape& shape, const RowInfo& info, Rows qkv, const KvLayer& cache,
              std::int64_t length, Rows out) override {
    inner_->Attend(shape, info, qkv, cache, length, out);
  }
  void SiluMul(Rows gate_up, Rows y) override { inner_->SiluMul(gate_up, y); }
  void Add(Rows x, Rows sum) override { inner_->Add(x, sum); }
  void Argmax(Rows logits, std::int32_t* ids, std::uint8_t* ok) override {
    inner_->Argmax(logits, ids, ok);
  }
  void Sample(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok) override {
    inner_->Sample(logits, how, ids, ok);
  }
  void MeasureUncertainty(Rows logits, const std::int32_t* ids, Uncertainty* out) override {
    inner_->MeasureUncertainty(logits, ids, out);
  }
  void Deliver(const Delivery& delivery) override { inner_->Deliver(delivery); }

  void NormLinear(Rows x, ConstView weight, float eps, std::span<const Weight> parts, Rows norm,
                  Rows y) override {
    inner_->NormLinear(x, weight, eps, parts, norm, y);
  }
  void NormGateUpSilu(Rows x, ConstView weight, float eps, std::span<const Weight> parts, Rows norm,
                      Rows gate_up, Rows y) override {
    inner_->NormGateUpSilu(x, weight, eps, parts, norm, gate_up, y);
  }
  bool FusesRopeAttend(const AttentionShape& shape, const KvLayer& cache, std::int64_t rows,
                       std::int64_t length) override {
    return inner_->FusesRopeAttend(shape, cache, rows, length);
  }
  void RopeAttend(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                  Rows qkv, const KvLayer& cache, std::int64_t length, Rows out) override {
    inner_->RopeAttend(shape, table, info, qkv, cache, length, out);
  }
  void LinearResidual(Rows x, const Weight& weight, Rows product, Rows sum) override {
    inner_->LinearResidual(x, weight, product, sum);
  }

 protected:
  Ops& inner() { return *inner_; }

 private:
  std::unique_ptr<Ops> inner_;
};

}  // namespace engine
