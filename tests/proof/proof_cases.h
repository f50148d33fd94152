// SPDX-License-Identifier: Apache-2.0
// proof_cases.h: the workloads of the proof suite, callable with any number of units of work.
//
// A case does `units` equal units of real work, so that its time is close to proportional to the
// count and a build with 5 % more units is 5 % slower for an honest reason. Inputs are rings whose
// size does not depend on the count: extra units touch the same memory. Inputs are made on first
// use (fixed seeds, the same in every process) and stay for the life of the process.
#pragma once

#include <cstdint>
#include <span>

namespace proof {

// Runs `units` >= 1 units of the case; the result only keeps the work alive.
using Work = std::uint64_t (*)(int units);

#define PROOF_CASE(id, name, units) std::uint64_t id(int count);
#include "proof_cases.inc"
#undef PROOF_CASE

struct Case {
  const char* name;
  int units;  // in one iteration of the unchanged build
  Work work;
};

inline constexpr Case kCases[] = {
#define PROOF_CASE(id, name, units) {name, units, id},
#include "proof_cases.inc"
#undef PROOF_CASE
};

// Ring positions below are taken with a mask, so ring lengths are powers of two.
template <typename T>
T& ring_at(std::span<T> ring, int position) {
  return ring[static_cast<std::size_t>(position) & (ring.size() - 1)];
}

// SplitMix64 (Steele, Lea and Flood, 2014): the inputs' source.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(next() % limit); }
  float unit() { return static_cast<float>(next() >> 40) * 0x1p-24F; }

 private:
  std::uint64_t state_;
};

}  // namespace proof
