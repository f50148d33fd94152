// SPDX-License-Identifier: Apache-2.0
// arena.h: buffers for kernel tests: inputs of chosen kinds, outputs poisoned with NaN, guard bytes
// around all of them, and addresses that are aligned to one element only when asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <vector>

#include "kernels/types.h"

namespace kernels::testing {

enum class Fill : std::uint8_t {
  kUniform,    // [-1, 1)
  kWide,       // random sign, magnitudes 2^-30 to 2^30
  kHuge,       // random sign, magnitudes 2^100 to 2^127
  kSubnormal,  // below 2^-126
  kSpecial,    // uniform with some +-inf and NaN
  kNanRow,     // NaN alone
  kOneHot,     // zeros and a single 1
  kTies,       // -1, 0, +0.5 and 2
  kZero,
};

// Deterministic random numbers (SplitMix64, Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next();
  double Uniform();  // [0, 1)

 private:
  std::uint64_t state_;
};

class Arena {
 public:
  // `offset` elements are added to every 64-byte aligned address.
  Arena(std::uint64_t seed, std::size_t offset) : random_(seed), offset_(offset) {}

  ConstView Input(DType dtype, std::int64_t count, Fill fill);
  View Output(DType dtype, std::int64_t count);
  template <class T>
  std::span<T> Integers(std::int64_t count);

  Random& random() { return random_; }
  bool GuardsIntact() const;
  // The bytes of every output, NaNs of floats replaced by one NaN.
  std::vector<std::byte> Outputs() const;

 private:
  struct Buffer {
    std::vector<std::byte> bytes;
    std::size_t begin;
    std::size_t size;
    bool output;
    bool floats;
    DType dtype;
  };
  std::byte* Allocate(std::size_t element, std::int64_t count, bool output, bool floats,
                      DType dtype);

  Random random_;
  std::size_t offset_;
  std::deque<Buffer> buffers_;
};

template <class T>
std::span<T> Arena::Integers(std::int64_t count) {
  std::byte* data = Allocate(sizeof(T), count, true, false, DType::kF32);
  std::memset(data, 0xee, static_cast<std::size_t>(count) * sizeof(T));
  return {reinterpret_cast<T*>(data), static_cast<std::size_t>(count)};
}

}  // namespace kernels::testing
