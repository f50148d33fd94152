// SPDX-License-Identifier: Apache-2.0
// guard_memory.h: what the guards do to the memory that a case works on, on the host or a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perfgate/bench/random_words.h"

namespace perfgate::bench {

// A buffer of a case. `margin` bytes before and behind it belong to the guards: canaries lie there.
struct Region {
  void* data = nullptr;
  std::size_t bytes = 0;
  Content content = Content::kKeep;  // of an input: what fresh content looks like
  std::size_t margin = 0;
};

class Memory {
 public:
  virtual ~Memory() = default;

  // Queues, before whatever the case does next: the bytes of region i become random content of its
  // kind, of seed RegionSeed(seed, i).
  virtual void Randomize(const std::vector<Region>& regions, std::uint64_t seed) = 0;

  // Of what the regions hold now; waits for its own reading only, so the caller sees to it that
  // nothing that should be seen is still queued.
  virtual std::vector<std::uint64_t> Fingerprints(const std::vector<Region>& regions,
                                                  std::uint64_t seed) = 0;

  // Returns when everything that was given to the device, on whatever queue, is done.
  virtual void Wait() = 0;
};

class HostMemory final : public Memory {
 public:
  void Randomize(const std::vector<Region>& regions, std::uint64_t seed) override;
  std::vector<std::uint64_t> Fingerprints(const std::vector<Region>& regions,
                                          std::uint64_t seed) override;
  void Wait() override {}
};

// 64 unpredictable bits of the operating system.
std::uint64_t Entropy();

}  // namespace perfgate::bench
