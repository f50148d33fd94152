// SPDX-License-Identifier: Apache-2.0
// Tokens drawn from logits as device memory says, and the measures of what was drawn.
#include <algorithm>
#include <cmath>

#include "engine/ops/cuda/kernels.h"
#include "kernels/cuda/runtime/reduce.cuh"
#include "kernels/cuda/select/sample_finish.cuh"
#include "kernels/cuda/select/top_k_groups.cuh"
#include "kernels/top_k.h"

namespace engine::cuda {
namespace {

using kernels::cuda::kOrderOfNan;
using kernels::cuda::LetNextStart;
using kernels::cuda::WaitForPrevious;

// What becomes of a row's `most` largest keys, sorted. A row is drawn as row 0, so that what a
// request draws does not depend on its place in the batch.
struct DrawFromList {
  const Sampling* how;
  int most;
  std::int32_t* ids;
  std::uint8_t* ok;
  float* probability;

  __device__ void operator()(std::int64_t row, const std::uint64_t* list) const {
    const Sampling one = how[row];
    const std::uint32_t largest = kernels::cuda::OrderOfKey(list[0]);
    if (one.temperature == 0) {
      if (threadIdx.x == 0) {
        ids[row] = kernels::cuda::ColumnOfKey(list[0]);
        ok[row] = largest != kOrderOfNan;
      }
      return;
    }
    if (threadIdx.x == 0) {
      ok[row] = kernels::HasDistribution(kernels::cuda::FloatOf(largest));
    }
    const int k = one.top_k == 0 ? most : min(one.top_k, most);
    const kernels::cuda::SampleOutput output{
        {one.temperature, one.top_p, one.seed, one.step}, k, ids + row, probability + row};
    output(0, list);
  }
};

constexpr int kMeasureThreads = 1024;

struct TopTwo {
  double first, second;
};

struct LargestTwo {
  __device__ TopTwo operator()(const TopTwo& a, const TopTwo& b) const {
    return {fmax(a.first, b.first), fmax(fmin(a.first, b.first), fmax(a.second, b.second))};
  }
};

// Over the block, in an order of its own; the result in every thread.
template <class T, class Op>
__device__ T OverThreads(T value, Op op, T (&scratch)[kMeasureThreads]) {
  __syncthreads();  // what was there has been read
  scratch[threadIdx.x] = value;
  for (int apart = kMeasureThreads / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < apart) {
      scratch[threadIdx.x] = op(scratch[threadIdx.x], scratch[threadIdx.x + apart]);
    }
  }
  __syncthreads();
  return scratch[0];
}

// One block per row, in float64: the two largest logits, then the sums with the largest known.
__global__ void __launch_bounds__(kMeasureThreads)
    MeasureKernel(const float* logits, std::int64_t cols, const std::int32_t* ids,
                  Uncertainty* out) {
  __shared__ TopTwo tops[kMeasureThreads];
  __shared__ double sums[kMeasureThreads];
  LetNextStart();
  WaitForPrevious();
  const float* const row = logits + blockIdx.x * cols;
  constexpr double kNone = -INFINITY;
  TopTwo top{kNone, kNone};
  for (std::int64_t i = threadIdx.x; i < cols; i += kMeasureThreads) {
    const auto x = static_cast<double>(row[i]);
    if (x > top.first) {
      top.second = top.first;
      top.first = x;
    } else if (x > top.second) {
      top.second = x;
    }
  }
  top = OverThreads(top, LargestTwo{}, tops);
  double sum = 0, weighted = 0;
  for (std::int64_t i = threadIdx.x; i < cols; i += kMeasureThreads) {
    const auto x = static_cast<double>(row[i]);
    if (x != kNone) {  // which has no probability
      const double e = exp(x - top.first);
      sum += e;
      weighted += (x - top.first) * e;
    }
  }
  sum = OverThreads(sum, kernels::cuda::Plus{}, sums);
  weighted = OverThreads(weighted, kernels::cuda::Plus{}, sums);
  if (threadIdx.x == 0) {
    const double log_sum = log(sum);
    const auto taken = static_cast<double>(row[ids[blockIdx.x]]);
    out[blockIdx.x] = {static_cast<float>(taken - top.first - log_sum),
                       static_cast<float>(log_sum - weighted / sum),
                       static_cast<float>(top.first - top.second)};
  }
}

constexpr int kDeliverThreads = 256;

__global__ void __launch_bounds__(kDeliverThreads) DeliverKernel(Delivery d) {
  LetNextStart();
  WaitForPrevious();
  Drawn* const to = d.to + *d.turn * d.capacity;
  for (std::int64_t row = threadIdx.x; row < d.rows; row += kDeliverThreads) {
    to[row] = {d.ids[row], d.ok[row],
               d.uncertainty == nullptr ? Uncertainty{} : d.uncertainty[row]};
    ++d.positions[row];
    if (d.sampling != nullptr) {
      ++d.sampling[row].step;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *d.turn = 1 - *d.turn;
  }
}

std::int64_t Candidates(Rows logits) {
  return std::min<std::int64_t>(kernels::kMaxTopK, logits.cols);
}

}  // namespace

void DrawRows(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok,
              float* probability, const Context& context) {
  if (logits.rows == 0) {
    return;
  }
  const std::int64_t most = Candidates(logits);
  const DrawFromList draw{how, static_cast<int>(most), ids, ok, probability};
  kernels::cuda::LaunchTopK("sample of rows", logits.rows, logits.cols, most, logits.data, draw,
                            true, context);
}

std::size_t DrawWorkspace(Rows logits, const Context& context) {
  return kernels::cuda::GroupsForTopK(logits.rows, logits.cols, Candidates(logits), true, context)
      .WorkspaceBytes(logits.rows);
}

void DeliverRows(const Delivery& delivery, const Context& context) {
  const kernels::cuda::Grid grid{.blocks = 1, .threads = kDeliverThreads, .early = true};
  kernels::cuda::Launch("delivery", context, grid, &DeliverKernel, delivery);
}

void MeasureRows(Rows logits, const std::int32_t* ids, Uncertainty* out, const Context& context) {
  if (logits.rows > 0) {
    const kernels::cuda::Grid grid{
        .blocks = logits.rows, .threads = kMeasureThreads, .early = true};
    kernels::cuda::Launch("uncertainty", context, grid, &MeasureKernel, logits.data, logits.cols,
                          ids, out);
  }
}

}  // namespace engine::cuda
