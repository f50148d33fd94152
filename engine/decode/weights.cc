// SPDX-License-Identifier: Apache-2.0
#include "engine/decode/weights.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string>

#include "engine/error.h"
#include "kernels/bf16.h"
#include "kernels/gemv_mxfp4.h"

namespace engine {
namespace {

using Shape = std::vector<std::uint64_t>;

constexpr std::size_t kChunk = std::size_t{8} << 20;

std::uint64_t U(std::int64_t value) { return static_cast<std::uint64_t>(value); }

DType TypeOf(const Tensor& tensor) {
  switch (tensor.info->type) {
    case TensorType::kF32:
      return DType::kF32;
    case TensorType::kBf16:
      return DType::kBf16;
    case TensorType::kU8:
      return DType::kU8;
    default:
      throw Error(ErrorKind::kData, tensor.file->path() + ": tensor \"" + tensor.info->name +
                                        "\" is " + std::string(Name(tensor.info->type)) +
                                        ", expected BF16 or F32");
  }
}

// Elements, or bytes of a U8 tensor.
std::size_t Count(const Tensor& tensor) { return tensor.bytes.size() / ByteSize(TypeOf(tensor)); }

class Loader {
 public:
  Loader(const Checkpoint& checkpoint, const ModelConfig& config, const EngineOptions& options,
         bool reads_mapped_files, Memory& memory, Ops* ops)
      : checkpoint_(checkpoint),
        config_(config),
        options_(options),
        in_place_(reads_mapped_files && options.preload == Preload::kMmap),
        memory_(memory),
        ops_(ops) {}

  // Throws where the checkpoint has tensors that nothing asked for: config.json leaves out a part
  // of the model. `rotary_emb.inv_freq`, which old checkpoints store, follows from config.json.
  void RefuseUnread() const {
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
      throw Error(ErrorKind::kData,
                  std::to_string(count) +
                      " tensor(s) that the model of config.json does not have: " + names +
                      (count > 5 ? ", ..." : "") +
                      "; num_hidden_layers, attention_bias or tie_word_embeddings may be wrong");
    }
  }

  // A stored lm_head beside a tied embedding has to be the same.
  void ReadTiedHead() {
    const Tensor* const head = checkpoint_.Find("lm_head.weight");
    const Tensor* const embedding = checkpoint_.Find("model.embed_tokens.weight");
    if (head != nullptr && embedding != nullptr && head->info->type == embedding->info->type &&
        std::ranges::equal(head->bytes, embedding->bytes)) {
      read_.insert("lm_head.weight");
    }
  }

  // A vector as f32.
  ConstView Vector(const std::string& name, std::int64_t size) {
    return Together({Float(name, {U(size)})}, DType::kF32);
  }

