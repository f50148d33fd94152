// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/profile.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "engine/ops/cpu/cpu_ops.h"
#include "tests/engine/model_folder.h"

namespace engine {
namespace {

std::set<OpStage> StagesOf(const StageProfile& profile) {
  std::set<OpStage> stages;
  for (const auto& [stage, name] : kOpStages) {
    if (profile.ran(stage)) {
      stages.insert(stage);
    }
  }
  return stages;
}

// Another block than the decoder's: its feed-forward part comes first, attention's product follows
// nothing that attends, and a norm and product that nothing rotates is no head.
TEST(Profile, AStageIsTheOneThatTheDecoderNames) {
  StageProfile profile;
  const std::unique_ptr<Ops> ops = Profiled(profile)(std::make_unique<CpuOps>(OneThread()));
  std::vector<float> numbers(16, 1), out(4), sum(4);
  const Weight weight{4, 4, {numbers.data(), 16, DType::kF32}, {}, {}};
  const ConstView norm{numbers.data(), 4, DType::kF32};
  const Rows x{numbers.data(), 1, 4}, y{out.data(), 1, 4}, to{sum.data(), 1, 4};

  EXPECT_TRUE(ops->BeginStep({}));
  ops->BeginStage(OpStage::kOut);
  ops->LinearResidual(x, weight, y, to);
  ops->LinearResidual(x, weight, y, to);
  ops->BeginStage(OpStage::kQkv);
  ops->NormLinear(x, norm, 1e-6F, {&weight, 1}, y, to);
  ops->NormLinear(x, norm, 1e-6F, {&weight, 1}, y, to);
  ops->EndStep();
  EXPECT_EQ(StagesOf(profile), (std::set{OpStage::kQkv, OpStage::kOut}));
  EXPECT_GT(profile.seconds(OpStage::kQkv), 0);
}

TEST(Profile, EachStageOfADecoderIsThere) {
  const ModelFolder model("tiny");
  StageProfile profile;
  Engine engine(OneThread(), model.path(), nullptr, false, Profiled(profile));
  Request request;
  request.prompt = SomeIds(3);
  engine.Generate({&request, 1});
  for (const auto& [stage, name] : kOpStages) {
    EXPECT_EQ(profile.ran(stage), stage != OpStage::kRopeAttention)
        << name;  // the CPU fuses nothing
  }
  profile.Clear();
  EXPECT_EQ(StagesOf(profile), std::set<OpStage>());
}

}  // namespace
}  // namespace engine
