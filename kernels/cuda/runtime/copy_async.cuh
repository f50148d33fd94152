// SPDX-License-Identifier: Apache-2.0
// copy_async.cuh: copies to shared memory that need no register while they are under way.
#pragma once

#include <cstdint>

namespace kernels::cuda {

__device__ __forceinline__ std::uint32_t SharedAddress(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}

// 16 bytes to shared memory, or zeros; `from` must be a valid address either way.
__device__ __forceinline__ void CopyAsync(std::uint32_t to, const void* from, bool wanted) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
               "r"(wanted ? 16 : 0)
               : "memory");
}
// One float; both addresses are aligned to no more than that.
__device__ __forceinline__ void CopyFloatAsync(std::uint32_t to, const float* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}
__device__ __forceinline__ void CommitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int kPending>
__device__ __forceinline__ void WaitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

}  // namespace kernels::cuda
