// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/dot/dot_rows.cuh"
#include "kernels/cuda/dot/gemv.h"
#include "kernels/cuda/dot/logits_argmax.h"
#include "kernels/cuda/dot/weights.cuh"
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/element.cuh"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/last_block.cuh"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/signal.cuh"
#include "kernels/cuda/select/order.cuh"

namespace kernels::cuda {
namespace {

// The best logit of some rows; id -1 while all were NaN.
struct Best {
  float value;
  std::int32_t id;
};

__device__ __forceinline__ Best None() { return {__int_as_float(0x7fffffff), -1}; }

// Any order of merging gives the same best.
__device__ __forceinline__ Best Better(Best a, Best b) {
  const bool take_b =
      b.id >= 0 && (a.id < 0 || b.value > a.value || (b.value == a.value && b.id < a.id));
  return take_b ? b : a;
}

__device__ __forceinline__ Best Candidate(float value, std::int64_t row) {
  return {value, isnan(value) ? -1 : static_cast<std::int32_t>(row)};
}

// The best of all threads, in thread 0. Every thread of a block of at most 1024 must call it.
__device__ __forceinline__ Best BestOfBlock(Best best) {
  __shared__ Best of_warps[32];
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto over_lanes = [](Best b) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
      b = Better(b, {__shfl_xor_sync(0xffffffffU, b.value, apart),
                     __shfl_xor_sync(0xffffffffU, b.id, apart)});
    }
    return b;
  };
  best = over_lanes(best);
  __syncthreads();  // of_warps may still be read from an earlier call
  if (lane == 0) {
    of_warps[threadIdx.x / 32] = best;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    best = over_lanes(lane < static_cast<int>(blockDim.x) / 32 ? of_warps[lane] : None());
  }
  return best;
}

// A Best as a word that compares as Better does: its order, the complement of its id, and whether
// it is -0, which the order has not. No id is 2^31 - 1, so that words of a logit are above
// kNoLogit.
constexpr std::uint64_t kNoLogit = 1;

__device__ __forceinline__ std::uint64_t WordOf(Best best) {
  const std::uint32_t low = (0x7fffffffU - static_cast<std::uint32_t>(best.id)) << 1 |
                            static_cast<std::uint32_t>(__float_as_uint(best.value) == 0x80000000U);
  const std::uint64_t word = static_cast<std::uint64_t>(OrderOf(best.value)) << 32 | low;
  return best.id < 0 ? kNoLogit : word;
}

__device__ __forceinline__ Best BestOf(std::uint64_t word) {
  if (word <= kNoLogit) {
    return None();
  }
  const auto low = static_cast<std::uint32_t>(word);
  const std::uint32_t order = OrderOfKey(word);
  const float value = order == kOrderOfZero && low % 2 == 1 ? -0.0F : FloatOf(order);
  return {value, static_cast<std::int32_t>(0x7fffffffU - (low >> 1))};
}

struct Outputs {
  std::int32_t* id;
  float* value;
  std::uint8_t* ok;
};

__device__ __forceinline__ void Write(const Outputs& out, Best best) {
  *out.id = max(best.id, 0);
  *out.value = best.value;
  *out.ok = best.id >= 0 ? 1 : 0;
}

template <class T>
__global__ void LogitsKernel(const T* weight, const float* x, float* logits, std::int64_t vocab,
                             std::int64_t k) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= vocab) {
    return;
  }
  double sum = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    sum += static_cast<double>(ToFloat(weight[row * k + i])) * static_cast<double>(x[i]);
  }
  logits[row] = static_cast<float>(sum);
}

// One block.
__global__ void __launch_bounds__(1024)
    SearchKernel(const float* logits, std::int64_t vocab, Outputs out) {
  Best best = None();
  for (std::int64_t row = threadIdx.x; row < vocab; row += blockDim.x) {
    best = Better(best, Candidate(logits[row], row));
  }
  best = BestOfBlock(best);
  if (threadIdx.x == 0) {
    Write(out, best);
  }
}

