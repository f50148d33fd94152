// SPDX-License-Identifier: Apache-2.0
// hash.h: FNV-1a, 64 bits, for names and digests; not for anything that must resist intent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace engine {

inline constexpr std::uint64_t kFnvStart = 0xcbf29ce484222325U;

constexpr std::uint64_t Fnv1a(std::string_view text, std::uint64_t hash = kFnvStart) {
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

inline std::uint64_t Fnv1a(std::span<const std::byte> bytes, std::uint64_t hash = kFnvStart) {
  return Fnv1a(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), hash);
}

}  // namespace engine
