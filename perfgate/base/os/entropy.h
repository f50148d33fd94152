// SPDX-License-Identifier: Apache-2.0
// entropy.h: the operating system's entropy, and a stream that a recorded seed replays.
//
// The coins of a session come from RandomStream(seed) with seed = system_entropy(). The stream is
// SplitMix64 (Steele, Lea and Flood, 2014), whose output depends on the seed alone: the same seed
// and the same sequence of calls give the same coins on every machine and every release.
#pragma once

#include <sys/random.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/os/system_reason.h"

namespace perfgate::inline base {

// 64 unpredictable bits. Throws Error(kInternal) where the system has none to give.
inline std::uint64_t system_entropy() {
  std::uint64_t bits = 0;
  std::size_t have = 0;
  while (have < sizeof bits) {
    const ssize_t got =
        ::getrandom(reinterpret_cast<char*>(&bits) + have, sizeof bits - have, /*flags=*/0);
    if (got < 0 && errno != EINTR) {
      throw Error(Exit::kInternal, "no entropy from getrandom(): " + SystemReason(errno));
    }
    if (got > 0) have += static_cast<std::size_t>(got);
  }
  return bits;
}

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }

  // The top bit of the next output.
  bool coin() { return (next() >> 63) != 0; }

  // Uniform over 0 .. n-1, without bias: outputs below 2^64 mod n are drawn again. n > 0, else
  // std::logic_error.
  std::uint64_t below(std::uint64_t n) {
    if (n == 0) throw std::logic_error("RandomStream::below(0)");
    const std::uint64_t reject = (0 - n) % n;
    std::uint64_t draw = next();
    while (draw < reject) draw = next();
    return draw % n;
  }

  // Every order is equally likely (Fisher and Yates, from the last element down).
  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      using std::swap;
      swap(items[i - 1], items[static_cast<std::size_t>(below(i))]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace perfgate::inline base
