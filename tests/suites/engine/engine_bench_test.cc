// SPDX-License-Identifier: Apache-2.0
// Runs engine_bench as a user would: the list, and every case for one short slice. No time is
// judged here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/decode/profile.h"
#include "suites/engine/engine_cases.h"
#include "suites/engine/engine_models.h"
#include "suites/engine/engine_tasks.h"

namespace suites {
namespace {

std::string Bench(const std::string& arguments) {
  FILE* pipe = popen((std::string(ENGINE_BENCH) + " " + arguments + " 2>/dev/null").c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  EXPECT_EQ(pclose(pipe), 0) << arguments;
  return text;
}

TEST(EngineBench, NamesAreUniqueAndKeyValue) {
  std::istringstream list(Bench("--benchmark_list_tests=true"));
  std::set<std::string> names;
  for (std::string name; std::getline(list, name);) {
    EXPECT_TRUE(names.insert(name).second) << name;
    if (name.rfind("copy/", 0) == 0) {
      continue;
    }
    EXPECT_THAT(name,
                ::testing::MatchesRegex(
                    "engine/"
                    "test:(pp[0-9]+|tg[0-9]+|pp[0-9]+.tg[0-9]+|follow[0-9]+|start)(/depth:[0-9]+)?/"
                    "model:[a-z0-9]+(/[a-z_]+:[a-z0-9_]+)*/manual_time"));
  }
  EXPECT_GE(names.size(), 20U);
}

// Its parts are the whole. Metrics are s, real_time ms, both printed with digits to spare.
void CheckStart(const nlohmann::json& result) {
  const auto seconds = [&](const char* name) { return result[name].get<double>(); };
  const double all = result["real_time"].get<double>() * 1e-3;
  EXPECT_NEAR(seconds("open") + seconds("request"), all, 1e-6 * all);
  EXPECT_NEAR(seconds("ttft") + 7 * seconds("tpot"), seconds("request"), 1e-6 * all);
  EXPECT_NEAR(seconds("start_config") + seconds("start_device") + seconds("start_weights") +
                  seconds("start_cache"),
              seconds("open"), 1e-6 * all);
  EXPECT_EQ(seconds("prompt_tokens"), 32);
  EXPECT_EQ(seconds("tokens"), 8);
}

TEST(EngineBench, EveryCaseRunsAndGivesItsTokens) {
  const auto json =
      nlohmann::json::parse(Bench("--benchmark_format=json --benchmark_min_time=0.000001 "
                                  "--benchmark_filter='-(pp2048|isa:generic)'"));
  std::map<std::string, double> hashes;
  for (const auto& result : json["benchmarks"]) {
    const std::string name = result["name"];
    EXPECT_FALSE(result.value("error_occurred", false)) << name;
    if (name.rfind("copy/", 0) == 0) {
      continue;
    }
    EXPECT_GT(result["tokens"].get<double>(), 0) << name;
    hashes[name] = result["result_digest"];
    const bool asks = name.find("test:follow") != std::string::npos;
    EXPECT_EQ(result.contains("score"), asks) << name;
    if (asks) {
      EXPECT_EQ(result["score"].get<double>(), 1) << name;
    }
    EXPECT_EQ(result.contains("stage_attention"), name.find("profile:on") != std::string::npos)
        << name;
    EXPECT_FALSE(result.contains("stage_rope_attention")) << name;  // a CPU has no such stage
    const bool starts = name.find("test:start") != std::string::npos;
    for (const std::string metric :
         {"open", "request", "start_config", "start_device", "start_weights", "start_cache"}) {
      EXPECT_EQ(result.contains(metric), starts) << name << " " << metric;
    }
    EXPECT_FALSE(result.contains("start_prebuild")) << name;  // nor does it capture steps
    if (starts) {
      CheckStart(result);
    }
  }
  const std::string start = "engine/test:start/model:gqa7/";
  ASSERT_TRUE(hashes.contains(start + "preload:pread/manual_time"));
  EXPECT_EQ(hashes[start + "preload:pread/manual_time"], hashes[start + "manual_time"]);
  const std::string f32 = start + "weights:f32/";
  ASSERT_TRUE(hashes.contains(f32 + "weight_cache:16bit/manual_time"));
  EXPECT_NE(hashes[f32 + "weight_cache:16bit/manual_time"], hashes[f32 + "manual_time"]);
  EXPECT_NE(hashes[f32 + "manual_time"], hashes[start + "manual_time"]);
  // Options that keep every bit, and the profile.
  const std::string plain = "engine/test:tg32/model:gqa7/";
  for (const std::string option : {"ffn:batched", "ffn:separate", "fuse_qkv:on", "fuse_qkv:off",
                                   "uncertainty:on", "profile:on"}) {
    ASSERT_TRUE(hashes.contains(plain + option + "/manual_time")) << option;
    EXPECT_EQ(hashes[plain + option + "/manual_time"], hashes[plain + "manual_time"]) << option;
  }
}

TEST(EngineCases, EveryListHasValidOptionsAndNamesOfItsOwn) {
  for (const auto& cases : {SmallCases(), LargeCases(), CudaCases()}) {
    std::set<std::string> names;
    for (const EngineCase& c : cases) {
      EXPECT_TRUE(names.insert(c.name()).second) << c.name();
      EXPECT_THAT(engine::Validate(c.options), ::testing::IsEmpty()) << c.name();
    }
  }
}

// The name without the part of a key, as `perfgate ablate` looks for it.
std::string Without(std::string name, const std::string& key) {
  const std::size_t part = name.find("/" + key + ":");
  return name.erase(part, name.find('/', part + 1) - part);
}

// What `perfgate ablate` compares: every option of a GPU, each case beside one without it.
TEST(EngineCases, EveryOptionOfAGpuHasPartners) {
  std::set<std::string> names;
  for (const EngineCase& c : CudaCases()) {
    names.insert(c.name());
  }
  std::map<std::string, int> pairs;
  for (const EngineCase& c : CudaCases()) {
    if (c.model != "qwen0.5b" || c.generated == 128 || c.prompt == 2048) {
      continue;
    }
    EXPECT_TRUE(ModelSpec(c).peaked) << "one model for all: " << c.name();
    std::string chosen;
    // convert acts where weight_cache does; the last key is every case's but where another one is
    // asked about.
    for (const char* key :
         {"gemm", "gemv", "attention", "ffn", "fuse_qkv", "fuse_norm", "queue_ahead", "uncertainty",
          "preload", "convert", "prebuild", "weight_cache", "cuda_graph"}) {
      if (c.name().find(std::string("/") + key + ":") != std::string::npos && chosen.empty()) {
        chosen = key;
      }
    }
    const bool only_replayed = c.start || c.weights == engine::TensorType::kF32;
    if (chosen.empty() || (chosen == "cuda_graph" && only_replayed)) {
      continue;
    }
    EXPECT_TRUE(names.contains(Without(c.name(), chosen))) << c.name() << " without " << chosen;
    ++pairs[chosen];
  }
  EXPECT_EQ(pairs.size(), 13U);
  EXPECT_EQ(pairs["preload"], 2);
  EXPECT_EQ(pairs["prebuild"], 2);
  EXPECT_EQ(pairs["weight_cache"], 3);
  int sum = 0;
  for (const auto& [key, count] : pairs) {
    EXPECT_GE(count, key == "convert" ? 1 : 2) << key;  // which has one value beside host
    sum += count;
  }
  // A pair costs about half a second in a round, most of it the engine of the option.
  EXPECT_LE(sum, 48);
}

TEST(EngineCases, PromiseTheSameBitsWhereOptionsKeepThem) {
  EngineCase plain{.model = "gqa7", .generated = 32};
  EngineCase other = plain;
  other.profile = true;
  other.options.ffn = engine::Ffn::kBatched;
  other.options.threads = 3;
  EXPECT_EQ(other.result(), plain.result());
  EXPECT_EQ(WorkOf(other, 1).result, "engine/test:tg32/model:gqa7");
  other.options.attention = engine::Attention::kReference;
  EXPECT_EQ(other.result(), "engine/test:tg32/model:gqa7/attention:reference");
  // On a GPU a product of another shape is another algorithm's.
  plain.options.device = other.options.device = engine::DeviceKind::kCuda;
  plain.options.attention = engine::Attention::kReference;
  EXPECT_NE(other.result(), plain.result());
  other.options.ffn = engine::Ffn::kAuto;
  other.options.cuda_graph = true;
  EXPECT_EQ(other.result(), plain.result());
  other = plain;
  other.generated = 33;
  EXPECT_NE(other.result(), plain.result());
}

TEST(EngineTasks, AnswersFollowThePermutationFromTheLastToken) {
  const EngineCase c{.model = "tiny", .follow = 5};
  const std::vector<Task> tasks = TasksOf(c);
  ASSERT_EQ(tasks.size(), 4U);
  std::set<std::vector<std::int32_t>> prompts;
  for (const Task& task : tasks) {
    prompts.insert(task.prompt);
    ASSERT_EQ(task.prompt.size(), 16U);
    ASSERT_EQ(task.answer.size(), 5U);
    std::int64_t token = task.prompt.back();
    for (const std::int32_t answered : task.answer) {
      token = engine::PeakedSuccessor(ModelSpec(c), token);
      EXPECT_EQ(answered, token);
    }
  }
  EXPECT_EQ(prompts.size(), 4U);
}

TEST(EngineTasks, RightTokensAreThoseInTheirPlace) {
  const std::vector<std::int32_t> answer = {1, 2, 3, 4};
  EXPECT_EQ(RightTokens(answer, answer), 4);
  EXPECT_EQ(RightTokens(std::vector<std::int32_t>{2, 3, 4, 1}, answer), 0);
  EXPECT_EQ(RightTokens(std::vector<std::int32_t>{1, 2, 4, 4}, answer), 3);
  EXPECT_EQ(RightTokens(std::vector<std::int32_t>{1, 2}, answer), 2);
  EXPECT_EQ(RightTokens({}, answer), 0);
}

TEST(EngineCases, DeclareTheWeightsThatTheEngineReads) {
  EnginePool pool({});
  constexpr auto kF32 = engine::TensorType::kF32;
  std::vector<EngineCase> cases = {{.model = "tiny", .generated = 1},
                                   {.model = "gqa7", .generated = 1},
                                   {.model = "tiny", .weights = kF32, .generated = 1},
                                   {.model = "gqa7", .weights = kF32, .generated = 1},
                                   {.model = "gqa7", .weights = kF32, .generated = 1}};
  cases.back().options.weight_cache = engine::WeightCache::k16Bit;
  for (const EngineCase& c : cases) {
    const engine::Engine& engine = *pool.Open(c).engine;
    // One step sees two positions.
    const double cache =
        2 * static_cast<double>(engine.cache_bytes()) / static_cast<double>(engine.capacity());
    EXPECT_EQ(WorkOf(c, 1).bytes, static_cast<double>(engine.weights().bytes_per_token) + cache)
        << c.name();
  }
}

TEST(EngineCases, AProfileSharesOutTheTimeOfARequest) {
  EnginePool pool({});
  Opened& opened = pool.Open({.model = "tiny", .prompt = 32, .generated = 8, .profile = true});
  engine::Request request;
  request.prompt = PromptTokens(32, 256);
  request.max_tokens = 8;
  request.ignore_eos = true;
  const engine::Result result = opened.engine->Generate({&request, 1})[0];
  double sum = 0;
  for (const auto& [stage, name] : engine::kOpStages) {
    const bool ran = stage != engine::OpStage::kRopeAttention;  // the CPU fuses nothing
    EXPECT_EQ(opened.profile->ran(stage), ran) << name;
    EXPECT_EQ(opened.profile->seconds(stage) > 0, ran) << name;
    sum += opened.profile->seconds(stage);
  }
  EXPECT_LT(sum, engine::MetricsOf(result.times).full);
}

std::vector<char> Bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ModelFolder, GoesWithTheProcessUnlessItIsShared) {
  const engine::SynthSpec spec = ModelSpec({.model = "tiny", .generated = 1});
  std::string path;
  {
    const ModelFolder own(spec);
    path = own.path();
    EXPECT_GT(own.bytes(), 1000U);
  }
  EXPECT_FALSE(std::filesystem::exists(path));

  std::string base = ::testing::TempDir() + "model_folder_XXXXXX";
  ASSERT_NE(::mkdtemp(base.data()), nullptr);
  std::vector<char> weights;
  {
    const ModelFolder first(spec, base + "/tiny");
    EXPECT_EQ(first.path(), base + "/tiny");
    weights = Bytes(first.path() + "/model.safetensors");
    EXPECT_GT(weights.size(), 1000U);
  }
  const auto written = std::filesystem::last_write_time(base + "/tiny/model.safetensors");
  const ModelFolder second(spec, base + "/tiny");
  EXPECT_EQ(std::filesystem::last_write_time(base + "/tiny/model.safetensors"), written);
  const ModelFolder own(spec);
  EXPECT_EQ(Bytes(own.path() + "/model.safetensors"), weights);
  EXPECT_EQ(own.bytes(), second.bytes());
  const auto entries = std::filesystem::directory_iterator(base);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "something was left beside it";
  std::filesystem::remove_all(base);
}

TEST(ModelFolder, LiesInMemoryOnlyWhereThereIsRoom) {
  EXPECT_EQ(BaseFor(std::uint64_t{1} << 62), std::filesystem::temp_directory_path());
  if (std::filesystem::exists("/dev/shm")) {
    EXPECT_EQ(BaseFor(0), "/dev/shm");
  }
}

TEST(ModelFolder, WhatAKilledMakerLeftGoesWithTheNext) {
  const engine::SynthSpec spec = ModelSpec({.model = "tiny", .generated = 1});
  std::string base = ::testing::TempDir() + "model_folder_XXXXXX";
  ASSERT_NE(::mkdtemp(base.data()), nullptr);
  // A child that is killed as soon as something is there, unless it is the whole model.
  for (int tries = 0; tries < 100 && !std::filesystem::exists(base + "/tiny.part"); ++tries) {
    std::filesystem::remove_all(base + "/tiny");
    const pid_t maker = ::fork();
    if (maker == 0) {
      const ModelFolder model(spec, base + "/tiny");
      ::_exit(0);
    }
    for (int i = 0; i < 10000 && std::filesystem::is_empty(base); ++i) {
      ::usleep(50);
    }
    ::kill(maker, SIGKILL);
    ::waitpid(maker, nullptr, 0);
  }
  EXPECT_FALSE(std::filesystem::exists(base + "/tiny"));
  // As if it had come further.
  std::ofstream(base + "/tiny.part/left") << "something";
  const ModelFolder model(spec, base + "/tiny");
  EXPECT_GT(model.bytes(), 1000U);
  EXPECT_FALSE(std::filesystem::exists(base + "/tiny/left"));
  const auto entries = std::filesystem::directory_iterator(base);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  std::filesystem::remove_all(base);
}

TEST(ModelFolder, MakersWaitForEachOther) {
  const engine::SynthSpec spec = ModelSpec({.model = "tiny", .generated = 1});
  std::string base = ::testing::TempDir() + "model_folder_XXXXXX";
  ASSERT_NE(::mkdtemp(base.data()), nullptr);
  std::vector<pid_t> makers;
  for (int i = 0; i < 4; ++i) {
    makers.push_back(::fork());
    if (makers.back() == 0) {
      ::_exit(ModelFolder(spec, base + "/tiny").bytes() > 1000 ? 0 : 1);
    }
  }
  for (const pid_t maker : makers) {
    int status = 1;
    ::waitpid(maker, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto entries = std::filesystem::directory_iterator(base);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
  std::filesystem::remove_all(base);
}

// /proc has no byte to spare.
TEST(ModelFolder, ASharedPlaceWithoutRoomIsDoneWithout) {
  const engine::SynthSpec spec = ModelSpec({.model = "tiny", .generated = 1});
  std::string path;
  {
    const ModelFolder own(spec, "/proc/tiny");
    path = own.path();
    EXPECT_NE(path, "/proc/tiny");
    EXPECT_GT(own.bytes(), 1000U);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

// Counts the engines that are opened.
class PoolOfTiny {
 public:
  explicit PoolOfTiny(PoolLimits limits)
      : pool_(
            [this](const EngineCase&) {
              ++opened_;
              return engine::WrapOps();
            },
            "/nowhere, since a CPU shares nothing", limits) {}

  // Whether the engine had to be opened.
  bool Opens(engine::Ffn ffn) {
    const int before = opened_;
    EngineCase c{.model = "tiny", .generated = 1};
    c.options.ffn = ffn;
    bytes_ = pool_.Open(c).engine->checkpoint().bytes();
    return opened_ > before;
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  int opened_ = 0;
  std::uint64_t bytes_ = 0;
  EnginePool pool_;
};

TEST(EnginePool, EnginesOfSmallModelsStayOpen) {
  PoolOfTiny pool({});
  for (const bool opens : {true, false}) {
    for (const auto ffn : {engine::Ffn::kAuto, engine::Ffn::kBatched, engine::Ffn::kSeparate}) {
      EXPECT_EQ(pool.Opens(ffn), opens);
    }
  }
}

TEST(EnginePool, LargeOnesMakeRoomLeastRecentlyUsedFirst) {
  PoolOfTiny alone({.small = 0});
  EXPECT_TRUE(alone.Opens(engine::Ffn::kAuto));
  EXPECT_FALSE(alone.Opens(engine::Ffn::kAuto));
  EXPECT_TRUE(alone.Opens(engine::Ffn::kBatched));
  EXPECT_TRUE(alone.Opens(engine::Ffn::kAuto)) << "on a CPU there is room for one";

  // Files are a little larger than the weights in them.
  PoolOfTiny two({.small = 0, .room = alone.bytes() * 29 / 10});
  EXPECT_TRUE(two.Opens(engine::Ffn::kAuto));
  EXPECT_TRUE(two.Opens(engine::Ffn::kBatched));
  EXPECT_FALSE(two.Opens(engine::Ffn::kAuto));
  EXPECT_TRUE(two.Opens(engine::Ffn::kSeparate)) << "for the one that was not used for longest";
  EXPECT_FALSE(two.Opens(engine::Ffn::kAuto));
  EXPECT_TRUE(two.Opens(engine::Ffn::kBatched));
}

}  // namespace
}  // namespace suites
