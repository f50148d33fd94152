// SPDX-License-Identifier: Apache-2.0
// vec.cuh: groups of elements that move in one load or store, and their values as float32.
//
// A Pack<T, V> needs an address aligned to its size. V = kVec<T> is 16 bytes, the widest access a
// thread has; V = 1 needs no more than T does.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernels/cuda/element.cuh"

namespace kernels::cuda {

template <class T>
inline constexpr int kVec = 16 / static_cast<int>(sizeof(T));

template <class T, int V>
struct alignas(V * sizeof(T)) Pack {
  T e[V];
};

template <class T, int V>
__device__ __forceinline__ Pack<T, V> Load(const T* from) {
  return *reinterpret_cast<const Pack<T, V>*>(from);
}

// For data that this kernel reads once: stays out of the first-level cache, where it would push
// out what is read again. Not the read-only path, so the buffer may be the output too.
template <class T, int V>
__device__ __forceinline__ Pack<T, V> LoadOnce(const T* from) {
  if constexpr (sizeof(Pack<T, V>) == 16) {
    uint4 words;
    asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                 : "l"(from)
                 : "memory");
    Pack<T, V> pack;
    __builtin_memcpy(&pack, &words, 16);
    return pack;
  } else {
    return Load<T, V>(from);
  }
}

template <class T, int V>
__device__ __forceinline__ void Store(T* to, const Pack<T, V>& pack) {
  if constexpr (sizeof(Pack<T, V>) == 16) {
    uint4 words;
    __builtin_memcpy(&words, &pack, 16);
    *reinterpret_cast<uint4*>(to) = words;
  } else if constexpr (sizeof(Pack<T, V>) == 8) {
    uint2 words;
    __builtin_memcpy(&words, &pack, 8);
    *reinterpret_cast<uint2*>(to) = words;
  } else {
    *reinterpret_cast<Pack<T, V>*>(to) = pack;
  }
}

template <class T, int V>
__device__ __forceinline__ void ToFloats(const Pack<T, V>& pack, float (&values)[V]) {
#pragma unroll
  for (int i = 0; i < V; ++i) {
    values[i] = ToFloat(pack.e[i]);
  }
}

template <class T, int V>
__device__ __forceinline__ Pack<T, V> FromFloats(const float (&values)[V]) {
  Pack<T, V> pack;
  if constexpr (std::is_same_v<T, __nv_bfloat16> && V % 2 == 0) {
#pragma unroll
    for (int i = 0; i < V; i += 2) {
      const __nv_bfloat162 two = __floats2bfloat162_rn(values[i], values[i + 1]);
      pack.e[i] = two.x;
      pack.e[i + 1] = two.y;
    }
  } else {
#pragma unroll
    for (int i = 0; i < V; ++i) {
      pack.e[i] = FromFloat<T>(values[i]);
    }
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