// Sends the best of this block to the last block, which writes the best of all. Fences, a counter
// and a read, as with IsLastBlock, take 1.2 to 1.5 us on an H100.
static __device__ void SignalBest(Best (&of_warps)[kDotWarps], std::uint64_t* signals,
                                  const Outputs& out) {
  __syncthreads();
  const unsigned last = gridDim.x - 1;
  std::uint64_t word = 0;
  if (threadIdx.x < 32) {
    word = WarpMax(threadIdx.x < kDotWarps ? WordOf(of_warps[threadIdx.x]) : kNoLogit);
  }
  if (blockIdx.x != last) {
    if (threadIdx.x == 0) {
      Signal(signals + blockIdx.x, word);
    }
    return;
  }
  __shared__ std::uint64_t words[kDotWarps];
  for (unsigned block = threadIdx.x; block < last; block += kDotThreads) {
    const std::uint64_t other = Receive(signals + block);
    word = other > word ? other : word;
  }
  word = WarpMax(word);
  if (threadIdx.x % 32 == 0) {
    words[threadIdx.x / 32] = word;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    word = WarpMax(threadIdx.x < kDotWarps ? words[threadIdx.x] : kNoLogit);
    if (threadIdx.x == 0) {
      Write(out, BestOf(word));
    }
  }
}

template <class T, bool kAligned, int kTeam, int kRows>
__global__ void __launch_bounds__(kDotThreads, kAligned ? kDotBlocksPerSm : 1)
    VectorKernel(const T* weight, const float* x, std::int64_t vocab, std::int64_t k,
                 int slice_chunks, Best* of_blocks, float* partial, std::uint32_t* counters,
                 Outputs out) {
  extern __shared__ float4 shared[];
  __shared__ Best of_warps[kDotWarps];  // not in registers: the loop has none to spare
  if (threadIdx.x % 32 == 0) {
    of_warps[threadIdx.x / 32] = None();
  }
  DotRows<T, kAligned, kTeam, kRows>(weight, x, vocab, k, slice_chunks, shared,
                                     [&](std::int64_t row, float sum) {
                                       if (gridDim.y == 1) {
                                         Best& mine = of_warps[threadIdx.x / 32];
                                         mine = Better(mine, Candidate(sum, row));
                                       } else {
                                         partial[blockIdx.y * vocab + row] = sum;
                                       }
                                     });
  if (gridDim.y == 1) {
    return SignalBest(of_warps, reinterpret_cast<std::uint64_t*>(counters), out);
  }
  if (!IsLastBlock(counters + 1 + blockIdx.x, gridDim.y)) {
    return;
  }
  Best best = None();
  for (std::int64_t row = blockIdx.x + static_cast<std::int64_t>(threadIdx.x) * gridDim.x;
       row < vocab; row += static_cast<std::int64_t>(kDotThreads) * gridDim.x) {
    float sum = 0;
    for (unsigned slice = 0; slice < gridDim.y; ++slice) {
      sum += partial[slice * vocab + row];
    }
    best = Better(best, Candidate(sum, row));
  }
  best = BestOfBlock(best);
  if (threadIdx.x == 0) {
    of_blocks[blockIdx.x] = best;
  }
  if (!IsLastBlock(counters, gridDim.x)) {
    return;
  }
  best = None();
  for (unsigned block = threadIdx.x; block < gridDim.x; block += kDotThreads) {
    best = Better(best, of_blocks[block]);
  }
  best = BestOfBlock(best);
  if (threadIdx.x == 0) {
    Write(out, best);
  }
}

Outputs OutputsOf(const LogitsArgmaxArgs& args) {
  return {args.ids.data(), static_cast<float*>(args.value.data), args.ok.data()};
}

template <class T>
DotPlan Plan(const LogitsArgmaxShape& shape, const Context& context) {
  return PlanDot(shape.vocab, shape.k, kPerChunk<T>, context.gpu->limits().multiprocessors, 1);
}

