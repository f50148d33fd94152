// SPDX-License-Identifier: Apache-2.0
#include "suites/engine/engine_cases.h"

#include <stdexcept>
#include <utility>

namespace suites {
namespace {

constexpr std::int64_t kPositions = 4096;
constexpr double kBf16 = 2, kF32 = 4;  // bytes

engine::EngineOptions With(const char* name, const char* value,
                           engine::EngineOptions options = {}) {
  std::vector<std::string> problems;
  engine::SetOption(options, name, value, problems);
  if (!problems.empty()) {
    throw std::logic_error("engine_cases: " + problems.front());
  }
  return options;
}

// Where the type of the weights shows: at the start, in steps, and in answers.
void AddF32(std::vector<EngineCase>& cases, const char* model,
            const engine::EngineOptions& options) {
  constexpr auto kType = engine::TensorType::kF32;
  cases.push_back({.model = model, .weights = kType, .start = true, .options = options});
  cases.push_back({.model = model, .weights = kType, .generated = 32, .options = options});
  cases.push_back({.model = model, .weights = kType, .follow = 32, .options = options});
}

// preload:mmap has no case: it is the default, which names leave out.
void AddCudaStarts(std::vector<EngineCase>& cases, const engine::EngineOptions& graph) {
  for (const engine::EngineOptions& options :
       {graph, With("preload", "pread", graph), With("preload", "pinned", graph),
        With("prebuild", "1", graph), With("prebuild", "4", graph)}) {
    cases.push_back({.model = "qwen0.5b", .start = true, .options = options});
  }
  const engine::EngineOptions cached = With("weight_cache", "16bit", graph);
  AddF32(cases, "qwen0.5b", graph);
  AddF32(cases, "qwen0.5b", cached);
  cases.push_back({.model = "qwen0.5b",
                   .weights = engine::TensorType::kF32,
                   .start = true,
                   .options = With("convert", "device", cached)});
}

// Bytes of a number in matrices and cache as they are held.
double HeldBytes(const EngineCase& c) {
  const bool f32 =
      c.weights == engine::TensorType::kF32 && c.options.weight_cache == engine::WeightCache::kOff;
  return f32 ? kF32 : kBf16;
}

// Numbers in the matrices of one layer.
double LayerNumbers(const engine::ModelConfig& m) {
  return static_cast<double>(m.hidden * (m.qkv_size() + m.q_size() + 3 * m.ffn));
}

}  // namespace

std::string EngineCase::name() const {
  std::string name = "engine/test:";
  if (start) {
    name += "start";
  }
  if (follow > 0) {
    name += "follow" + std::to_string(follow);
  }
  if (prompt > 0) {
    name += "pp" + std::to_string(prompt);
  }
  if (generated > 0) {
    name += (prompt > 0 ? "+tg" : "tg") + std::to_string(generated);
  }
  if (depth > 0) {
    name += "/depth:" + std::to_string(depth);
  }
  name += "/model:" + model;
  if (weights == engine::TensorType::kF32) {
    name += "/weights:f32";
  }
  if (profile) {
    name += "/profile:on";
  }
  const std::string chosen = engine::CaseName(options);
  return chosen.empty() ? name : name + "/" + chosen;
}

std::string EngineCase::result() const {
  EngineCase alike = *this;
  alike.profile = false;
  const engine::EngineOptions defaults;
  for (const engine::OptionRow& row : engine::OptionTable()) {
    if (engine::KeepsBits(row, options.device)) {
      row.set(alike.options, row.get(defaults));
    }
  }
  return alike.name();
}

std::int64_t EngineCase::prompt_tokens() const {
  if (start) {
    return kStartPrompt;
  }
  return follow > 0 ? kTaskPrompt : prompt > 0 ? prompt : depth > 0 ? depth : 1;
}

std::int64_t EngineCase::max_tokens() const {
  if (start) {
    return kStartTokens;
  }
  return follow > 0 ? follow : prompt > 0 && generated > 0 ? generated : generated + 1;
}

engine::SynthSpec ModelSpec(const EngineCase& c) {
  engine::SynthSpec spec;
  spec.config = engine::FindPreset(c.model).config;
  spec.type = c.weights;
  spec.peaked = c.follow > 0 || c.options.device == engine::DeviceKind::kCuda;
  spec.config.max_positions = kPositions;
  return spec;
}

std::vector<EngineCase> SmallCases() {
  std::vector<EngineCase> cases;
  for (const char* model : {"tiny", "gqa7"}) {
    cases.push_back({.model = model, .prompt = 512});
    cases.push_back({.model = model, .generated = 32});
    cases.push_back({.model = model, .generated = 128});
    cases.push_back({.model = model, .prompt = 32, .generated = 32});
  }
  cases.push_back({.model = "tiny", .prompt = 2048});
  cases.push_back({.model = "gqa7", .generated = 128, .depth = 256});
  cases.push_back({.model = "gqa7", .generated = 32, .profile = true});
  cases.push_back({.model = "gqa7", .prompt = 512, .profile = true});
  // One option at a time, each beside a case above that has the default. On a CPU, ffn:separate and
  // fuse_qkv:off name what `auto` chooses.
  for (const auto& [option, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"isa", "generic"},
                                                                  {"gemv", "reference"},
                                                                  {"attention", "reference"},
                                                                  {"ffn", "batched"},
                                                                  {"ffn", "separate"},
                                                                  {"fuse_qkv", "off"},
                                                                  {"fuse_qkv", "on"},
                                                                  {"uncertainty", "on"}}) {
    cases.push_back({.model = "gqa7", .generated = 32, .options = With(option, value)});
  }
  for (const auto& [option, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"isa", "generic"}, {"attention", "reference"}}) {
    cases.push_back(
        {.model = "gqa7", .generated = 32, .profile = true, .options = With(option, value)});
  }
  // Each option that may change a result, and one that may not, with questions to answer.
  cases.push_back({.model = "gqa7", .follow = 32});
  for (const auto& [option, value] :
       std::initializer_list<std::pair<const char*, const char*>>{{"gemv", "reference"},
                                                                  {"attention", "reference"},
                                                                  {"ffn", "batched"},
                                                                  {"numerics", "hf_exact"}}) {
    cases.push_back({.model = "gqa7", .follow = 32, .options = With(option, value)});
  }
  cases.push_back({.model = "tiny", .prompt = 512, .options = With("chunk", "64")});
  // Options of the start, and what holds f32 weights as bf16 where it acts. A CPU has no others.
  cases.push_back({.model = "gqa7", .start = true});
  cases.push_back({.model = "gqa7", .start = true, .options = With("preload", "pread")});
  for (const char* cache : {"off", "16bit"}) {
    AddF32(cases, "gqa7", With("weight_cache", cache));
  }
  return cases;
}

