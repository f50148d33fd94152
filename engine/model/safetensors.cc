// SPDX-License-Identifier: Apache-2.0
#include "engine/model/safetensors.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "engine/error.h"
#include "perfgate/base/io/atomic_file.h"
#include "perfgate/base/json/strict_json.h"

namespace engine {
namespace {

using nlohmann::json;

struct TypeRow {
  std::string_view name;
  std::uint64_t bits;
};
// In the order of TensorType.
constexpr std::array kTypes = {
    TypeRow{"BOOL", 8},    TypeRow{"F4", 4},   TypeRow{"F6_E2M3", 6}, TypeRow{"F6_E3M2", 6},
    TypeRow{"U8", 8},      TypeRow{"I8", 8},   TypeRow{"F8_E5M2", 8}, TypeRow{"F8_E4M3", 8},
    TypeRow{"F8_E8M0", 8}, TypeRow{"I16", 16}, TypeRow{"U16", 16},    TypeRow{"F16", 16},
    TypeRow{"BF16", 16},   TypeRow{"I32", 32}, TypeRow{"U32", 32},    TypeRow{"F32", 32},
    TypeRow{"C64", 64},    TypeRow{"F64", 64}, TypeRow{"I64", 64},    TypeRow{"U64", 64},
};

constexpr std::uint64_t kPrefix = 8;
constexpr std::string_view kMetadata = "__metadata__";

std::optional<TensorType> TypeFromName(std::string_view name) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) {
      return static_cast<TensorType>(i);
    }
  }
  return std::nullopt;
}

std::string Quoted(const std::string& name) { return json(name).dump(); }

std::string Range(const TensorInfo& tensor) {
  return "[" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) + ")";
}

std::vector<std::uint64_t> Unsigneds(const json& entry, const char* key, const std::string& where) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array() ||
      !std::all_of(found->begin(), found->end(),
                   [](const json& v) { return v.is_number_unsigned(); })) {
    FailData(where, std::string(key) + " is not an array of unsigned integers");
  }
  return found->get<std::vector<std::uint64_t>>();
}

TensorInfo ParseTensor(const std::string& name, const json& entry, std::uint64_t buffer_size,
                       const std::string& file) {
  const std::string where = file + ": tensor " + Quoted(name);
  if (!entry.is_object()) {
    FailData(where, "not an object with dtype, shape and data_offsets");
  }
  const auto dtype = entry.find("dtype");
  if (dtype == entry.end() || !dtype->is_string()) {
    FailData(where, "dtype is not a string");
  }
  const auto type = TypeFromName(dtype->get_ref<const std::string&>());
  if (!type) {
    FailData(where, "unknown dtype " + dtype->dump());
  }
  TensorInfo tensor{name, *type, Unsigneds(entry, "shape", where)};
  const std::vector<std::uint64_t> offsets = Unsigneds(entry, "data_offsets", where);
  if (offsets.size() != 2) {
    FailData(where, "data_offsets has " + std::to_string(offsets.size()) + " numbers, expected 2");
  }
  tensor.begin = offsets[0];
  tensor.end = offsets[1];
  if (tensor.begin > tensor.end) {
    FailData(where, "data_offsets " + Range(tensor) + " end before they begin");
  }
  if (tensor.end > buffer_size) {
    FailData(where, "data_offsets " + Range(tensor) + " end past the buffer of " +
                        std::to_string(buffer_size) + " bytes; is the file truncated?");
  }
  const std::uint64_t expected = ByteSize(where, tensor.type, tensor.shape);
  if (tensor.end - tensor.begin != expected) {
    FailData(where, "data_offsets " + Range(tensor) + " hold " +
                        std::to_string(tensor.end - tensor.begin) +
                        " bytes, dtype and shape need " + std::to_string(expected));
  }
  return tensor;
}

std::map<std::string, std::string> ParseMetadata(const json& entry, const std::string& file) {
  std::map<std::string, std::string> metadata;
  if (!entry.is_object()) {
    FailData(file, "__metadata__ is not an object");
  }
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) {
      FailData(file, "__metadata__ has a value that is not text at " + Quoted(key));
    }
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

// Tensors by begin; each must start where the one before ends.
void CheckCover(const std::vector<TensorInfo>& tensors, std::uint64_t buffer_size,
                const std::string& file) {
  std::uint64_t covered = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorInfo& tensor = tensors[i];
    if (tensor.begin < covered) {
      FailData(file, "tensor " + Quoted(tensor.name) + " at " + Range(tensor) +
                         " overlaps tensor " + Quoted(tensors[i - 1].name) + " at " +
                         Range(tensors[i - 1]));
    }
    if (tensor.begin > covered) {
      FailData(file, "a hole of " + std::to_string(tensor.begin - covered) +
                         " bytes before tensor " + Quoted(tensor.name) + " at " + Range(tensor));
    }
    covered = tensor.end;
  }
  if (covered != buffer_size) {
    FailData(file, "no tensor covers the last " + std::to_string(buffer_size - covered) + " bytes");
  }
}

