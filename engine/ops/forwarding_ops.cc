// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/forwarding_ops.h"

#include <utility>

namespace engine {

ForwardingOps::ForwardingOps(std::unique_ptr<Ops> inner) : inner_(std::move(inner)) {}

std::byte* ForwardingOps::Take(std::size_t bytes) { return inner_->Take(bytes); }
std::byte* ForwardingOps::TakeHost(std::size_t bytes) { return inner_->TakeHost(bytes); }
void ForwardingOps::Reserve(std::size_t bytes) { inner_->Reserve(bytes); }
bool ForwardingOps::reads_mapped_files() const { return inner_->reads_mapped_files(); }
void ForwardingOps::Upload(void* device, const void* host, std::size_t bytes) {
  inner_->Upload(device, host, bytes);
}
void ForwardingOps::UploadAs(View device, ConstView from) { inner_->UploadAs(device, from); }
void ForwardingOps::Download(void* host, const void* device, std::size_t bytes) {
  inner_->Download(host, device, bytes);
}
void ForwardingOps::Sync() { inner_->Sync(); }
nlohmann::ordered_json ForwardingOps::Describe() const { return inner_->Describe(); }

bool ForwardingOps::BeginStep(const StepKey& key) { return inner_->BeginStep(key); }
void ForwardingOps::EndStep() { inner_->EndStep(); }
bool ForwardingOps::queues() const { return inner_->queues(); }
void ForwardingOps::Mark(int mark) { inner_->Mark(mark); }
void ForwardingOps::Await(int mark) { inner_->Await(mark); }

void ForwardingOps::Embed(const Weight& table, const RowInfo& info, Rows x) {
  inner_->Embed(table, info, x);
}
void ForwardingOps::RmsNorm(Rows x, ConstView weight, float eps, Rows y) {
  inner_->RmsNorm(x, weight, eps, y);
}
void ForwardingOps::Linear(Rows x, std::span<const Weight> parts, Rows y) {
  inner_->Linear(x, parts, y);
}
void ForwardingOps::RopeAppendKv(const AttentionShape& shape, const RopeTable& table,
                                 const RowInfo& info, Rows qkv, const KvLayer& cache) {
  inner_->RopeAppendKv(shape, table, info, qkv, cache);
}
void ForwardingOps::Attend(const AttentionShape& shape, const RowInfo& info, Rows qkv,
                           const KvLayer& cache, std::int64_t length, Rows out) {
  inner_->Attend(shape, info, qkv, cache, length, out);
}
void ForwardingOps::SiluMul(Rows gate_up, Rows y) { inner_->SiluMul(gate_up, y); }
void ForwardingOps::Add(Rows x, Rows sum) { inner_->Add(x, sum); }
void ForwardingOps::Argmax(Rows logits, std::int32_t* ids, std::uint8_t* ok) {
  inner_->Argmax(logits, ids, ok);
}
void ForwardingOps::Sample(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok) {
  inner_->Sample(logits, how, ids, ok);
}
void ForwardingOps::MeasureUncertainty(Rows logits, const std::int32_t* ids, Uncertainty* out) {
  inner_->MeasureUncertainty(logits, ids, out);
}

void ForwardingOps::Deliver(const Delivery& delivery) { inner_->Deliver(delivery); }

void ForwardingOps::NormLinear(Rows x, ConstView weight, float eps, std::span<const Weight> parts,
                               Rows norm, Rows y) {
  inner_->NormLinear(x, weight, eps, parts, norm, y);
}
void ForwardingOps::NormGateUpSilu(Rows x, ConstView weight, float eps,
                                   std::span<const Weight> parts, Rows norm, Rows gate_up, Rows y) {
  inner_->NormGateUpSilu(x, weight, eps, parts, norm, gate_up, y);
}
bool ForwardingOps::FusesRopeAttend(const AttentionShape& shape, const KvLayer& cache,
                                    std::int64_t rows, std::int64_t length) {
  return inner_->FusesRopeAttend(shape, cache, rows, length);
}
void ForwardingOps::RopeAttend(const AttentionShape& shape, const RopeTable& table,
                               const RowInfo& info, Rows qkv, const KvLayer& cache,
                               std::int64_t length, Rows out) {
  inner_->RopeAttend(shape, table, info, qkv, cache, length, out);
}
void ForwardingOps::LinearResidual(Rows x, const Weight& weight, Rows product, Rows sum) {
  inner_->LinearResidual(x, weight, product, sum);
}

}  // namespace engine
