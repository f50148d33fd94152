// SPDX-License-Identifier: Apache-2.0
// The executable: what it prints, and how it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "engine/model/safetensors.h"
#include "engine/model/text_file.h"
#include "perfgate/base/io/atomic_file.h"
#include "tests/engine/model_folder.h"
#include "tests/support/arguments.h"

namespace engine {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Outcome {
  int exit = -1;
  std::string text;  // both streams
};

Outcome Shell(const std::string& command) {
  Outcome outcome;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.text.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  outcome.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return outcome;
}

Outcome Call(const std::string& arguments) {
  return Shell(std::string(ENGINE_EXE) + " " + arguments + " 2>&1");
}

// Ends with this code and a message that has every part.
void ExpectRefused(const std::string& arguments, int exit, const std::vector<std::string>& parts) {
  const Outcome outcome = Call(arguments);
  EXPECT_EQ(outcome.exit, exit) << arguments << "\n" << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("engine: ")) << arguments;
  for (const std::string& part : parts) {
    EXPECT_THAT(outcome.text, HasSubstr(part)) << arguments;
  }
}

class Cli : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { folder_ = new TempFolder; }
  static void TearDownTestSuite() { delete folder_; }
  static std::string Model(const std::string& more = "--preset tiny") {
    const std::string path = *folder_ / "model";
    EXPECT_EQ(Call("synth --force --out " + path + " " + more).exit, 0);
    return path;
  }
  static TempFolder* folder_;
};
TempFolder* Cli::folder_ = nullptr;

TEST_F(Cli, SynthThenRun) {
  const std::string model = Model("--preset tiny --peaked");
  const std::string json = *folder_ / "run.json";
  const Outcome outcome = Call("run --model " + model + " --prompt Hi --max-tokens 5 --json " +
                               json + " --uncertainty=on --threads=1");
  EXPECT_EQ(outcome.exit, 0) << outcome.text;
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("generated 5 (length)"), HasSubstr("tpot")));
  const auto record = ReadJson(json);
  EXPECT_EQ(record["case"], "threads:1/uncertainty:on");
  EXPECT_EQ(record["device"]["threads"], 1);
  const auto& request = record["requests"][0];
  EXPECT_EQ(request["tokens"], 5);
  EXPECT_EQ(request["prompt_tokens"], 2);
  EXPECT_EQ(request["uncertainty"].size(), 5U);
  std::int64_t token = 'i';
  const SynthSpec spec{FindPreset("tiny").config, TensorType::kBf16, 1, true};
  for (const auto& id : request["ids"]) {
    EXPECT_EQ(id, token = PeakedSuccessor(spec, token));
  }
  const Outcome again =
      Call("run --model " + model + " --prompt-ids 72,105 --max-tokens 5 --threads=2 --json -");
  EXPECT_THAT(again.text, HasSubstr(request["logits_hash"].get<std::string>()));
}

// Every key is described, and what is required is there.
void ExpectDescribed(const nlohmann::json& value, const nlohmann::json& schema,
                     const std::string& where) {
  if (value.is_array() && schema.contains("items")) {
    for (const auto& item : value) {
      ExpectDescribed(item, schema["items"], where + "[]");
    }
  }
  if (!value.is_object() || !schema.contains("properties")) {
    return;
  }
  for (const auto& [key, inner] : value.items()) {
    ASSERT_TRUE(schema["properties"].contains(key)) << where << "/" << key;
    ExpectDescribed(inner, schema["properties"][key], where + "/" + key);
  }
  for (const auto& key : schema["required"]) {
    EXPECT_TRUE(value.contains(key.get<std::string>())) << where << "/" << key;
  }
}

TEST_F(Cli, TheRecordIsDescribedByItsSchema) {
  const std::string path =
      perfgate::test_support::SourceFolder() + "/docs/schema/engine-run.schema.json";
  const auto schema = ReadJson(path);
  const std::string json = *folder_ / "run.json";
  const std::string run = "run --model " + Model() + " --prompt-ids 1,2 --json " + json + " ";
  for (const char* more : {"--max-tokens 1", "--max-tokens 150 --uncertainty=on"}) {
    EXPECT_EQ(Call(run + more).exit, 0);
    ExpectDescribed(ReadJson(json), schema, "");
  }
}

TEST_F(Cli, SeveralPromptsAreABatch) {
  const std::string model = Model();
  const Outcome outcome =
      Call("run --model " + model + " --prompt one --prompt two --prompt-ids 1,2,3 --max-tokens 4");
  EXPECT_EQ(outcome.exit, 0);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = outcome.text.find("generated 4", at)) != std::string::npos; ++at) {
    ++count;
  }
  EXPECT_EQ(count, 3U) << outcome.text;
}

TEST_F(Cli, StopTextEndsTheOutput) {
  const std::string model = Model("--preset tiny --peaked");
  const SynthSpec spec{FindPreset("tiny").config, TensorType::kBf16, 1, true};
  std::int64_t token = 'a';
  while (token < '0' || token > '9') {  // the first digit that follows
    token = PeakedSuccessor(spec, token);
  }
  const std::string stop(1, static_cast<char>(token));
  const Outcome outcome =
      Call("run --model " + model + " --prompt a --max-tokens 256 --stop " + stop);
  EXPECT_THAT(outcome.text, HasSubstr("(stop)"));
}

