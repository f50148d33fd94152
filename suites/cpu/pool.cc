// SPDX-License-Identifier: Apache-2.0
#include "suites/cpu/pool.h"

#include <sys/mman.h>

#include <array>
#include <cstdlib>
#include <new>
#include <numeric>
#include <stdexcept>

namespace suites {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kBlockBytes = 6 * kHugePage;

// Between buffers: a cache line for alignment, and enough lines that no two buffers start at the
// same offset in a 4 KiB page, where a load would wait for an unrelated store.
constexpr std::size_t kLine = 64;
constexpr std::size_t kStagger = 17 * kLine;

std::byte* Allocate() {
  void* data = std::aligned_alloc(kHugePage, kBlockBytes);
  if (data == nullptr) {
    throw std::bad_alloc();
  }
#ifdef MADV_HUGEPAGE
  madvise(data, kBlockBytes, MADV_HUGEPAGE);  // a hint: refusal costs nothing
#endif
  return static_cast<std::byte*>(data);
}

// A function of the place alone (a multiplicative hash with its high bits folded down), so that
// values do not depend on which case came first.
std::uint32_t Hash(std::uint32_t i) {
  std::uint32_t h = (i + 1) * 0x9e3779b1U;
  h ^= h >> 15;
  h *= 0x85ebca77U;
  return h ^ (h >> 13);
}

// 23 random bits, odd, as a multiple of 2^-23 in (-1, 1).
float Uniform(std::uint32_t i) {
  const auto odd = static_cast<std::int32_t>((Hash(i) >> 8) | 1U);
  return static_cast<float>(odd - (1 << 23)) * 0x1p-23F;
}

// Random sign and fraction, exponents of [0.25, 1): no conversion, for speed.
std::uint16_t UniformBf16(std::uint32_t i) {
  const std::uint32_t hash = Hash(i);
  const std::uint32_t exponent = 125U + ((hash >> 30) & 1U);
  return static_cast<std::uint16_t>((hash >> 31 << 15) | (exponent << 7) | ((hash >> 20) & 0x7fU));
}

constexpr std::size_t kMaxTokens = 128;
constexpr std::array<std::int32_t, kMaxTokens> kIndices = [] {
  std::array<std::int32_t, kMaxTokens> indices{};
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}();

constexpr std::size_t kMaxBlocks = 512;
constexpr std::array<std::uint8_t, kMaxBlocks> kUnitScales = [] {
  std::array<std::uint8_t, kMaxBlocks> scales{};
  scales.fill(127);
  return scales;
}();

}  // namespace

Pool::Pool() : f32_{Allocate(), 0, 0}, bf16_{Allocate(), 0, 0}, output_{Allocate(), 0, 0} {}

Pool::~Pool() {
  std::free(f32_.data);
  std::free(bf16_.data);
  std::free(output_.data);
}

void Pool::Rewind() {
  f32_.used = 0;
  bf16_.used = 8 * kLine;
  output_.used = 31 * kLine;
}

std::byte* Pool::Take(Block& block, std::size_t bytes) {
  const std::size_t begin = block.used;
  block.used += (bytes + kLine - 1) / kLine * kLine + kStagger;
  if (block.used > kBlockBytes) {
    throw std::length_error("suites: a case needs more than the 12 MiB that a pool block has");
  }
  return block.data + begin;
}

kernels::ConstView Pool::Input(kernels::DType dtype, std::int64_t count) {
  const std::size_t element = kernels::ByteSize(dtype);
  Block& block = dtype == kernels::DType::kF32 ? f32_ : bf16_;
  const std::byte* data = Take(block, static_cast<std::size_t>(count) * element);
  const std::size_t end = block.used / element;
  if (dtype == kernels::DType::kF32) {
    auto* to = reinterpret_cast<float*>(block.data);
    for (std::size_t i = block.filled / element; i < end; ++i) {
      to[i] = Uniform(static_cast<std::uint32_t>(i));
    }
  } else {
    auto* to = reinterpret_cast<kernels::Bf16*>(block.data);
    for (std::size_t i = block.filled / element; i < end; ++i) {
      to[i].bits = UniformBf16(static_cast<std::uint32_t>(i));
    }
  }
  block.filled = block.used > block.filled ? block.used : block.filled;
  return {data, static_cast<std::size_t>(count), dtype};
}

kernels::View Pool::Output(kernels::DType dtype, std::int64_t count) {
  std::byte* data = Take(output_, static_cast<std::size_t>(count) * kernels::ByteSize(dtype));
  return {data, static_cast<std::size_t>(count), dtype};
}

std::span<const std::int32_t> Pool::Indices(std::int64_t count) {
  return std::span(kIndices).first(static_cast<std::size_t>(count));
}

kernels::ConstView Pool::Codes(std::int64_t bytes) {
  return {Input(kernels::DType::kF32, bytes / 4).data, static_cast<std::size_t>(bytes),
          kernels::DType::kU8};
}

kernels::ConstView Pool::Scales(std::int64_t count) {
  const std::span<const std::uint8_t> scales =
      std::span(kUnitScales).first(static_cast<std::size_t>(count));
  return {scales.data(), scales.size(), kernels::DType::kU8};
}

Pool& SharedPool() {
  static Pool pool;
  return pool;
}

}  // namespace suites
