// SPDX-License-Identifier: Apache-2.0
// slow_gate_up.cc: the engine suite with one stage that does its work twice, and gives the same
// result.
#include <memory>
#include <utility>

#include "engine/ops/forwarding_ops.h"
#include "suites/engine/engine_wrap.h"

namespace suites {
namespace {

class SlowGateUp : public engine::ForwardingOps {
 public:
  using ForwardingOps::ForwardingOps;

  void NormGateUpSilu(engine::Rows x, engine::ConstView weight, float eps,
                      std::span<const engine::Weight> parts, engine::Rows norm,
                      engine::Rows gate_up, engine::Rows y) override {
    for (int i = 0; i < 2; ++i) {
      inner().NormGateUpSilu(x, weight, eps, parts, norm, gate_up, y);
    }
  }
};

}  // namespace

engine::WrapOps WrapOfSuite(const EngineCase& /*unused*/) {
  return [](std::unique_ptr<engine::Ops> ops) -> std::unique_ptr<engine::Ops> {
    return std::make_unique<SlowGateUp>(std::move(ops));
  };
}

}  // namespace suites
