// SPDX-License-Identifier: Apache-2.0
// A file of its own: where a compiler sees the bodies beside their callers it warns about free().
#include "tests/engine/count_allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> count{0};
}  // namespace

namespace engine {
std::size_t Allocations() { return count; }
}  // namespace engine

void* operator new(std::size_t size) {
  ++count;
  if (void* const memory = std::malloc(size)) {
    return memory;
  }
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
