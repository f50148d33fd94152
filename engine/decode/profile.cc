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

class ProfiledOps : public ForwardingOps {
 public:
  ProfiledOps(std::unique_ptr<Ops> inner, StageProfile& profile)
      : ForwardingOps(std::move(inner)), profile_(profile) {}

  bool queues() const override { return false; }
  bool BeginStep(const StepKey&) override {
    stage_.reset();  // of a step that threw
    return true;
  }
  void BeginStage(OpStage stage) override {
    EndStage();
    stage_ = stage;
    begin_ = Clock::now();
  }
  void EndStep() override { EndStage(); }

 private:
  void EndStage() {
    if (stage_) {
      inner().Sync();
      profile_.Add(*stage_, std::chrono::duration<double>(Clock::now() - begin_).count());
      stage_.reset();
    }
  }

  StageProfile& profile_;
  std::optional<OpStage> stage_;  // that runs
  Clock::time_point begin_;
};

}  // namespace

WrapOps Profiled(StageProfile& profile) {
  return [&profile](std::unique_ptr<Ops> inner) -> std::unique_ptr<Ops> {
    return std::make_unique<ProfiledOps>(std::move(inner), profile);
  };
}

}  // namespace engine
