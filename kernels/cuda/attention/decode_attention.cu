// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernels/cuda/attention/attention_fma.cuh"
#include "kernels/cuda/attention/attention_merge.cuh"
#include "kernels/cuda/attention/attention_mma_kernel.cuh"
#include "kernels/cuda/attention/attention_parts.cuh"
#include "kernels/cuda/attention/attention_reference.cuh"
#include "kernels/cuda/attention/decode_attention.h"
#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/element.cuh"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"

// Tried on an H100, cold, in % of a copy's 3.0 TB/s at batch 8, 32 / 8 heads of 128, 16384 slots
// and at batch 8, 14 / 2 heads of 64, 32768 slots:
//   float32 fmas (fma): 70 and 34, bound by instructions; with a ring of cp.async stages 86 and 47,
//   but 61 instead of 68 for a float32 cache
//   tensor cores, one block of 8 warps per SM: 75 to 90 and 77; 8 us of code that runs once and of
//   merging, most of it to load 75 KB of instructions
//   a third of the code, two blocks per SM, K and V fetched ahead, merged by a second kernel: 97
//   and 80 (split); by the last block of the first: 90 and 76, with shared memory that was not
//   aligned to 128 bytes and a merge of nine trips to memory, one after the other
//   one cluster of up to 16 blocks per KV head, parts pushed through distributed shared memory: 93
//   and 69; at 134 MB of one sequence 61 instead of 82, at 17 to 257 slots 10 to 20 % faster
//   queries once per block, ahead of K and V, and a merging block per query head: 98 and 86; at
//   4096 slots of 128 10.3 us instead of 11.6, at 257 of 64 3.8 instead of 4.4
//   by the last block again (last_block), with aligned shared memory and a merge of one trip to
//   memory per 32 parts: 98 and 87; at 4096 slots of 128 9.8 us (split 10.5), of 64 6.9 (7.7)
// Fetching more than kMmaTilesAhead while the kernel before still runs gains nothing, at any pace
// and by any instruction: two to eight tiles per warp instead of one take 0 to 12 % longer.