void SortByBegin(std::vector<TensorInfo>& tensors) {
  std::sort(tensors.begin(), tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
}

}  // namespace

std::string_view Name(TensorType type) { return kTypes[static_cast<std::size_t>(type)].name; }

std::uint64_t Bits(TensorType type) { return kTypes[static_cast<std::size_t>(type)].bits; }

std::uint64_t ByteSize(const std::string& name, TensorType type,
                       std::span<const std::uint64_t> shape) {
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) {
    return 0;
  }
  std::uint64_t bits = Bits(type);
  for (const std::uint64_t size : shape) {
    if (bits > std::numeric_limits<std::uint64_t>::max() / size) {
      FailData(name, "the size of its shape does not fit 64 bits");
    }
    bits *= size;
  }
  if (bits % 8 != 0) {
    FailData(name, std::to_string(bits) + " bits are not whole bytes");
  }
  return bits / 8;
}

SafetensorsHeader ParseSafetensors(std::span<const std::byte> file, const std::string& where) {
  if (file.size() < kPrefix) {
    FailData(where, std::to_string(file.size()) + " bytes are too few for a safetensors file");
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kPrefix; ++i) {
    length |= static_cast<std::uint64_t>(file[i]) << (8 * i);
  }
  if (length > kMaxHeader) {
    FailData(where, "a header of " + std::to_string(length) + " bytes is over the limit of " +
                        std::to_string(kMaxHeader) + "; is this a safetensors file?");
  }
  if (length > file.size() - kPrefix) {
    FailData(where, "a header of " + std::to_string(length) + " bytes does not fit the file of " +
                        std::to_string(file.size()));
  }
  const std::string_view text(reinterpret_cast<const char*>(file.data()) + kPrefix, length);
  if (!text.starts_with('{')) {
    FailData(where, "the header does not start with '{'; is this a safetensors file?");
  }
  const json root = perfgate::parse_strict_json(text, where);
  SafetensorsHeader header;
  header.buffer_begin = kPrefix + length;
  const std::uint64_t buffer_size = file.size() - header.buffer_begin;
  for (const auto& [name, entry] : root.items()) {
    if (name == kMetadata) {
      header.metadata = ParseMetadata(entry, where);
    } else {
      header.tensors.push_back(ParseTensor(name, entry, buffer_size, where));
    }
  }
  SortByBegin(header.tensors);
  CheckCover(header.tensors, buffer_size, where);
  return header;
}

void WriteSafetensors(const std::string& path, std::vector<TensorToWrite> tensors,
                      const std::map<std::string, std::string>& metadata,
                      const TensorBytes& bytes) {
  constexpr std::size_t kChunk = std::size_t{8} << 20;
  constexpr std::size_t kAlign = 64;
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const auto& a, const auto& b) { return Bits(a.type) > Bits(b.type); });
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  if (!metadata.empty()) {
    root[std::string(kMetadata)] = metadata;
  }
  std::uint64_t offset = 0;
  for (const TensorToWrite& tensor : tensors) {
    const std::uint64_t end =
        offset + ByteSize(path + ": tensor " + Quoted(tensor.name), tensor.type, tensor.shape);
    if (tensor.name == kMetadata || root.contains(tensor.name)) {
      FailData(path, "cannot write a second tensor " + Quoted(tensor.name));
    }
    root[tensor.name] = {
        {"dtype", Name(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string header = root.dump();
  header.resize((kPrefix + header.size() + kAlign - 1) / kAlign * kAlign - kPrefix, ' ');
  if (header.size() > kMaxHeader) {
    FailData(path, "a header of " + std::to_string(header.size()) + " bytes is over the limit of " +
                       std::to_string(kMaxHeader));
  }
  std::array<std::byte, kPrefix> prefix;
  for (std::size_t i = 0; i < kPrefix; ++i) {
    prefix[i] = static_cast<std::byte>(header.size() >> (8 * i));
  }
  perfgate::AtomicFile file(path);
  file.Write(prefix);
  file.Write(std::as_bytes(std::span(header)));
  std::vector<std::byte> chunk;
  for (const TensorToWrite& tensor : tensors) {
    const std::uint64_t size = ByteSize(path, tensor.type, tensor.shape);
    for (std::uint64_t at = 0; at < size; at += chunk.size()) {
      chunk.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kChunk, size - at)));
      bytes(tensor, at, chunk);
      file.Write(chunk);
    }
  }
  file.Commit();
}

}  // namespace engine
