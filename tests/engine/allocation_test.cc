// SPDX-License-Identifier: Apache-2.0
// Nothing allocates between the arena and the end of a step.
#include <gtest/gtest.h>

#include "engine/decode/step_pipeline.h"
#include "engine/ops/cpu/cpu_ops.h"
#include "tests/engine/count_allocations.h"
#include "tests/engine/model_folder.h"

namespace engine {
namespace {

// Steps of a decoder that is ready, greedy and fed by ids, allocate nothing.
TEST(Allocation, StepsMakeNone) {
  const ModelFolder model("gqa7", TensorType::kBf16);
  const ModelConfig config = ReadModelConfig(model.path());
  const Checkpoint checkpoint(model.path());
  for (const int threads : {1, 2}) {
    EngineOptions options;
    options.threads = threads;
    CpuOps ops(options);
    const DecoderSizes sizes{2, 64, 16, 2};
    Measure measure;
    PlaceWeights(checkpoint, config, options, true, measure, nullptr);
    PlaceBuffers(config, sizes, DType::kBf16, measure);
    ops.Reserve(measure.bytes());
    const ModelWeights weights = PlaceWeights(checkpoint, config, options, true, ops, &ops);
    const DecoderBuffers buffers = PlaceBuffers(config, sizes, DType::kBf16, ops);
    Decoder decoder(config, weights, ops, sizes, buffers, options.numerics);
    StepPipeline steps(decoder, ops, StepPipeline::Queueing::kAhead);
    EXPECT_THROW(ops.Take(1024), std::logic_error) << "the arena is used up";
    const std::size_t before = Allocations();
    std::vector<RowInput> prompt;
    prompt.reserve(16);
    const std::size_t with_prompt = Allocations();
    EXPECT_EQ(with_prompt, before + 1) << "the counter works";
    for (std::int32_t i = 0; i < 16; ++i) {
      prompt.push_back({i, i, 0});
    }
    const Sampling how[2] = {};
    std::int32_t ids[2] = {};
    steps.Feed(prompt, 1);
    for (std::int32_t i = 0; i < 20; ++i) {
      const RowInput rows[2] = {{ids[0], 16 + i, 0}, {ids[1], i, 1}};
      steps.Start(rows, how, false);
      const std::span<const Drawn> drawn = steps.Take();
      ids[0] = drawn[0].id;
      ids[1] = drawn[1].id;
    }
    EXPECT_EQ(Allocations(), with_prompt) << threads << " threads";
  }
}

}  // namespace
}  // namespace engine
