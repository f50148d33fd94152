// SPDX-License-Identifier: Apache-2.0
// vec.cuh: groups of elements that move in one load or store, and their values as float32.
//
// A Pack<T, V> needs an address aligned to its size. V = kVec<T> is 16 bytes, the widest access a
// thread has; V = 1 needs no more than T does.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "kernels/cuda/runtime/element.cuh"

namespace kernels::cuda {

template <class T>
inline constexpr int kVec = 16 / static_cast<int>(sizeof(T));

// Bits of V elements, the first in the lowest bits of the first word. Kept as words, because the
// compiler gives every 2-byte element a register of its own.
template <class T, int V>
struct alignas(V * sizeof(T)) Pack {
  static constexpr int kBytes = V * static_cast<int>(sizeof(T));
  using Word = std::conditional_t<kBytes % 4 == 0, std::uint32_t,
                                  std::conditional_t<kBytes % 2 == 0, std::uint16_t, std::uint8_t>>;
  static constexpr int kWords = kBytes / static_cast<int>(sizeof(Word));
  Word words[kWords];
};

template <class T, int V>
__device__ __forceinline__ Pack<T, V> Load(const T* from) {
  Pack<T, V> pack;
  if constexpr (Pack<T, V>::kBytes == 16) {
    const uint4 w = *reinterpret_cast<const uint4*>(from);
    pack.words[0] = w.x;
    pack.words[1] = w.y;
    pack.words[2] = w.z;
    pack.words[3] = w.w;
  } else if constexpr (Pack<T, V>::kBytes == 8) {
    const uint2 w = *reinterpret_cast<const uint2*>(from);
    pack.words[0] = w.x;
    pack.words[1] = w.y;
  } else {
    pack.words[0] = *reinterpret_cast<const typename Pack<T, V>::Word*>(from);
  }
  return pack;
}

// For data that this kernel reads once. Volatile, so that the compiler reads it once as well, and
// on its side of WaitForPrevious; not the read-only path, so the buffer may be the output too. No
// hints: on an H100 a copy of 268 MB takes 174.6 us with plain loads, 177.4 past the first-level
// cache (L1::no_allocate, or .cs) and 178.3 with L2::256B as well; the larger the share of reads,
// the more.
template <class T, int V>
__device__ __forceinline__ Pack<T, V> LoadOnce(const T* from) {
  if constexpr (Pack<T, V>::kBytes == 16) {
    Pack<T, V> pack;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(pack.words[0]), "=r"(pack.words[1]), "=r"(pack.words[2]),
                   "=r"(pack.words[3])
                 : "l"(from)
                 : "memory");
    return pack;
  } else if constexpr (Pack<T, V>::kBytes == 8) {
    Pack<T, V> pack;
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(pack.words[0]), "=r"(pack.words[1])
                 : "l"(from)
                 : "memory");
    return pack;
  } else {
    return Load<T, V>(from);
  }
}

template <class T, int V>
__device__ __forceinline__ void Store(T* to, const Pack<T, V>& pack) {
  if constexpr (Pack<T, V>::kBytes == 16) {
    *reinterpret_cast<uint4*>(to) =
        make_uint4(pack.words[0], pack.words[1], pack.words[2], pack.words[3]);
  } else if constexpr (Pack<T, V>::kBytes == 8) {
    *reinterpret_cast<uint2*>(to) = make_uint2(pack.words[0], pack.words[1]);
  } else {
    *reinterpret_cast<typename Pack<T, V>::Word*>(to) = pack.words[0];
  }
}

// The first to leave the second-level cache. Outputs in general are better off without: plain
// stores take 0.2 to 0.6 % less time on an H100 in conversions, softmax and norms alike. Rows of
// norms of which a thread has eight accesses are not: 181.7 us so, 189.3 with plain stores at
// 2048 x 65536, one row per multiprocessor; shorter ones of that kind were not measured.
template <class T, int V>
__device__ __forceinline__ void StoreToLeave(T* to, const Pack<T, V>& pack) {
  if constexpr (Pack<T, V>::kBytes == 16) {
    __stcs(reinterpret_cast<uint4*>(to),
           make_uint4(pack.words[0], pack.words[1], pack.words[2], pack.words[3]));
  } else {
    Store(to, pack);
  }
}

// Makes the compiler forget what it computed from `pack`. It would otherwise keep the float32
// values of 2-byte elements from one use to the next, in twice the registers.
template <class T, int V>
__device__ __forceinline__ void Forget(Pack<T, V>& pack) {
  if constexpr (sizeof(T) < 4 && Pack<T, V>::kBytes % 4 == 0) {
#pragma unroll
    for (int i = 0; i < Pack<T, V>::kWords; ++i) {
      asm volatile("" : "+r"(pack.words[i]));
    }
  }
}

// The same where the assembler sees through it: `zero` is 0, which only the launch knows.
template <class T, int V>
__device__ __forceinline__ void Hide(Pack<T, V>& pack, std::uint32_t zero) {
  if constexpr (sizeof(T) < 4 && Pack<T, V>::kBytes % 4 == 0) {
#pragma unroll
    for (int i = 0; i < Pack<T, V>::kWords; ++i) {
      pack.words[i] ^= zero;
    }
  }
}

template <class T, int V>
__device__ __forceinline__ void ToFloats(const Pack<T, V>& pack, float (&values)[V]) {
  if constexpr (std::is_same_v<T, __nv_bfloat16> && V % 2 == 0) {
#pragma unroll
    for (int i = 0; i < V / 2; ++i) {
      values[2 * i] = __uint_as_float(pack.words[i] << 16);
      values[2 * i + 1] = __uint_as_float(pack.words[i] & 0xffff0000U);
    }
  } else {
    T elements[V];
    __builtin_memcpy(elements, pack.words, sizeof(elements));
#pragma unroll
    for (int i = 0; i < V; ++i) {
      values[i] = ToFloat(elements[i]);
    }
  }
}

template <class T, int V>
__device__ __forceinline__ Pack<T, V> FromFloats(const float (&values)[V]) {
  Pack<T, V> pack;
  if constexpr (std::is_same_v<T, __nv_bfloat16> && V % 2 == 0) {
#pragma unroll
    for (int i = 0; i < V / 2; ++i) {
      const __nv_bfloat162 two = __floats2bfloat162_rn(values[2 * i], values[2 * i + 1]);
      __builtin_memcpy(&pack.words[i], &two, 4);
    }
  } else {
    T elements[V];
#pragma unroll
    for (int i = 0; i < V; ++i) {
      elements[i] = FromFloat<T>(values[i]);
    }
    __builtin_memcpy(pack.words, elements, sizeof(elements));
  }
  return pack;
}

inline bool Aligned(std::initializer_list<const void*> pointers) {
  for (const void* pointer : pointers) {
    if (reinterpret_cast<std::uintptr_t>(pointer) % 16 != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace kernels::cuda