namespace kernels::cuda {
namespace {

template <class Kernel>
void Start(Kernel kernel, const AttentionWork& work, std::int64_t batch, int threads,
           std::size_t shared_bytes, std::size_t most_shared, const Context& context) {
  const Grid grid{.blocks = std::int64_t{work.kv_heads} * work.tiles,
                  .threads = threads,
                  .shared = static_cast<int>(shared_bytes),
                  .early = true,
                  .blocks_y = work.chunks,
                  .blocks_z = static_cast<int>(batch),
                  .most_shared = static_cast<int>(most_shared)};
  cuda::Launch("decode_attention", context, grid, kernel, work);
}

AttentionWork WorkOf(const DecodeAttentionArgs& args, const AttentionPlan& plan, int tile_heads,
                     const Context& context) {
  const auto& shape = args.shape;
  const auto sums = static_cast<std::size_t>(plan.items * plan.chunks * tile_heads * shape.dim);
  auto* const workspace = reinterpret_cast<float*>(context.workspace.data());
  return {.q = static_cast<const float*>(args.q.data),
          .k = args.k.data,
          .v = args.v.data,
          .out = static_cast<float*>(args.out.data),
          .lengths = args.lengths.empty() ? nullptr : args.lengths.data(),
          .scale_log2 = static_cast<float>(static_cast<double>(args.scale) / std::log(2.0)),
          .heads = static_cast<int>(shape.heads),
          .kv_heads = static_cast<int>(shape.kv_heads),
          .dim = static_cast<int>(shape.dim),
          .group = static_cast<int>(shape.heads / shape.kv_heads),
          .tiles = plan.tiles,
          .tile_heads = tile_heads,
          .chunks = plan.chunks,
          .chunk_slots = static_cast<int>(plan.chunk_slots),
          .capacity = static_cast<int>(Capacity(shape)),
          .length = static_cast<int>(shape.length),
          .active = static_cast<int>((shape.length + plan.chunk_slots - 1) / plan.chunk_slots),
          .sums = plan.chunks > 1 ? workspace : nullptr,
          .states = plan.chunks > 1 ? reinterpret_cast<float2*>(workspace + sums) : nullptr,
          .counters = context.counters.data(),
          .q_row = static_cast<int>(shape.heads * shape.dim)};
}

// The same for rows of their own.
void PutRows(const AttentionRows* rows, AttentionWork* work) {
  if (rows != nullptr) {
    work->lengths = rows->positions;
    work->beyond = 1;
    work->sequences = rows->sequences;
    work->q_row = static_cast<int>(rows->q_row);
    work->capacity = static_cast<int>(rows->capacity);
  }
}

bool MmaTakes(const DecodeAttentionShape& shape, const Context& context) {
  const std::size_t bytes = shape.dim == 64 ? kMmaSharedBytes<64> : kMmaSharedBytes<128>;
  return shape.dtype == DType::kBf16 && (shape.dim == 64 || shape.dim == 128) &&
         bytes + kMmaStaticBytes <= context.gpu->limits().shared_bytes;
}

bool OnSixteenBytes(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

AttentionPlan PlanMma(const DecodeAttentionShape& shape, const Context& context) {
  const std::int64_t warps = shape.dim == 64 ? kMmaWarps<64> : kMmaWarps<128>;
  return PlanAttention(
      shape, kMmaTileHeads, kMmaSlots * warps,
      MmaBlocksPerSm(context.gpu->limits().sm) * context.gpu->limits().multiprocessors);
}

AttentionPlan PlanFma(const DecodeAttentionShape& shape, const Context& context) {
  return PlanAttention(shape, kFmaTileHeads, 16 * kAttentionWarps,
                       2 * context.gpu->limits().multiprocessors);
}

void Merge(const AttentionWork& work, const AttentionPlan& plan, std::int64_t batch,
           const Context& context) {
  if (plan.chunks == 1) {
    return;
  }
  const Grid grid{.blocks = batch * work.heads, .threads = kAttentionThreads, .early = true};
  const auto start = [&](auto kernel) {
    cuda::Launch("decode_attention", context, grid, kernel, work);
  };
  if (work.dim == 64) {
    start(&MergeKernel<float4, 16>);
  } else if (work.dim == 128) {
    start(&MergeKernel<float4, 32>);
  } else if (work.dim % 4 == 0) {
    start(&MergeKernel<float4, 0>);
  } else {
    start(&MergeKernel<float, 0>);
  }
}

template <int kDim, bool kMergeHere, bool kRows>
void StartMma(const AttentionWork& work, std::int64_t batch, const Context& context) {
  Start(&MmaKernel<kDim, kMergeHere, kRows>, work, batch, 32 * kMmaWarps<kDim>,
        kMmaSharedBytes<kDim>, kMmaSharedBytes<kDim>, context);
}

template <bool kMergeHere>
void LaunchMma(const DecodeAttentionArgs& args, const AttentionRows* rows, const Context& context) {
  const AttentionPlan plan = PlanMma(args.shape, context);
  AttentionWork work = WorkOf(args, plan, kMmaTileHeads, context);
  PutRows(rows, &work);
  const std::int64_t batch = args.shape.batch;
  if (args.shape.dim == 64) {
    rows == nullptr ? StartMma<64, kMergeHere, false>(work, batch, context)
                    : StartMma<64, kMergeHere, true>(work, batch, context);
  } else {
    rows == nullptr ? StartMma<128, kMergeHere, false>(work, batch, context)
                    : StartMma<128, kMergeHere, true>(work, batch, context);
  }
  if (!kMergeHere) {
    Merge(work, plan, batch, context);
  }
}

template <int kCount>
struct Loads {};

template <bool kMergeHere>
void LaunchFma(const DecodeAttentionArgs& args, const AttentionRows* rows, const Context& context) {
  const AttentionPlan plan = PlanFma(args.shape, context);
  AttentionWork work = WorkOf(args, plan, kFmaTileHeads, context);
  PutRows(rows, &work);
  const std::int64_t batch = args.shape.batch;
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    const auto start = [&]<int kLoads>(Loads<kLoads>) {
      const bool aligned =
          work.dim % kPerLoad<T> == 0 && OnSixteenBytes(args.k.data) && OnSixteenBytes(args.v.data);
      const auto launch = [&](auto kernel) {
        Start(kernel, work, batch, kAttentionThreads, FmaSharedBytes<T, kLoads>(work.dim),
              MostFmaSharedBytes<T, kLoads>(), context);
      };
      aligned ? launch(&FmaKernel<T, kLoads, true, kMergeHere>)
              : launch(&FmaKernel<T, kLoads, false, kMergeHere>);
    };
    if (LanesPerSlot<T, 1>(work.dim) <= 32) {
      start(Loads<1>{});
    } else if constexpr (sizeof(T) == 4) {  // 256 bf16 elements are 32 loads
      start(Loads<2>{});
    }
  });
  if (!kMergeHere) {
    Merge(work, plan, batch, context);
  }
}

template <bool kMergeHere>
void LaunchEither(const DecodeAttentionArgs& args, const AttentionRows* rows,
                  const Context& context) {
  if (args.shape.batch == 0) {
    return;
  }
  if (MmaTakes(args.shape, context) && OnSixteenBytes(args.k.data) && OnSixteenBytes(args.v.data)) {
    LaunchMma<kMergeHere>(args, rows, context);
  } else {
    LaunchFma<kMergeHere>(args, rows, context);
  }
}

void LaunchReference(const DecodeAttentionArgs& args, const AttentionRows* rows,
                     const Context& context) {
  const auto blocks = static_cast<unsigned>(args.shape.batch * args.shape.heads);
  if (blocks == 0) {
    return;
  }
  AttentionWork work = WorkOf(args, {.chunk_slots = Capacity(args.shape)}, 1, context);
  PutRows(rows, &work);
  ForFloatOrBf16(args.shape.dtype, [&]<class T>(Tag<T>) {
    ReferenceKernel<T><<<blocks, 128, 0, context.stream>>>(
        work, args.scale, reinterpret_cast<double*>(context.workspace.data()),
        Capacity(args.shape));
  });
  CheckLaunch("decode_attention/impl:reference");
}

}  // namespace

