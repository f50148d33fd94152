// SPDX-License-Identifier: Apache-2.0
// cases_memory.cc: copies, reductions, sorting and look-ups in first- and second-level caches, and
// one knowingly noisy case (memcpy over 2 MiB in all: page placement decides).
#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "proof_cases.h"

namespace proof {
namespace {

// Page-aligned, so that only the choice of physical pages differs from launch to launch.
template <std::size_t bytes, typename T>
struct alignas(4096) Buffer {
  std::array<T, bytes / sizeof(T)> values{};
};

template <std::size_t bytes, typename T>
Buffer<bytes, T>& filled(Buffer<bytes, T>& buffer, std::uint64_t seed) {
  Random random(seed);
  for (T& value : buffer.values) value = static_cast<T>(random.below(1U << 20));
  return buffer;
}

std::vector<std::uint32_t> random_words(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint32_t> values(count);
  for (auto& value : values) value = static_cast<std::uint32_t>(random.next());
  return values;
}

}  // namespace

// One unit: 64 bytes.
std::uint64_t copy_l1(int count) {
  using Bytes = Buffer<8192, unsigned char>;
  static Bytes from;
  static Bytes to;
  [[maybe_unused]] static const Bytes& ready = filled(from, 11);
  for (int u = 0; u < count; ++u) {
    const std::size_t at = (static_cast<std::size_t>(u) * 64) & 8191;
    std::memcpy(to.values.data() + at, from.values.data() + at, 64);
  }
  return to.values[static_cast<std::size_t>(count) & 8191];
}

// One unit: 16 floats into 16 sums.
std::uint64_t sum_l2(int count) {
  constexpr std::size_t kBytes = 131072;
  static Buffer<kBytes, float> data;
  [[maybe_unused]] static const auto& ready = filled(data, 12);
  std::array<float, 16> sums{};
  for (int u = 0; u < count; ++u) {
    const float* chunk = data.values.data() + (static_cast<std::size_t>(u) * 16) % (kBytes / 4);
    for (std::size_t i = 0; i < 16; ++i) sums[i] += chunk[i];
  }
  return static_cast<std::uint64_t>(std::accumulate(sums.begin(), sums.end(), 0.0));
}

// One unit: 16 floats. y = x / 8 + y / 2 keeps the values bounded.
std::uint64_t saxpy_l1(int count) {
  using Floats = Buffer<8192, float>;
  static Floats x;
  static Floats y;
  [[maybe_unused]] static const Floats& ready_x = filled(x, 13);
  [[maybe_unused]] static const Floats& ready_y = filled(y, 14);
  for (int u = 0; u < count; ++u) {
    const std::size_t at = (static_cast<std::size_t>(u) * 16) & 2047;
    for (std::size_t i = at; i < at + 16; ++i) {
      y.values[i] = 0.125F * x.values[i] + 0.5F * y.values[i];
    }
  }
  return static_cast<std::uint64_t>(y.values[static_cast<std::size_t>(count) & 2047]);
}

// One unit: 8 running sums.
std::uint64_t prefix_sum(int count) {
  using Words = Buffer<8192, std::uint32_t>;
  static Words in;
  static Words out;
  [[maybe_unused]] static const Words& ready = filled(in, 15);
  std::uint32_t running = 0;
  for (int u = 0; u < count; ++u) {
    const std::size_t at = (static_cast<std::size_t>(u) * 8) & 2047;
    for (std::size_t i = at; i < at + 8; ++i) out.values[i] = running += in.values[i];
  }
  return out.values[static_cast<std::size_t>(count) & 2047];
}

// One unit: 1 KiB. The ring goes on where it stopped: extra units that began again at the front
// would find it cached.
std::uint64_t memcpy_1m(int count) {
  constexpr std::size_t kBytes = 1 << 20;
  using Bytes = Buffer<kBytes, unsigned char>;
  static Bytes from;
  static Bytes to;
  [[maybe_unused]] static const bool ready = [] {
    std::memset(from.values.data(), 1, kBytes);
    std::memset(to.values.data(), 2, kBytes);
    return true;
  }();
  static std::size_t at = 0;
  for (int u = 0; u < count; ++u) {
    std::memcpy(to.values.data() + at, from.values.data() + at, 1024);
    at = (at + 1024) & (kBytes - 1);
  }
  return to.values[at];
}

// One unit: one hop on a random cycle over 4096 cache lines. The walk goes on where it stopped, so
// that every count of units visits all lines alike.
std::uint64_t chase_l2(int count) {
  struct alignas(64) Node {
    const Node* next;
  };
  struct alignas(4096) Cycle {
    std::array<Node, 4096> nodes{};
  };
  static Cycle cycle;
  static const Node* at = [] {
    std::vector<std::size_t> order(cycle.nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(16);
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      std::swap(order[i], order[random.below(static_cast<std::uint32_t>(i + 1))]);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      cycle.nodes[order[i]].next = &cycle.nodes[order[(i + 1) % order.size()]];
    }
    return static_cast<const Node*>(cycle.nodes.data());
  }();
  const Node* node = at;
  for (int u = 0; u < count; ++u) node = node->next;
  at = node;
  return static_cast<std::uint64_t>(node - cycle.nodes.data());
}

// One unit: one element more to sort. Time grows as n log n; calibrate_injection accounts for it.
// Every call sorts another window: given the same numbers again and again, the branch predictor
// learns them by heart, and the time depends on what else it has learnt.
std::uint64_t sort_std(int count) {
  constexpr std::size_t kLongest = 16384;
  static const std::vector<std::uint32_t> source = random_words(65536 + kLongest, 17);
  static std::vector<std::uint32_t> scratch(kLongest);
  static std::size_t window = 0;
  window = (window + 4093) & 65535;
  const auto length =
      static_cast<std::ptrdiff_t>(std::min<std::size_t>(static_cast<std::size_t>(count), kLongest));
  std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(window), length, scratch.begin());
  std::sort(scratch.begin(), scratch.begin() + length);
  return scratch[static_cast<std::size_t>(length) / 2];
}