std::vector<EngineCase> LargeCases() {
  return {{.model = "qwen0.5b", .prompt = 512},
          {.model = "qwen0.5b", .generated = 32},
          {.model = "qwen0.5b", .generated = 128},
          {.model = "qwen0.5b", .generated = 32, .profile = true}};
}

std::vector<EngineCase> CudaCases() {
  const engine::EngineOptions cuda = With("device", "cuda");
  std::vector<EngineCase> cases;
  for (const char* model : {"qwen0.5b", "llama1b"}) {
    cases.push_back({.model = model, .prompt = 512, .options = cuda});
    cases.push_back({.model = model, .prompt = 2048, .options = cuda});
    cases.push_back({.model = model, .generated = 32, .options = cuda});
    cases.push_back({.model = model, .generated = 128, .options = cuda});
    cases.push_back({.model = model, .generated = 128, .depth = 2048, .options = cuda});
    cases.push_back({.model = model, .generated = 32, .profile = true, .options = cuda});
    const engine::EngineOptions graph = With("cuda_graph", "on", cuda);
    cases.push_back({.model = model, .generated = 128, .options = graph});
    cases.push_back({.model = model, .prompt = 32, .generated = 128, .options = graph});
  }
  // One option at a time, where it acts, each beside a case that has the default. What only spells
  // out the default's own choice is timed in one place: it must come out as not material. Steps are
  // replayed, except in profiles, which replay nothing: launched one by one, those of this shape
  // wait for the host, and its interruptions are a tenth of a step.
  enum Where : unsigned { kSteps = 1, kPrompt = 2, kAnswers = 4, kStages = 8 };
  struct Setting {
    const char* option;
    const char* value;
    unsigned where;
  };
  const auto add = [&cases](const engine::EngineOptions& options, unsigned where) {
    const auto add_where = [&](Where one, EngineCase c) {
      if ((where & one) != 0) {
        c.options = c.profile ? options : With("cuda_graph", "on", options);
        cases.push_back(c);
      }
    };
    add_where(kSteps, {.model = "qwen0.5b", .generated = 32});
    add_where(kPrompt, {.model = "qwen0.5b", .prompt = 512});
    add_where(kAnswers, {.model = "qwen0.5b", .follow = 32});
    add_where(kStages, {.model = "qwen0.5b", .generated = 32, .profile = true});
  };
  add(cuda, kSteps | kPrompt | kAnswers);
  cases.push_back({.model = "qwen0.5b", .follow = 32, .options = cuda});  // beside cuda_graph:on
  for (const Setting& setting : std::initializer_list<Setting>{
           {"gemm", "own", kPrompt | kAnswers},
           {"gemm", "cublaslt", kPrompt},
           {"gemv", "own", kSteps},
           {"gemv", "cublaslt", kSteps | kAnswers | kStages},
           {"attention", "reference", kSteps | kPrompt | kAnswers | kStages},
           {"attention", "split_kv", kSteps | kPrompt | kAnswers | kStages},
           {"attention", "fused", kSteps},
           {"ffn", "batched", kSteps},
           {"ffn", "separate", kSteps | kPrompt | kAnswers | kStages},
           {"fuse_qkv", "off", kSteps | kPrompt | kAnswers | kStages},
           {"fuse_qkv", "on", kSteps},
           {"fuse_norm", "off", kSteps | kAnswers | kStages},
           {"fuse_norm", "on", kSteps},
           {"queue_ahead", "off", kSteps | kAnswers},
           {"queue_ahead", "on", kSteps},
           {"uncertainty", "on", kSteps | kAnswers | kStages}}) {
    add(With(setting.option, setting.value, cuda), setting.where);
  }
  AddCudaStarts(cases, With("cuda_graph", "on", cuda));
  return cases;
}

