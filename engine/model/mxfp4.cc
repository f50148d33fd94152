// SPDX-License-Identifier: Apache-2.0
#include "engine/model/mxfp4.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/error.h"
#include "engine/model/checkpoint.h"
#include "engine/model/checkpoint_writer.h"
#include "engine/model/model_config.h"
#include "engine/model/text_file.h"
#include "kernels/bf16.h"
#include "kernels/gemv_mxfp4.h"
#include "perfgate/base/io/atomic_file.h"

namespace engine {
namespace {

constexpr std::size_t kBlock = kernels::kMxfp4Block;
constexpr std::string_view kBlocks = "_blocks", kScales = "_scales";

// The code of a magnitude: the number of values below which it rounds. Between two values it goes
// to the nearer; in the middle to the one with the even code.
unsigned CodeOf(float magnitude) {
  constexpr float kMiddles[] = {0.25F, 0.75F, 1.25F, 1.75F, 2.5F, 3.5F, 5.0F};
  unsigned code = 0;
  while (code < 7 &&
         (magnitude > kMiddles[code] || (magnitude == kMiddles[code] && code % 2 == 1))) {
    ++code;
  }
  return code;
}

std::vector<float> ReadFloats(const Tensor& tensor, std::uint64_t first, std::size_t count) {
  const bool half = tensor.info->type == TensorType::kBf16;
  const std::size_t size = half ? 2 : 4;
  const std::byte* const from = tensor.bytes.data() + static_cast<std::size_t>(first) * size;
  std::vector<float> values(count);
  if (!half) {
    std::memcpy(values.data(), from, count * size);
    return values;
  }
  for (std::size_t i = 0; i < count; ++i) {
    kernels::Bf16 value;
    std::memcpy(&value, from + i * size, size);
    values[i] = kernels::ToFloat(value);
  }
  return values;
}

bool IsQuantized(const TensorInfo& info) {
  const bool floats = info.type == TensorType::kBf16 || info.type == TensorType::kF32;
  return floats && info.name.starts_with("model.layers.") && info.name.ends_with("_proj.weight") &&
         info.shape.size() == 2 && info.shape[1] > 0 && info.shape[1] % kBlock == 0;
}

// Blocks [first, first + count) of a matrix into whichever of codes and scales is not empty.
void QuantizeBlocks(const Tensor& tensor, std::uint64_t first, std::size_t count,
                    std::span<std::byte> codes, std::span<std::byte> scales, ThreadPool& pool) {
  constexpr std::size_t kTask = 1024;
  pool.For(static_cast<std::int64_t>((count + kTask - 1) / kTask), [&](std::int64_t task) {
    const std::size_t begin = static_cast<std::size_t>(task) * kTask;
    const std::size_t end = std::min(count, begin + kTask);
    const std::vector<float> weights =
        ReadFloats(tensor, (first + begin) * kBlock, (end - begin) * kBlock);
    for (std::size_t i = begin; i < end; ++i) {
      const auto block = std::span(weights).subspan((i - begin) * kBlock, kBlock);
      if (!std::all_of(block.begin(), block.end(), [](float w) { return std::isfinite(w); })) {
        FailData(tensor.file->path(),
                 "tensor \"" + tensor.info->name + "\" has a weight that is not finite");
      }
      std::uint8_t bytes[kBlock / 2];
      const std::uint8_t scale = QuantizeBlock(block, bytes);
      if (!codes.empty()) {
        std::memcpy(&codes[i * sizeof(bytes)], bytes, sizeof(bytes));
      }
      if (!scales.empty()) {
        scales[i] = static_cast<std::byte>(scale);
      }
    }
  });
}

void CopyOtherFiles(const std::string& from, const std::string& to) {
  for (const char* name : {"generation_config.json", "tokenizer.json", "tokenizer_config.json"}) {
    if (std::filesystem::exists(from + "/" + name)) {
      perfgate::write_file_atomically(to + "/" + name, ReadFile(from + "/" + name));
    }
  }
  auto config = nlohmann::ordered_json::parse(ReadFile(from + "/config.json"));
  config["quantization_config"] = {{"quant_method", "perfgate_mxfp4"}};
  perfgate::write_file_atomically(to + "/config.json", config.dump(2) + "\n");
}

}  // namespace

std::uint8_t QuantizeBlock(std::span<const float> weights, std::span<std::uint8_t> codes) {
  float largest = 0;
  for (const float weight : weights) {
    largest = std::max(largest, std::abs(weight));
  }
  // ilogb is floor(log2) for subnormals too. 2 is the exponent of the largest code.
  const int exponent = largest == 0 ? -127 : std::max(-127, std::ilogb(largest) - 2);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float magnitude = std::scalbn(std::abs(weights[i]), -exponent);
    const unsigned code = CodeOf(magnitude) | (std::signbit(weights[i]) ? 8U : 0U);
    codes[i / 2] = static_cast<std::uint8_t>(i % 2 == 0 ? code : codes[i / 2] | code << 4U);
  }
  return static_cast<std::uint8_t>(exponent + 127);
}

void QuantizeModel(const std::string& from, const std::string& to, ThreadPool& pool, bool replace) {
  std::error_code ignored;
  if (std::filesystem::equivalent(from, to, ignored)) {
    FailData(to, "is the model itself; name another folder");
  }
  if (ReadModelConfig(from).mxfp4) {
    FailData(from, "the model is MXFP4 already");
  }
  const Checkpoint checkpoint(from);
  std::vector<TensorToWrite> tensors;
  bool any = false;
  for (const auto& [name, tensor] : checkpoint.tensors()) {
    const auto& shape = tensor.info->shape;
    if (IsQuantized(*tensor.info)) {
      any = true;
      const std::uint64_t blocks = shape[1] / kBlock;
      tensors.push_back({name + std::string(kBlocks), TensorType::kU8, {shape[0], blocks, 16}});
      tensors.push_back({name + std::string(kScales), TensorType::kU8, {shape[0], blocks}});
    } else {
      tensors.push_back({name, tensor.info->type, shape});
    }
  }
  if (!any) {
    FailData(from, "no projection has a width that is a multiple of 32");
  }
  PrepareModelFolder(to, replace);
  const auto fill = [&](const TensorToWrite& out, std::uint64_t at, std::span<std::byte> bytes) {
    if (const Tensor* const same = checkpoint.Find(out.name)) {
      std::memcpy(bytes.data(), same->bytes.data() + at, bytes.size());
      return;
    }
    const bool codes = out.name.ends_with(kBlocks);
    const std::size_t per_block = codes ? kBlock / 2 : 1;
    const std::string name = out.name.substr(0, out.name.size() - kBlocks.size());
    QuantizeBlocks(*checkpoint.Find(name), at / per_block, bytes.size() / per_block,
                   codes ? bytes : std::span<std::byte>{}, codes ? std::span<std::byte>{} : bytes,
                   pool);
  };
  WriteCheckpoint(to, tensors, {{"format", "pt"}}, fill);
  CopyOtherFiles(from, to);
}

}  // namespace engine