// One unit: one element through four counting passes of 8 bits.
std::uint64_t sort_radix(int count) {
  constexpr std::size_t kLongest = 32768;
  static const std::vector<std::uint32_t> source = random_words(kLongest, 18);
  static std::vector<std::uint32_t> left(kLongest);
  static std::vector<std::uint32_t> right(kLongest);
  const std::size_t length = std::min(static_cast<std::size_t>(count), kLongest);
  std::copy_n(source.begin(), length, left.begin());
  for (int shift = 0; shift < 32; shift += 8) {
    std::array<std::uint32_t, 256> place{};
    for (std::size_t i = 0; i < length; ++i) ++place[(left[i] >> shift) & 0xFF];
    std::exclusive_scan(place.begin(), place.end(), place.begin(), 0U);
    for (std::size_t i = 0; i < length; ++i) right[place[(left[i] >> shift) & 0xFF]++] = left[i];
    std::swap(left, right);
  }
  return left[length / 2];
}

std::uint64_t search_binary(int count) {
  static const std::vector<std::uint32_t> sorted = [] {
    std::vector<std::uint32_t> values = random_words(4096, 19);
    std::sort(values.begin(), values.end());
    return values;
  }();
  static const std::vector<std::uint32_t> keys = random_words(256, 20);
  const std::span<const std::uint32_t> ring(keys);
  std::uint64_t found = 0;
  for (int u = 0; u < count; ++u) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), ring_at(ring, u));
    found += static_cast<std::uint64_t>(at - sorted.begin());
  }
  return found;
}

std::uint64_t search_map(int count) {
  static const std::vector<std::uint32_t> keys = random_words(4096, 21);
  static const std::unordered_map<std::uint32_t, std::uint32_t> map = [] {
    std::unordered_map<std::uint32_t, std::uint32_t> made;
    made.reserve(keys.size());
    for (const std::uint32_t key : keys) made.emplace(key, key ^ 1);
    return made;
  }();
  const auto ring = std::span<const std::uint32_t>(keys).first(1024);
  static int next = 0;
  std::uint64_t found = 0;
  for (int u = 0; u < count; ++u) {
    found += map.find(ring_at(ring, next))->second;
    next = (next + 1) & 1023;
  }
  return found;
}

std::uint64_t mutex_lock(int count) {
  static std::mutex mutex;
  static std::uint64_t guarded = 0;
  for (int u = 0; u < count; ++u) {
    const std::lock_guard<std::mutex> lock(mutex);
    ++guarded;
  }
  return guarded;
}

}  // namespace proof
