// SPDX-License-Identifier: Apache-2.0
// signal.cuh: words by which the blocks of a launch tell one of them a result
//
// A word is its own flag: 0 until it is written, and set back to 0 by its reader, so that words of
// Context::counters serve. One store and one load pass a result on, where a fence, an atomic
// counter and a read take three round trips to the L2 cache.
//
// The reader must be the block with the highest index of those that write to it. Blocks start in
// the order of their indices, so the others are running or done when it waits for them; and should
// they not, they wait for no one and there are fewer readers than places for blocks.
#pragma once

#include <cstdint>

namespace kernels::cuda {

__device__ __forceinline__ void Signal(std::uint64_t* word, std::uint64_t value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
__device__ __forceinline__ void Signal(std::uint32_t* word, std::uint32_t value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

__device__ __forceinline__ std::uint64_t Peek(const std::uint64_t* word) {
  std::uint64_t value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}
__device__ __forceinline__ std::uint32_t Peek(const std::uint32_t* word) {
  std::uint32_t value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

// Waits for the word and sets it back.
template <class Word>
__device__ __forceinline__ Word Receive(Word* word) {
  Word value;
  do {
    value = Peek(word);
  } while (value == 0);
  Signal(word, Word{0});
  return value;
}

}  // namespace kernels::cuda
