// SPDX-License-Identifier: Apache-2.0
// fused_attention.cc: the engine suite on a device that fuses rope and attention, as a GPU does,
// and with attention:reference does not: the stages of a profile are others with that option.
#include <memory>
#include <utility>

#include "engine/ops/forwarding_ops.h"
#include "suites/engine/engine_wrap.h"

namespace suites {
namespace {

class FusedAttention : public engine::ForwardingOps {
 public:
  using ForwardingOps::ForwardingOps;

  // What it does then is the same: ForwardingOps hands RopeAttend on to ops that take it apart.
  bool FusesRopeAttend(const engine::AttentionShape& /*unused*/, const engine::KvLayer& /*unused*/,
                       std::int64_t /*unused*/, std::int64_t /*unused*/) override {
    return true;
  }
};

}  // namespace

engine::WrapOps WrapOfSuite(const EngineCase& c) {
  if (c.options.attention == engine::Attention::kReference) {
    return {};
  }
  return [](std::unique_ptr<engine::Ops> ops) -> std::unique_ptr<engine::Ops> {
    return std::make_unique<FusedAttention>(std::move(ops));
  };
}

}  // namespace suites
