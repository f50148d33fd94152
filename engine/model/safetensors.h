// SPDX-License-Identifier: Apache-2.0
// safetensors.h: the safetensors file format: header, types, and a writer.
//
// A file is an unsigned 64-bit little-endian N, N bytes of JSON that start with '{' and may end in
// spaces, and a byte buffer that the tensors cover without gap or overlap:
//
//   {"__metadata__": {"key": "text"},
//    "name": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]}, ...}
//
// Offsets count from the start of the buffer. Nothing promises alignment: the buffer starts where
// the header happens to end, and tensors are packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

// The element types that the format knows; the engine computes with few of them.
enum class TensorType : std::uint8_t {
  kBool,
  kF4,
  kF6E2M3,
  kF6E3M2,
  kU8,
  kI8,
  kF8E5M2,
  kF8E4M3,
  kF8E8M0,
  kI16,
  kU16,
  kF16,
  kBf16,
  kI32,
  kU32,
  kF32,
  kC64,
  kF64,
  kI64,
  kU64,
};

std::string_view Name(TensorType type);  // as files spell it: "BF16"
std::uint64_t Bits(TensorType type);     // of one element; F4 and F6 are smaller than a byte

struct TensorInfo {
  std::string name;
  TensorType type = TensorType::kF32;
  std::vector<std::uint64_t> shape;  // any rank from 0; dimensions may be 0
  std::uint64_t begin = 0, end = 0;  // bytes, from the start of the buffer
};

struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;  // by begin
  std::map<std::string, std::string> metadata;
  std::uint64_t buffer_begin = 0;  // bytes, from the start of the file
};

// No header is longer, in bytes; the limit of the format's own library.
inline constexpr std::uint64_t kMaxHeader = 100'000'000;

// Reads and checks the header of `file`, all bytes of which must be there; `where` names it.
// Throws Error(kData) naming tensor and reason for: a header longer than kMaxHeader or than the
// file, one that is no JSON object, a key twice, metadata that is not text, an unknown dtype, a
// shape or offsets that are not unsigned integers, begin > end, end past the buffer, a size that
// does not fit 64 bits or is not what dtype and shape need, an overlap, a hole, an uncovered tail.
SafetensorsHeader ParseSafetensors(std::span<const std::byte> file, const std::string& where);

struct TensorToWrite {
  std::string name;
  TensorType type = TensorType::kF32;
  std::vector<std::uint64_t> shape;
};

// Bytes of a tensor. Throws Error(kData) naming it when they do not fit 64 bits or a byte.
std::uint64_t ByteSize(const std::string& name, TensorType type,
                       std::span<const std::uint64_t> shape);

// Puts `out.size()` bytes of `tensor` from byte `offset` on into `out`.
using TensorBytes = std::function<void(const TensorToWrite& tensor, std::uint64_t offset,
                                       std::span<std::byte> out)>;

// Writes a file that is there whole or not at all. Tensors go by descending element size, then in
// the order given, and the header is padded to 64 bytes, so that every tensor is aligned to its
// element. Asks for bytes in order, at most 8 MiB at a time. Throws Error(kData).
void WriteSafetensors(const std::string& path, std::vector<TensorToWrite> tensors,
                      const std::map<std::string, std::string>& metadata, const TensorBytes& bytes);

}  // namespace engine
