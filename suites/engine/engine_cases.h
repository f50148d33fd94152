// SPDX-License-Identifier: Apache-2.0
// engine_cases.h: what the engine suite measures, and what each case has to do at least.
//
// Names follow llama-bench: pp512 feeds a prompt of 512 tokens, tg32 generates 32 tokens, tg32 at
// depth 256 does so behind a prompt of 256, pp32+tg32 is a request of both.
//
//   engine/test:tg128/depth:256/model:gqa7/fuse_qkv:on
//
// ends with the options that differ from the defaults, as engine::CaseName writes them. Unlike
// llama-bench's, pp includes the first draw from the logits, and tg the draw of each token.
//
// follow32 answers the tasks of engine_tasks.h, 32 tokens each, and has a score beside its times.
//
// start opens an engine anew from its folder and asks it a first request, prompt of 32 and answer
// of 8, then closes it, which is not timed. Files are in the page cache; kernels and the driver's
// context are in the process after the first start, see engine_cold.py for those.
//
// Behind the model stands weights:f32 where its files are not of bf16.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/synth.h"
#include "engine/options.h"
#include "perfgate/bench/work.h"

namespace suites {

inline constexpr std::int64_t kTasks = 4, kTaskPrompt = 16;         // of a case with `follow`
inline constexpr std::int64_t kStartPrompt = 32, kStartTokens = 8;  // of a case with `start`

struct EngineCase {
  std::string model;                                       // preset of engine::Presets()
  engine::TensorType weights = engine::TensorType::kBf16;  // in its files; or kF32
  std::int64_t prompt = 0;     // tokens of a timed prompt; 0: only generation is timed
  std::int64_t generated = 0;  // tokens of a timed generation; 0: only the prompt is timed
  std::int64_t depth = 0;      // tokens in the cache before generation
  std::int64_t follow = 0;  // tokens of each answer; 0: no tasks. Without prompt, generated, depth
  bool start = false;       // the opening and the first request. Likewise, and without profile
  bool profile = false;     // stage by stage, engine/decode/profile.h
  engine::EngineOptions options{};

  std::string name() const;
  // What it computes: the name without the profile and without options that keep every bit. Cases
  // of one result have equal result_digests.
  std::string result() const;
  // Of one request: a generation alone follows a prompt of at least one token, whose first token is
  // not timed.
  std::int64_t prompt_tokens() const;
  std::int64_t max_tokens() const;
};

// The case's model: a preset with room for the longest case, 4096 positions; peaked for tasks, and
// on a GPU for all cases, so that one engine serves them.
engine::SynthSpec ModelSpec(const EngineCase& c);

// Small models, seconds for a round: tiny and gqa7, and on gqa7 each option that a CPU can choose,
// those of the start too.
std::vector<EngineCase> SmallCases();
// The shape of Qwen2.5-0.5B: 1 GB of weights, minutes.
std::vector<EngineCase> LargeCases();
// On a GPU: the shapes of Qwen2.5-0.5B and Llama-3.2-1B, and on the first each option where it
// acts: in generation, in a prompt, with questions to answer, in the stages, and at the start.
std::vector<EngineCase> CudaCases();

// The case that copies `bytes` from one place to another.
std::string CopyCaseName(std::int64_t bytes);

// copy_bytes: of the case that is the ceiling of generation on a CPU; 0: none.
//
// Bytes: the weights once per step, keys and values of each position that a generated token sees.
// Flops: the products with weights and those of attention. Both without norms and activations,
// which are below 1 %. A start declares neither: how often weights have to move before they can be
// read is up to device and options, and its time is of files, buses and the device together, so
// that a rate over it would be that of nothing. The workload is what two arms must agree on.
perfgate::bench::Work WorkOf(const EngineCase& c, std::int64_t copy_bytes);

}  // namespace suites
