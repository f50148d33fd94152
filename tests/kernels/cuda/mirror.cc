// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/mirror.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kernels::testing {
namespace {

constexpr std::size_t kGuard = 256;
constexpr std::byte kGuardByte{0xa5};
constexpr std::size_t kAlignment = 64;  // of the arena's buffers at offset 0

}  // namespace

void* Mirror::Copy(const void* host, std::size_t size, bool output) {
  if (host == nullptr) {
    return nullptr;
  }
  const auto found = buffers_.find(host);
  if (found != buffers_.end() && found->second.size >= size) {
    return found->second.memory.data() + found->second.begin;
  }
  Buffer buffer;
  buffer.begin = kGuard + reinterpret_cast<std::uintptr_t>(host) % kAlignment;
  buffer.size = size;
  buffer.output = output;
  std::vector<std::byte> bytes(buffer.begin + size + (output ? kGuard : 0), kGuardByte);
  std::copy_n(static_cast<const std::byte*>(host), size,
              bytes.begin() + static_cast<std::ptrdiff_t>(buffer.begin));
  buffer.memory = cuda::DeviceMemory(bytes.size());
  cuda::CopyToDevice(buffer.memory.bytes(), bytes);
  std::byte* const data = buffer.memory.data() + buffer.begin;
  buffers_.insert_or_assign(host, std::move(buffer));
  return data;
}

void Mirror::ToHost() {
  for (auto& [host, buffer] : buffers_) {
    if (buffer.output) {
      auto* const to = const_cast<std::byte*>(static_cast<const std::byte*>(host));
      cuda::CopyToHost({to, buffer.size}, buffer.memory.bytes().subspan(buffer.begin, buffer.size));
    }
  }
}

bool Mirror::GuardsIntact() const {
  return std::all_of(buffers_.begin(), buffers_.end(), [](const auto& entry) {
    const Buffer& buffer = entry.second;
    std::vector<std::byte> bytes(buffer.memory.size());
    cuda::CopyToHost(bytes, buffer.memory.bytes());
    const auto is_guard = [](std::byte b) { return b == kGuardByte; };
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(buffer.begin);
    return std::all_of(bytes.begin(), begin, is_guard) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(buffer.size), bytes.end(), is_guard);
  });
}

}  // namespace kernels::testing