  // Matrices [n_i, k] as one [sum n_i, k], with their biases.
  Weight Matrix(const std::vector<std::string>& names, const std::vector<std::int64_t>& rows,
                std::int64_t k, bool bias, bool may_be_mxfp4 = true) {
    Weight weight;
    weight.k = k;
    for (const std::int64_t n : rows) {
      weight.n += n;
    }
    const bool mxfp4 =
        config_.mxfp4 && may_be_mxfp4 && checkpoint_.Find(names[0] + ".weight_blocks") != nullptr;
    std::vector<const Tensor*> data, scales, biases;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::uint64_t blocks = U(k / kernels::kMxfp4Block);
      if (mxfp4) {
        if (k % kernels::kMxfp4Block != 0) {
          throw Error(ErrorKind::kData, "tensor \"" + names[i] + ".weight_blocks\": rows of " +
                                            std::to_string(k) +
                                            " weights are no whole number of MXFP4 blocks of 32");
        }
        data.push_back(Bytes(names[i] + ".weight_blocks", {U(rows[i]), blocks, 16}));
        scales.push_back(Bytes(names[i] + ".weight_scales", {U(rows[i]), blocks}));
      } else {
        data.push_back(Float(names[i] + ".weight", {U(rows[i]), U(k)}));
      }
      if (bias) {
        biases.push_back(Float(names[i] + ".bias", {U(rows[i])}));
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

 private:
  const Tensor* Float(const std::string& name, const Shape& shape) {
    const Tensor& tensor = checkpoint_.Get(name, shape);
    read_.insert(name);
    if (TypeOf(tensor) == DType::kU8) {
      throw Error(ErrorKind::kData,
                  tensor.file->path() + ": tensor \"" + name + "\" is U8, expected BF16 or F32");
    }
    return &tensor;
  }

  const Tensor* Bytes(const std::string& name, const Shape& shape) {
    const Tensor& tensor = checkpoint_.Get(name, shape);
    read_.insert(name);
    if (tensor.info->type != TensorType::kU8) {
      throw Error(ErrorKind::kData, tensor.file->path() + ": tensor \"" + name + "\" is " +
                                        std::string(Name(tensor.info->type)) + ", expected U8");
    }
    return &tensor;
  }

  // Tensors of one type behind each other, as `to` where that is given.
  ConstView Together(const std::vector<const Tensor*>& tensors, std::optional<DType> to) {
    const Tensor& first = *tensors[0];
    const DType from = TypeOf(first);
    const DType type = to ? *to : Cached(from);
    std::size_t count = 0;
    for (const Tensor* tensor : tensors) {
      if (TypeOf(*tensor) != from && !to) {
        throw Error(ErrorKind::kData, "tensors \"" + first.info->name + "\" and \"" +
                                          tensor->info->name +
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

  DType Cached(DType from) const {
    return from == DType::kF32 && options_.weight_cache == WeightCache::k16Bit ? DType::kBf16
                                                                               : from;
  }

  // Through host memory in pieces: read, upload, and change the type before or after.
  void Copy(const Tensor& tensor, DType to, std::byte* device) {
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

  static void ReadAt(const Tensor& tensor, std::size_t at, std::span<std::byte> out) {
    if (tensor.file->file().ReadAt(tensor.file_offset + at, out) < out.size()) {
      throw Error(ErrorKind::kData, tensor.file->path() + ": tensor \"" + tensor.info->name +
                                        "\" cannot be read: the file has become shorter");
    }
  }

  const Checkpoint& checkpoint_;
  const ModelConfig& config_;
  const EngineOptions& options_;
  const bool in_place_;
  Memory& memory_;
  Ops* const ops_;
  std::set<std::string> read_;
};

std::uint64_t BytesOf(const Weight& weight) {
  return weight.data.count * ByteSize(weight.data.dtype) + weight.scales.count +
         weight.bias.count * sizeof(float);
}

ModelWeights::Layer PlaceLayer(Loader& loader, const ModelConfig& config,
                               const EngineOptions& options, bool by_default, std::int64_t index) {
  const std::string prefix = "model.layers." + std::to_string(index) + ".";
  const std::string attention = prefix + "self_attn.", mlp = prefix + "mlp.";
  const std::int64_t q = config.q_size(), kv = config.kv_size();
  const auto together = [&](const std::vector<std::string>& names,
                            const std::vector<std::int64_t>& rows, bool bias, bool fused) {
    std::vector<Weight> weights;
    if (fused) {
      weights.push_back(loader.Matrix(names, rows, config.hidden, bias));
      return weights;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      weights.push_back(loader.Matrix({names[i]}, {rows[i]}, config.hidden, bias));
    }
    return weights;
  };
  const bool fuse_qkv =
      options.fuse_qkv == Toggle::kAuto ? by_default : options.fuse_qkv == Toggle::kOn;
  const bool batched = options.ffn == Ffn::kAuto ? by_default : options.ffn == Ffn::kBatched;
  ModelWeights::Layer layer;
  layer.attention_norm = loader.Vector(prefix + "input_layernorm.weight", config.hidden);
  layer.ffn_norm = loader.Vector(prefix + "post_attention_layernorm.weight", config.hidden);
  layer.qkv = together({attention + "q_proj", attention + "k_proj", attention + "v_proj"},
                       {q, kv, kv}, config.qkv_bias, fuse_qkv);
  layer.o = loader.Matrix({attention + "o_proj"}, {config.hidden}, q, config.o_bias);
  layer.gate_up =
      together({mlp + "gate_proj", mlp + "up_proj"}, {config.ffn, config.ffn}, false, batched);
  layer.down = loader.Matrix({mlp + "down_proj"}, {config.hidden}, config.ffn, false);
  return layer;
}

}  // namespace

ModelWeights PlaceWeights(const Checkpoint& checkpoint, const ModelConfig& config,
                          const EngineOptions& options, bool reads_mapped_files, Memory& memory,
                          Ops* ops) {
  Loader loader(checkpoint, config, options, reads_mapped_files, memory, ops);
  // One large product instead of three pays on a device that would launch three times; a CPU would
  // only copy what it can read in place.
  const bool fuse_by_default = !reads_mapped_files;
  ModelWeights weights;
  weights.embedding =
      loader.Matrix({"model.embed_tokens"}, {config.vocab}, config.hidden, false, false);
  weights.head = config.tied ? weights.embedding
                             : loader.Matrix({"lm_head"}, {config.vocab}, config.hidden, false);
  weights.final_norm = loader.Vector("model.norm.weight", config.hidden);
  weights.bytes_per_token = BytesOf(weights.head) + weights.final_norm.count * sizeof(float);
  for (std::int64_t i = 0; i < config.layers; ++i) {
    weights.layers.push_back(PlaceLayer(loader, config, options, fuse_by_default, i));
    const ModelWeights::Layer& layer = weights.layers.back();
    for (const std::vector<Weight>& parts : {layer.qkv, {layer.o}, layer.gate_up, {layer.down}}) {
      for (const Weight& part : parts) {
        weights.bytes_per_token += BytesOf(part);
      }
    }
    weights.bytes_per_token += 2 * layer.ffn_norm.count * sizeof(float);
  }
  if (ops == nullptr) {
    if (config.tied) {
      loader.ReadTiedHead();
    }
    loader.RefuseUnread();
  }
  return weights;
}

bool IsMixed(const Checkpoint& checkpoint) {
  const auto has = [&](TensorType type) {
    return std::ranges::any_of(checkpoint.tensors(),
                               [&](const auto& entry) { return entry.second.info->type == type; });
  };
  return has(TensorType::kF32) && has(TensorType::kBf16);
}

bool IsBf16(const Checkpoint& checkpoint) {
  const Tensor* const embedding = checkpoint.Find("model.embed_tokens.weight");
  return embedding != nullptr && embedding->info->type == TensorType::kBf16;
}

}  // namespace engine