TEST_F(Cli, LogitsAreAFile) {
  const std::string model = Model("--preset odd --dtype f32");
  const std::string out = *folder_ / "logits.safetensors";
  EXPECT_EQ(Call("logits --model " + model + " --prompt-ids 1,2,3 --out " + out).exit, 0);
  const std::string bytes = ReadFile(out);
  const SafetensorsHeader header = ParseSafetensors(std::as_bytes(std::span(bytes)), out);
  ASSERT_EQ(header.tensors.size(), 1U);
  EXPECT_THAT(header.tensors[0].shape, ::testing::ElementsAre(3, 257));
}

TEST_F(Cli, InspectSaysWhatIsThere) {
  const Outcome outcome = Call("inspect --tensors --model " + Model("--preset gqa7"));
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("Qwen2ForCausalLM"), HasSubstr("14 heads on 2 keys"),
                                  HasSubstr("model.layers.1.mlp.down_proj.weight")));
}

TEST_F(Cli, HelpNamesEveryOption) {
  const Outcome outcome = Call("run --help");
  EXPECT_EQ(outcome.exit, 0);
  for (const OptionRow& row : OptionTable()) {
    EXPECT_THAT(outcome.text, HasSubstr("--" + std::string(row.name) + " " + ValuesText(row)));
  }
  EXPECT_EQ(Call("--help").exit, 0);
}

TEST_F(Cli, RefusesRequests) {
  const std::string run = "run --model " + Model() + " ";
  ExpectRefused(run + "--prompt ''", 64, {"the prompt is empty"});
  ExpectRefused(run, 64, {"give --prompt or --prompt-ids"});
  ExpectRefused(run + "--prompt abcdef --max_seq 4", 64,
                {"has 6 tokens, the context 4", "max_seq"});
  ExpectRefused(run + "--prompt-ids 1,2,x", 64, {"--prompt-ids: 'x' does not start with"});
  ExpectRefused(run + "--prompt-ids 1,", 64, {"--prompt-ids"});
  ExpectRefused(run + "--prompt-ids 256", 64, {"token id 256 is outside the vocabulary of 256"});
  ExpectRefused(run + "--prompt a --top-p 2 --temperature -1", 64,
                {"top_p is 2", "temperature is -1"});
}

TEST_F(Cli, RefusesOptionsAllAtOnce) {
  const std::string run = "run --prompt a --model " + Model() + " ";
  ExpectRefused(run + "--speed 9", 64, {"--speed", "Try 'engine run --help'"});
  ExpectRefused("fly", 64, {"Try 'engine --help'"});
  ExpectRefused("", 64, {"Try 'engine --help'"});
  ExpectRefused("synth --preset huge --out " + (*folder_ / "x"), 64, {"no preset 'huge'", "tiny"});
  ExpectRefused(run + "--gemm=fast --threads=many", 64,
                {"2 problems", "gemm=fast: expected auto|own|cublaslt", "threads=many"});
  ExpectRefused(run + "--gemm=cublaslt --cuda_graph=on --preload=pinned", 64,
                {"3 problems", "gemm=cublaslt needs device=cuda", "cuda_graph=on needs device=cuda",
                 "preload=pinned needs device=cuda"});
  const std::string config = *folder_ / "options.json";
  perfgate::write_file_atomically(config, R"({"threads": 1, "speed": 9, "gemv": "fast"})");
  ExpectRefused(run + "--config " + config, 64,
                {"unknown option 'speed'", "gemv=fast", "options.json"});
  perfgate::write_file_atomically(config, R"({"threads": 1, "threads": 2})");
  ExpectRefused(run + "--config " + config, 65, {"\"threads\" appears twice"});
  perfgate::write_file_atomically(config, R"({"threads": 3, "gemv": "reference"})");
  const Outcome both = Call(run + "--threads 2 --json - --config " + config);
  EXPECT_THAT(both.text, HasSubstr("\"threads:2/gemv:reference\"")) << "the command line wins";
}

TEST_F(Cli, RefusesWhatWouldBeIgnored) {
  const std::string run = "run --prompt a --model " + Model() + " ";
  ExpectRefused(run + "--gemv ''", 64, {"gemv=: expected"});
  ExpectRefused(run + "--config ''", 65, {"cannot be read"});
  std::string many;
  for (int i = 0; i < 256; ++i) {
    many += "--prompt-ids 1 ";
  }
  ExpectRefused(run + many, 64, {"257 prompts; a batch has at most 256"});
}

TEST_F(Cli, WeightsAreReplacedOnlyWhenAsked) {
  const std::string model = Model();
  ExpectRefused("synth --preset odd --out " + model, 64, {model, "--force"});
  EXPECT_EQ(Call("run --prompt a --model " + model).exit, 0) << "the model is whole";
  const std::string other = *folder_ / "other";
  EXPECT_EQ(Call("synth --preset odd --out " + other).exit, 0);
  ExpectRefused("quantize --model " + model + " --out " + other, 64, {other, "--force"});
  EXPECT_EQ(Call("quantize --force --model " + model + " --out " + other).exit, 0);
  EXPECT_EQ(Call("run --prompt a --model " + other).exit, 0);
}

