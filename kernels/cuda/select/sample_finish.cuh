// SPDX-License-Identifier: Apache-2.0
// sample_finish.cuh: steps 2 to 5 of kernels/sample.h by one block, a thread per candidate, with
// the sums in the order that sample_draw.h has. Up to two groups of candidates are one warp's work,
// which saves the barriers of 1024 threads.
#pragma once

#include "kernels/cuda/select/order.cuh"
#include "kernels/cuda/select/select.cuh"
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

  // The same for k of at most two groups; `first` and `second` have room for one each.
  __device__ void DrawFew(std::int64_t row, const std::uint64_t* list, float largest, double* first,
                          double* second) const {
    static_assert(kSampleGroup == 32);
    if (threadIdx.x >= kSampleGroup) {
      return;
    }
    const auto lane = static_cast<int>(threadIdx.x);
    const auto weight_at = [&](int place) {
      return place < k ? SampleWeight(FloatOf(OrderOfKey(list[place])), largest, rule.temperature)
                       : 0;
    };
    const double weights[2] = {weight_at(lane), weight_at(kSampleGroup + lane)};
    first[lane] = weights[0];
    second[lane] = weights[1];
    const double u = PhiloxUniform(rule.seed, rule.step, static_cast<std::uint64_t>(row));
    __syncwarp();
    double in_group = 0;
    if (lane < 2) {
      double* const sums = lane == 0 ? first : second;
#pragma unroll 16
      for (int i = 0; i < kSampleGroup; ++i) {
        in_group = exact::Add(in_group, sums[i]);
        sums[i] = in_group;
      }
    }
    __syncwarp();
    const double before = exact::Add(0, __shfl_sync(0xffffffffU, in_group, 0));
    const double masses[2] = {exact::Add(0, first[lane]), exact::Add(before, second[lane])};
    const bool candidates[2] = {lane < k, kSampleGroup + lane < k};
    const auto mass_of = [&](int owner) {
      return __shfl_sync(0xffffffffU, owner < kSampleGroup ? masses[0] : masses[1],
                         owner % kSampleGroup);
    };
    const auto count = [](bool a, bool b) {
      return __popc(__ballot_sync(0xffffffffU, a)) + __popc(__ballot_sync(0xffffffffU, b));
    };
    const double enough = exact::Multiply(static_cast<double>(rule.top_p), mass_of(k - 1));
    const double nucleus =
        mass_of(count(candidates[0] && masses[0] < enough, candidates[1] && masses[1] < enough));
    const double target = exact::Multiply(u, nucleus);
    const int drawn =
        count(candidates[0] && masses[0] <= target, candidates[1] && masses[1] <= target);
    if (lane == drawn % kSampleGroup) {
      Write(row, ColumnOfKey(list[drawn]),
            static_cast<float>(
                exact::Divide(drawn < kSampleGroup ? weights[0] : weights[1], nucleus)));
    }
  }

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
    if (k <= 2 * kSampleGroup) {
      return DrawFew(row, list, largest, sums, sums + kStride);
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