std::string CopyCaseName(std::int64_t bytes) { return "copy/bytes:" + std::to_string(bytes); }

perfgate::bench::Work WorkOf(const EngineCase& c, std::int64_t copy_bytes) {
  const engine::ModelConfig m = ModelSpec(c).config;
  const double requests = c.follow > 0 ? kTasks : 1;
  const double held = HeldBytes(c);
  const auto layers = static_cast<double>(m.layers);
  const double matrices = layers * LayerNumbers(m);
  const auto head = static_cast<double>(m.hidden * m.vocab);
  const double kv_bytes = layers * 2 * static_cast<double>(m.kv_size()) * held;  // per position
  const double attention_flops = layers * 4 * static_cast<double>(m.q_size());   // likewise
  const double biases = (m.qkv_bias ? static_cast<double>(m.qkv_size()) : 0) * layers * kF32;
  const double norms = (2 * layers + 1) * static_cast<double>(m.hidden) * kF32;
  const double weights = (matrices + head) * held + biases + norms;

  perfgate::bench::Work work;
  if (c.prompt > 0 || c.follow > 0) {
    const auto p = static_cast<double>(c.prompt_tokens());
    work.bytes += weights + p * kv_bytes;
    work.flops += 2 * p * matrices + 2 * head + attention_flops * p * (p + 1) / 2;
  }
  // The first token of a request comes from the prompt's logits.
  const std::int64_t steps = c.start ? 0 : c.max_tokens() - 1;
  for (std::int64_t i = 0; i < steps; ++i) {
    const auto seen = static_cast<double>(c.prompt_tokens() + i + 1);
    work.bytes += weights + seen * kv_bytes;
    work.flops += 2 * (matrices + head) + attention_flops * seen;
  }
  work.bytes *= requests;
  work.flops *= requests;
  // A prompt is bound by arithmetic: its share of the speed of a copy would say nothing.
  if (c.prompt == 0 && c.follow == 0 && !c.start && copy_bytes > 0) {
    work.ceiling = CopyCaseName(copy_bytes);
  }
  work.workload = {{"batch", std::to_string(c.options.batch)},
                   {"dtype", c.weights == engine::TensorType::kF32 ? "f32" : "bf16"},
                   {"generated_tokens", std::to_string(c.max_tokens())},
                   {"model", c.model + (ModelSpec(c).peaked ? ", peaked" : "")},
                   {"model_seed", "1"},
                   {"prompt_tokens", std::to_string(c.prompt_tokens())},
                   {"requests", std::to_string(static_cast<int>(requests))},
                   {"sampling", "greedy"}};
  work.result = c.result();
  return work;
}

}  // namespace suites