TEST_F(Cli, ThreadsThatCannotBeStarted) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs more address space than the limit";
#endif
  const std::string model = Model();
  const Outcome outcome = Shell("ulimit -v " ENGINE_FITS_KB "; timeout 60 " ENGINE_EXE
                                " run --prompt a --threads 1024 --model " +
                                model + " 2>&1");
  EXPECT_EQ(outcome.exit, 64) << outcome.text;
  EXPECT_THAT(outcome.text, AllOf(HasSubstr("threads=1024: only"), HasSubstr("lower threads")));
}

TEST_F(Cli, TextMayHoldZeroBytes) {
  const std::string model = Model("--preset tiny --peaked");
  const SynthSpec spec{FindPreset("tiny").config, TensorType::kBf16, 1, true};
  std::int64_t before = 1;
  while (PeakedSuccessor(spec, before) != 0) {
    ++before;
  }
  const Outcome outcome =
      Shell(std::string(ENGINE_EXE) + " run --prompt-ids " + std::to_string(before) +
            " --max-tokens 1 --stop zzz --model " + model + " 2>/dev/null");
  EXPECT_EQ(outcome.text, std::string("\0\n", 2));
}

TEST_F(Cli, NanLogitsAreNoSuccess) {
  const std::string path = Model("--preset tiny --dtype f32") + "/model.safetensors";
  std::string bytes = ReadFile(path);
  const SafetensorsHeader header = ParseSafetensors(std::as_bytes(std::span(bytes)), path);
  for (const TensorInfo& tensor : header.tensors) {
    if (tensor.name == "model.norm.weight") {
      bytes.replace(static_cast<std::size_t>(header.buffer_begin + tensor.begin), 4,
                    "\xff\xff\xff\x7f");
    }
  }
  perfgate::write_file_atomically(path, bytes);
  const std::string json = *folder_ / "nan.json";
  for (const char* how : {"", " --temperature 1"}) {
    ExpectRefused("run --prompt-ids 1,2 --model " + (*folder_ / "model") + " --json " + json + how,
                  65, {"request 1: the logits of token 0 are NaN"});
    const auto record = ReadJson(json);
    EXPECT_EQ(record["requests"][0]["finish"], "not_finite");
    EXPECT_EQ(record["requests"][0]["tokens"], 0);
  }
}

// Each malformation of a good folder, with what must be said about it.
TEST_F(Cli, RefusesMalformedModels) {
  const auto broken = [&](const std::string& file, const auto& change,
                          const std::vector<std::string>& parts) {
    const std::string path = Model() + "/" + file;
    perfgate::write_file_atomically(path, change(ReadFile(path)));
    ExpectRefused("run --prompt a --model " + folder_->path() + "/model", 65, parts);
  };
  const auto replace = [](const std::string& from, const std::string& to) {
    return [=](std::string text) {
      const std::size_t at = text.find(from);
      EXPECT_NE(at, std::string::npos) << from;
      return text.replace(at, from.size(), to);
    };
  };
  const std::string weights = "model.safetensors";
  broken(weights, [](std::string t) { return t.substr(0, t.size() / 2); },
         {weights, "end past the buffer", "truncated"});
  broken(weights, [](std::string) { return std::string("GGUF"); }, {weights, "too few"});
  broken(weights, [](std::string t) { return t + "x"; }, {weights, "no tensor covers the last 1"});
  broken(weights, replace("k_proj", "k_porj"), {"k_proj.weight\" is missing"});
  broken(weights, replace("\"BF16\",\"shape\":[256,64]", "\"BF16\",\"shape\":[64,256]"),
         {"has shape [64, 256], config.json asks for [256, 64]"});
  broken(weights, replace("\"BF16\",\"shape\":[256,64]", "\"F16\", \"shape\":[256,64]"),
         {"is F16, expected BF16 or F32"});
  const std::string config = "config.json";
  broken(config, replace("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3"),
         {"model.layers.2.input_layernorm.weight\" is missing"});
  broken(config, replace("\"hidden_size\": 64", "\"hidden_size\": 64000000000"),
         {"hidden_size is 64000000000"});
  broken(config, replace("LlamaForCausalLM", "GemmaForCausalLM"), {"GemmaForCausalLM"});
  broken(config, replace("\"silu\"", "\"gelu\""), {"hidden_act is \"gelu\""});
  broken(config, replace("{", "["), {"config.json:2:", "not JSON"});
  ExpectRefused("run --prompt-ids 1 --model " + (*folder_ / "none"), 65,
                {"config.json", "No such"});
}

TEST_F(Cli, AFullDiskIsToldAndNothingIsLeft) {
  ExpectRefused("synth --preset tiny --out /proc/none", 65, {"cannot be created"});
  const Outcome outcome = Call("inspect --model " + Model() + " > /dev/full");
  EXPECT_EQ(outcome.exit, 65) << outcome.text;
}

}  // namespace
}  // namespace engine
