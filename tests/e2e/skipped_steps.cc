// SPDX-License-Identifier: Apache-2.0
// skipped_steps.cc: the engine suite with options that run one step of the model in four, so that
// tokens repeat: faster, and wrong.
#include <memory>
#include <utility>

#include "engine/ops/forwarding_ops.h"
#include "suites/engine/engine_wrap.h"

namespace suites {
namespace {

class SkippedSteps : public engine::ForwardingOps {
 public:
  using ForwardingOps::ForwardingOps;

  bool BeginStep(const engine::StepKey& key) override {
    step_ = key.rows == 1 ? step_ + 1 : 0;  // never a prompt, whose logits nobody had before
    skip_ = step_ % 4 != 0;
    return !skip_ && inner().BeginStep(key);
  }
  void EndStep() override {
    if (!skip_) {
      inner().EndStep();
    }
  }

 private:
  int step_ = 0;  // since the last prompt
  bool skip_ = false;
};

}  // namespace

// One option that may change results, one that may not, and one of the start that may not.
engine::WrapOps WrapOfSuite(const EngineCase& c) {
  if (c.options.attention != engine::Attention::kReference &&
      c.options.ffn != engine::Ffn::kBatched && c.options.preload != engine::Preload::kPread) {
    return {};
  }
  return [](std::unique_ptr<engine::Ops> ops) -> std::unique_ptr<engine::Ops> {
    return std::make_unique<SkippedSteps>(std::move(ops));
  };
}

}  // namespace suites
