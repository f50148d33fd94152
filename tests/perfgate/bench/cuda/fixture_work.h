// SPDX-License-Identifier: Apache-2.0
// fixture_work.h: kernels of the fixtures: honest work, and ways not to do it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace perfgate::bench {

inline constexpr int kSteps = 256;  // multiply-adds per element

// y[i] = x[i] after kSteps times v = v * 0.999 + 0.001.
void LaunchIterate(const float* x, float* y, std::size_t count, cudaStream_t stream);
// The same in f64, counting elements of y that are further than `bound` away.
void LaunchCompare(const float* x, const float* y, std::size_t count, float bound,
                   unsigned* different, cudaStream_t stream);

void LaunchIterateF16(const float* x, float* y, std::size_t count, cudaStream_t stream);
void LaunchConstant(float* y, std::size_t count, float value, cudaStream_t stream);
// y[t] = the sum of every kParts-th element of x from t on. Reads everything, writes 1 MiB.
inline constexpr std::size_t kParts = 132 * 8 * 256;
void LaunchPartialSums(const float* x, float* y, std::size_t count, cudaStream_t stream);
// The same with loads that ask the L2 cache to keep their lines. Needs compute capability 8.0.
void LaunchPartialSumsKept(const float* x, float* y, std::size_t count, cudaStream_t stream);
void LaunchCopy(const float* x, float* y, std::size_t count, cudaStream_t stream);
// *sum = sum of x, by atomic additions in no order.
void LaunchAtomicSum(const float* x, std::size_t count, float* sum, cudaStream_t stream);
void LaunchTrap(cudaStream_t stream);
void LaunchWriteOne(float* at, float value, cudaStream_t stream);

// A cache on the device: where the content of x is that of the last call with this memo, copies the
// result of then; else computes and keeps it. Counts hits.
struct Memo {
  unsigned long long hash;
  unsigned long long known;
  unsigned long long hits;
};
void LaunchMemoized(const float* x, float* y, float* kept, std::size_t count, Memo* memo,
                    cudaStream_t stream);

}  // namespace perfgate::bench
