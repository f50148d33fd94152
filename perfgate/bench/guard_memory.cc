// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/guard_memory.h"

#include <cstring>

#include "perfgate/base/os/entropy.h"

namespace perfgate::bench {
namespace {

template <class Element, class Make>
void FillElements(const Region& region, const Make& make) {
  auto* bytes = static_cast<unsigned char*>(region.data);
  const std::size_t count = region.bytes / sizeof(Element);
  for (std::size_t i = 0; i < count; ++i) {
    const Element element = make(i);
    std::memcpy(bytes + i * sizeof element, &element, sizeof element);
  }
}

void FillBytes(const Region& region, std::uint64_t seed) {
  auto* bytes = static_cast<unsigned char*>(region.data);
  for (std::size_t at = 0; at < region.bytes; at += 8) {
    const std::uint64_t word = RandomWord(seed, at / 8);
    std::memcpy(bytes + at, &word, std::min<std::size_t>(8, region.bytes - at));
  }
}

void Fill(const Region& region, std::uint64_t seed) {
  switch (region.content) {
    case Content::kKeep:
      return;
    case Content::kBytes:
      return FillBytes(region, seed);
    case Content::kF32:
      return FillElements<std::uint32_t>(region, [&](std::size_t i) { return RandomF32(seed, i); });
    case Content::kBf16:
      return FillElements<std::uint16_t>(region,
                                         [&](std::size_t i) { return RandomBf16(seed, i); });
    case Content::kF16:
      return FillElements<std::uint16_t>(region, [&](std::size_t i) { return RandomF16(seed, i); });
  }
}

}  // namespace

void HostMemory::Randomize(const std::vector<Region>& regions, std::uint64_t seed) {
  for (std::size_t i = 0; i < regions.size(); ++i) Fill(regions[i], RegionSeed(seed, i));
}

std::vector<std::uint64_t> HostMemory::Fingerprints(const std::vector<Region>& regions,
                                                    std::uint64_t seed) {
  std::vector<std::uint64_t> prints;
  prints.reserve(regions.size());
  for (const Region& region : regions) {
    const auto* bytes = static_cast<const unsigned char*>(region.data);
    std::uint64_t print = 0;
    for (std::size_t at = 0; at < region.bytes; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + at, std::min<std::size_t>(8, region.bytes - at));
      print += WordPrint(seed, at / 8, word);
    }
    prints.push_back(print);
  }
  return prints;
}

std::uint64_t Entropy() { return system_entropy(); }

}  // namespace perfgate::bench
