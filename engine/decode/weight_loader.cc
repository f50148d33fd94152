// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/weight_loader.h"

#include <algorithm>
#include <span>

#include "engine/error.h"
#include "engine/index.h"
#include "kernels/gemv_mxfp4.h"

namespace engine {
namespace {

constexpr std::size_t kChunk = std::size_t{8} << 20;

[[noreturn]] void RefuseTensor(const Tensor& tensor, const std::string& what) {
  FailData(tensor.file->path(), "tensor \"" + tensor.info->name + "\" " + what);
}

[[noreturn]] void RefuseType(const Tensor& tensor, const std::string& expected) {
  RefuseTensor(tensor, "is " + std::string(Name(tensor.info->type)) + ", expected " + expected);
}

DType TypeOf(const Tensor& tensor) {
  switch (tensor.info->type) {
    case TensorType::kF32:
      return DType::kF32;
    case TensorType::kBf16:
      return DType::kBf16;
    case TensorType::kU8:
      return DType::kU8;
    default:
      RefuseType(tensor, "BF16 or F32");
  }
}

// Elements, or bytes of a U8 tensor.
std::size_t Count(const Tensor& tensor) { return tensor.bytes.size() / ByteSize(TypeOf(tensor)); }

void ReadAt(const Tensor& tensor, std::size_t at, std::span<std::byte> out) {
  if (tensor.file->file().ReadAt(tensor.file_offset + at, out) < out.size()) {
    RefuseTensor(tensor, "cannot be read: the file has become shorter");
  }
}

}  // namespace

WeightLoader::WeightLoader(const Checkpoint& checkpoint, const ModelConfig& config,
                           const EngineOptions& options, bool reads_mapped_files, Memory& memory,
                           Ops* ops)
    : checkpoint_(checkpoint),
      config_(config),
      options_(options),
      in_place_(reads_mapped_files && options.preload == Preload::kMmap),
      memory_(memory),
      ops_(ops) {}

void WeightLoader::RefuseUnread() const {
  std::string names;
  std::size_t count = 0;
  for (const auto& [name, tensor] : checkpoint_.tensors()) {
    if (!read_.contains(name) && !name.ends_with("rotary_emb.inv_freq")) {
      if (++count <= 5) {
        names += (names.empty() ? "\"" : ", \"") + name + "\"";
      }
    }
  }
  if (count > 0) {
    throw Error(Exit::kData,
                std::to_string(count) + " tensor(s) that the model of config.json does not have: " +
                    names + (count > 5 ? ", ..." : "") +
                    "; num_hidden_layers, attention_bias or tie_word_embeddings may be wrong");
  }
}

void WeightLoader::ReadTiedHead() {
  const Tensor* const head = checkpoint_.Find("lm_head.weight");
  const Tensor* const embedding = checkpoint_.Find("model.embed_tokens.weight");
  if (head != nullptr && embedding != nullptr && head->info->type == embedding->info->type &&
      std::ranges::equal(head->bytes, embedding->bytes)) {
    read_.insert("lm_head.weight");
  }
}

ConstView WeightLoader::Vector(const std::string& name, std::int64_t size) {
  return Together({Float(name, {Index(size)})}, DType::kF32);
}

Weight WeightLoader::Matrix(const std::vector<std::string>& names,
                            const std::vector<std::int64_t>& rows, std::int64_t k, bool bias,
                            bool may_be_mxfp4) {
  Weight weight;
  weight.k = k;
  const bool mxfp4 =
      config_.mxfp4 && may_be_mxfp4 && checkpoint_.Find(names[0] + ".weight_blocks") != nullptr;
  const std::uint64_t blocks = Index(k / kernels::kMxfp4Block);
  std::vector<const Tensor*> data, scales, biases;
  for (std::size_t i = 0; i < names.size(); ++i) {
    weight.n += rows[i];
    const std::uint64_t n = Index(rows[i]);
    if (!mxfp4) {
      data.push_back(Float(names[i] + ".weight", {n, Index(k)}));
    } else if (k % kernels::kMxfp4Block != 0) {
      throw Error(Exit::kData, "tensor \"" + names[i] + ".weight_blocks\": rows of " +
                                   std::to_string(k) +
                                   " weights are no whole number of MXFP4 blocks of 32");
    } else {
      data.push_back(Bytes(names[i] + ".weight_blocks", {n, blocks, 16}));
      scales.push_back(Bytes(names[i] + ".weight_scales", {n, blocks}));
    }
    if (bias) {
      biases.push_back(Float(names[i] + ".bias", {n}));
    }
  }
  weight.data = Together(data, std::nullopt);
  if (mxfp4) {
    weight.scales = Together(scales, std::nullopt);
  }
  if (bias) {
    weight.bias = Together(biases, DType::kF32);
  }
  return weight;
}

const Tensor* WeightLoader::Find(const std::string& name, const Shape& shape) {
  const Tensor& tensor = checkpoint_.Get(name, shape);
  read_.insert(name);
  return &tensor;
}

const Tensor* WeightLoader::Float(const std::string& name, const Shape& shape) {
  const Tensor* const tensor = Find(name, shape);
  if (TypeOf(*tensor) == DType::kU8) {
    RefuseType(*tensor, "BF16 or F32");
  }
  return tensor;
}

const Tensor* WeightLoader::Bytes(const std::string& name, const Shape& shape) {
  const Tensor* const tensor = Find(name, shape);
  if (tensor->info->type != TensorType::kU8) {
    RefuseType(*tensor, "U8");
  }
  return tensor;
}

ConstView WeightLoader::Together(const std::vector<const Tensor*>& tensors,
                                 std::optional<DType> to) {
  const Tensor& first = *tensors[0];
  const DType from = TypeOf(first);
  const bool cached = from == DType::kF32 && options_.weight_cache == WeightCache::k16Bit;
  const DType type = to.value_or(cached ? DType::kBf16 : from);
  std::size_t count = 0;
  for (const Tensor* tensor : tensors) {
    if (TypeOf(*tensor) != from && !to) {
      throw Error(Exit::kData, "tensors \"" + first.info->name + "\" and \"" + tensor->info->name +
                                   "\" have different types and cannot be one product; "
                                   "fuse_qkv=off and ffn=separate load them");
    }
    count += Count(*tensor);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(first.bytes.data());
  if (in_place_ && tensors.size() == 1 && type == from && address % ByteSize(type) == 0) {
    return {first.bytes.data(), count, type};
  }
  std::byte* const begin = memory_.Take(count * ByteSize(type));
  if (ops_ != nullptr) {
    std::byte* at = begin;
    for (const Tensor* tensor : tensors) {
      Copy(*tensor, type, at);
      at += Count(*tensor) * ByteSize(type);
    }
  }
  return {begin, count, type};
}

void WeightLoader::Copy(const Tensor& tensor, DType to, std::byte* device) {
  const DType from = TypeOf(tensor);
  std::vector<std::byte> read;
  for (std::size_t at = 0; at < tensor.bytes.size(); at += kChunk) {
    std::span<const std::byte> piece =
        tensor.bytes.subspan(at, std::min(kChunk, tensor.bytes.size() - at));
    const std::size_t count = piece.size() / ByteSize(from);
    if (options_.preload == Preload::kPread) {
      read.resize(piece.size());
      ReadAt(tensor, at, read);
      piece = read;
    } else if (to != from) {
      // A mapping may be misaligned for its type; a copy is not.
      read.assign(piece.begin(), piece.end());
      piece = read;
    }
    if (to == from) {
      ops_->Upload(device, piece.data(), piece.size());
    } else {
      ops_->UploadAs({device, count, to}, {piece.data(), count, from});
    }
    device += count * ByteSize(to);
  }
}

}  // namespace engine