std::string_view CudaAttentionSupports(const DecodeAttentionShape& shape) {
  if (shape.batch > 65535 || Capacity(shape) > (std::int64_t{1} << 30) ||
      shape.heads > (std::int64_t{1} << 20)) {
    return "batch must be at most 65535, heads 2^20 and slots per sequence 2^30";
  }
  return DecodeAttentionSupports(shape);
}

void DecodeAttentionReference(const DecodeAttentionArgs& args, const Context& context) {
  LaunchReference(args, nullptr, context);
}

std::size_t DecodeAttentionReferenceWorkspace(const DecodeAttentionShape& shape, const Context&) {
  return static_cast<std::size_t>(shape.batch * shape.heads * Capacity(shape)) * sizeof(double);
}

void DecodeAttentionSplit(const DecodeAttentionArgs& args, const Context& context) {
  LaunchEither<false>(args, nullptr, context);
  CheckLaunch("decode_attention/impl:split");
}

void DecodeAttentionLastBlock(const DecodeAttentionArgs& args, const Context& context) {
  LaunchEither<true>(args, nullptr, context);
  CheckLaunch("decode_attention/impl:last_block");
}

void DecodeAttentionFma(const DecodeAttentionArgs& args, const Context& context) {
  if (args.shape.batch > 0) {
    LaunchFma<true>(args, nullptr, context);
  }
  CheckLaunch("decode_attention/impl:fma");
}

std::size_t DecodeAttentionSplitWorkspace(const DecodeAttentionShape& shape,
                                          const Context& context) {
  // Which kernel runs depends on addresses too: enough for either.
  const std::size_t fma = DecodeAttentionFmaWorkspace(shape, context);
  return MmaTakes(shape, context)
             ? std::max(fma, PartBytes(PlanMma(shape, context), kMmaTileHeads, shape.dim))
             : fma;
}

std::size_t DecodeAttentionFmaWorkspace(const DecodeAttentionShape& shape, const Context& context) {
  return PartBytes(PlanFma(shape, context), kFmaTileHeads, shape.dim);
}

void AttendRows(RowAttention impl, const DecodeAttentionArgs& args, const AttentionRows& rows,
                const Context& context) {
  switch (impl) {
    case RowAttention::kReference:
      return LaunchReference(args, &rows, context);
    case RowAttention::kSplit:
      LaunchEither<false>(args, &rows, context);
      break;
    case RowAttention::kLastBlock:
      LaunchEither<true>(args, &rows, context);
      break;
  }
  CheckLaunch("decode_attention of rows");
}

std::size_t AttendRowsWorkspace(RowAttention impl, const DecodeAttentionShape& shape,
                                const Context& context) {
  if (impl == RowAttention::kReference) {
    return DecodeAttentionReferenceWorkspace(shape, context);
  }
  // Which of the two runs depends on the addresses too.
  return std::max(DecodeAttentionSplitWorkspace(shape, context),
                  DecodeAttentionFmaWorkspace(shape, context));
}

}  // namespace kernels::cuda
