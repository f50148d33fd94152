// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/profile.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "engine/decode/metrics.h"
#include "engine/ops/forwarding_ops.h"

namespace engine {
namespace {

// The decoder does not name its stages, but their order does: a product after a norm is q, k and v
// where a rotation follows, and the head where none does; a product into the residual stream is
// that of attention or of the feed-forward part, whichever came before.
class ProfiledOps : public ForwardingOps {
 public:
  ProfiledOps(std::unique_ptr<Ops> inner, StageProfile& profile)
      : ForwardingOps(std::move(inner)), profile_(profile) {}

  bool queues() const override { return false; }
  bool BeginStep(const StepKey&) override { return true; }
  void EndStep() override { BookNormLinear(OpStage::kHead); }

  void Embed(const Weight& table, const RowInfo& info, Rows x) override {
    profile_.Add(OpStage::kEmbed, Timed([&] { inner().Embed(table, info, x); }));
  }
  void NormLinear(Rows x, ConstView weight, float eps, std::span<const Weight> parts, Rows norm,
                  Rows y) override {
    norm_linear_s_ = Timed([&] { inner().NormLinear(x, weight, eps, parts, norm, y); });
  }
  void RopeAppendKv(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                    Rows qkv, const KvLayer& cache) override {
    BookNormLinear(OpStage::kQkv);
    profile_.Add(OpStage::kRope,
                 Timed([&] { inner().RopeAppendKv(shape, table, info, qkv, cache); }));
  }
  void Attend(const AttentionShape& shape, const RowInfo& info, Rows qkv, const KvLayer& cache,
              std::int64_t length, Rows out) override {
    profile_.Add(OpStage::kAttention,
                 Timed([&] { inner().Attend(shape, info, qkv, cache, length, out); }));
    after_attention_ = true;
  }
  void RopeAttend(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                  Rows qkv, const KvLayer& cache, std::int64_t length, Rows out) override {
    if (!inner().FusesRopeAttend(shape, cache, qkv.rows, length)) {
      return Ops::RopeAttend(shape, table, info, qkv, cache, length, out);
    }
    BookNormLinear(OpStage::kQkv);
    profile_.Add(OpStage::kRopeAttention,
                 Timed([&] { inner().RopeAttend(shape, table, info, qkv, cache, length, out); }));
    after_attention_ = true;
  }
  void NormGateUpSilu(Rows x, ConstView weight, float eps, std::span<const Weight> parts, Rows norm,
                      Rows gate_up, Rows y) override {
    profile_.Add(OpStage::kGateUp,
                 Timed([&] { inner().NormGateUpSilu(x, weight, eps, parts, norm, gate_up, y); }));
    after_attention_ = false;
  }
  void LinearResidual(Rows x, const Weight& weight, Rows product, Rows sum) override {
    profile_.Add(after_attention_ ? OpStage::kOut : OpStage::kDown,
                 Timed([&] { inner().LinearResidual(x, weight, product, sum); }));
  }
  void Argmax(Rows logits, std::int32_t* ids, std::uint8_t* ok) override {
    profile_.Add(OpStage::kSample, Timed([&] { inner().Argmax(logits, ids, ok); }));
  }
  void Sample(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok) override {
    profile_.Add(OpStage::kSample, Timed([&] { inner().Sample(logits, how, ids, ok); }));
  }
  void MeasureUncertainty(Rows logits, const std::int32_t* ids, Uncertainty* out) override {
    profile_.Add(OpStage::kSample, Timed([&] { inner().MeasureUncertainty(logits, ids, out); }));
  }
  void Deliver(const Delivery& delivery) override {
    profile_.Add(OpStage::kSample, Timed([&] { inner().Deliver(delivery); }));
  }

 private:
  template <class Call>
  double Timed(const Call& call) {
    const Clock::time_point start = Clock::now();
    call();
    inner().Sync();
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  void BookNormLinear(OpStage stage) {
    if (norm_linear_s_) {
      profile_.Add(stage, *norm_linear_s_);
    }
    norm_linear_s_.reset();
  }

  StageProfile& profile_;
  std::optional<double> norm_linear_s_;  // of the last NormLinear, until it is known what it was
  bool after_attention_ = false;
};

}  // namespace

WrapOps Profiled(StageProfile& profile) {
  return [&profile](std::unique_ptr<Ops> inner) -> std::unique_ptr<Ops> {
    return std::make_unique<ProfiledOps>(std::move(inner), profile);
  };
}

}  // namespace engine
