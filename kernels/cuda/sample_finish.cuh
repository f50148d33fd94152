// SPDX-License-Identifier: Apache-2.0
// sample_finish.cuh: steps 2 to 5 of kernels/sample.h by one block, a thread per candidate, with
// the sums in the order that sample_draw.h has.
#pragma once

#include "kernels/cuda/order.cuh"
#include "kernels/cuda/select.cuh"
#include "kernels/sample_draw.h"

namespace kernels::cuda {

struct SampleOutput {
  SampleRule rule;
  int k;
  std::int32_t* ids;
  float* probability;

  __device__ void Write(std::int64_t row, std::int32_t id, float value) const {
    ids[row] = id;
    probability[row] = value;
  }
  __device__ void WriteNone(std::int64_t row) const { Write(row, 0, __uint_as_float(0x7fc00000U)); }

  // `list`: the candidates' keys in order.
  __device__ void operator()(std::int64_t row, const std::uint64_t* list) const {
    constexpr int kGroups = kSelectThreads / kSampleGroup;
    constexpr int kStride = kSampleGroup + 1;  // lanes then read different banks
    __shared__ double sums[kGroups * kStride];
    __shared__ double before[kGroups];
    __shared__ double shared_mass;
    const float largest = FloatOf(OrderOfKey(list[0]));
    if (!HasDistribution(largest)) {
      if (threadIdx.x == 0) {
        WriteNone(row);
      }
      return;
    }
    const auto place = static_cast<int>(threadIdx.x);
    const bool candidate = place < k;
    const double weight =
        candidate ? SampleWeight(FloatOf(OrderOfKey(list[place])), largest, rule.temperature) : 0;
    const int slot = place / kSampleGroup * kStride + place % kSampleGroup;
    sums[slot] = weight;
    __syncthreads();
    const int used = (k + kSampleGroup - 1) / kSampleGroup;
    if (place < kGroups) {  // a lane per group
      double in_group = 0;
#pragma unroll 8
      for (int i = 0; i < kSampleGroup; ++i) {
        in_group = exact::Add(in_group, sums[place * kStride + i]);
        sums[place * kStride + i] = in_group;
      }
      double groups = 0;
      for (int group = 0; group < used; ++group) {
        const double other = __shfl_sync(0xffffffffU, in_group, group);
        groups = place > group ? exact::Add(groups, other) : groups;
      }
      before[place] = groups;
    }
    __syncthreads();
    const double mass = exact::Add(before[place / kSampleGroup], sums[slot]);
    const auto mass_of = [&](int owner) {
      if (place == owner) {
        shared_mass = mass;
      }
      __syncthreads();
      const double value = shared_mass;
      __syncthreads();
      return value;
    };
    // Masses do not fall, so that counting those below a limit finds the first that is not.
    const double enough = exact::Multiply(static_cast<double>(rule.top_p), mass_of(k - 1));
    const double nucleus = mass_of(__syncthreads_count(candidate && mass < enough));
    const double u = PhiloxUniform(rule.seed, rule.step, static_cast<std::uint64_t>(row));
    const double target = exact::Multiply(u, nucleus);
    const int drawn = __syncthreads_count(candidate && mass <= target);
    if (place == drawn) {
      Write(row, ColumnOfKey(list[place]), static_cast<float>(exact::Divide(weight, nucleus)));
    }
  }
};

}  // namespace kernels::cuda