std::size_t LogitBytes(const LogitsArgmaxShape& shape) {
  return static_cast<std::size_t>(shape.vocab) * sizeof(float);
}

template <class T, bool kAligned, int kTeam, int kRows>
void LaunchVector(const LogitsArgmaxArgs& args, const Context& context, const DotPlan& plan) {
  auto* const of_blocks = reinterpret_cast<Best*>(context.workspace.data());
  Launch("logits_argmax", context, GridOf(plan), &VectorKernel<T, kAligned, kTeam, kRows>,
         static_cast<const T*>(args.weight.data), static_cast<const float*>(args.x.data),
         args.shape.vocab, args.shape.k, plan.slice_chunks, of_blocks,
         reinterpret_cast<float*>(of_blocks + plan.blocks), context.counters.data(),
         OutputsOf(args));
}

}  // namespace

void LogitsArgmaxReference(const LogitsArgmaxArgs& args, const Context& context) {
  constexpr unsigned kThreads = 128;
  auto* const logits = reinterpret_cast<float*>(context.workspace.data());
  const auto blocks = static_cast<unsigned>(CeilDiv(args.shape.vocab, kThreads));
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    LogitsKernel<T><<<blocks, kThreads, 0, context.stream>>>(
        static_cast<const T*>(args.weight.data), static_cast<const float*>(args.x.data), logits,
        args.shape.vocab, args.shape.k);
  });
  SearchKernel<<<1, 1024, 0, context.stream>>>(logits, args.shape.vocab, OutputsOf(args));
  CheckLaunch("logits_argmax/impl:reference");
}

std::size_t LogitsArgmaxReferenceWorkspace(const LogitsArgmaxShape& shape, const Context&) {
  return LogitBytes(shape);
}

void LogitsArgmaxVector(const LogitsArgmaxArgs& args, const Context& context) {
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const DotPlan plan = Plan<T>(args.shape, context);
    ForTeam(plan, [&]<int kTeam, int kRows>(Teams<kTeam, kRows>) {
      if (IsAligned(static_cast<const T*>(args.weight.data), args.shape.k)) {
        LaunchVector<T, true, kTeam, kRows>(args, context, plan);
      } else {
        LaunchVector<T, false, kTeam, kRows>(args, context, plan);
      }
    });
  });
  CheckLaunch("logits_argmax/impl:vector");
}

std::size_t LogitsArgmaxVectorWorkspace(const LogitsArgmaxShape& shape, const Context& context) {
  std::size_t bytes = 0;
  ForFloatOrBf16(shape.dtype, [&]<class T>(Tag<T>) {
    const DotPlan plan = Plan<T>(shape, context);
    bytes = plan.blocks * sizeof(Best) + (plan.slices > 1 ? plan.slices * LogitBytes(shape) : 0);
  });
  return bytes;
}

void LogitsArgmaxTwoKernel(const LogitsArgmaxArgs& args, const Context& context) {
  const GemvShape shape{args.shape.vocab, args.shape.k, args.shape.dtype};
  const std::size_t gemv_bytes = GemvVectorWorkspace(shape, context);
  auto* const logits = reinterpret_cast<float*>(context.workspace.data() + gemv_bytes);
  const GemvArgs gemv{.shape = shape,
                      .weight = args.weight,
                      .x = args.x,
                      .y = {logits, static_cast<std::size_t>(shape.n), DType::kF32}};
  cuda::GemvVector(gemv, context);
  SearchKernel<<<1, 1024, 0, context.stream>>>(logits, args.shape.vocab, OutputsOf(args));
  CheckLaunch("logits_argmax/impl:two_kernel");
}

std::size_t LogitsArgmaxTwoKernelWorkspace(const LogitsArgmaxShape& shape, const Context& context) {
  return GemvVectorWorkspace({shape.vocab, shape.k, shape.dtype}, context) + LogitBytes(shape);
}

}  // namespace kernels::cuda
