// SPDX-License-Identifier: Apache-2.0
// types.h: element types and untyped views that every op's arguments are made of.
//
// A view is a pointer, a number of elements and their type; it owns nothing. Pointers need the
// alignment of one element; nothing here asks for more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kernels {

enum class DType : std::uint8_t {
  kF32,
  kBf16,
  kF16,     // IEEE binary16
  kF8E4M3,  // 1 sign, 4 exponent, 3 fraction bits; no infinity, 0x7f and 0xff are NaN (OCP FP8)
  kU8,      // bytes with a meaning of their own, as packed MXFP4 values and scales
};

// The upper half of an IEEE binary32: 1 sign, 8 exponent, 7 fraction bits.
struct Bf16 {
  std::uint16_t bits;
};

constexpr std::size_t ByteSize(DType dtype) {
  switch (dtype) {
    case DType::kF32:
      return 4;
    case DType::kBf16:
    case DType::kF16:
      return 2;
    case DType::kF8E4M3:
    case DType::kU8:
      break;
  }
  return 1;
}

constexpr std::string_view Name(DType dtype) {
  constexpr std::string_view kNames[] = {"f32", "bf16", "f16", "f8e4m3", "u8"};
  return kNames[static_cast<std::size_t>(dtype)];
}

struct ConstView {
  constexpr ConstView() = default;
  constexpr ConstView(std::span<const float> s) : data(s.data()), count(s.size()) {}
  constexpr ConstView(std::span<const Bf16> s)
      : data(s.data()), count(s.size()), dtype(DType::kBf16) {}
  constexpr ConstView(const void* p, std::size_t n, DType t) : data(p), count(n), dtype(t) {}

  const void* data = nullptr;
  std::size_t count = 0;  // elements, not bytes
  DType dtype = DType::kF32;
};

struct View {
  constexpr View() = default;
  constexpr View(std::span<float> s) : data(s.data()), count(s.size()) {}
  constexpr View(std::span<Bf16> s) : data(s.data()), count(s.size()), dtype(DType::kBf16) {}
  constexpr View(void* p, std::size_t n, DType t) : data(p), count(n), dtype(t) {}
  constexpr operator ConstView() const { return {data, count, dtype}; }

  void* data = nullptr;
  std::size_t count = 0;
  DType dtype = DType::kF32;
};

}  // namespace kernels
