// SPDX-License-Identifier: Apache-2.0
// Long: four ways to merge the parts of a row, which share the scan of a part and its template
// parameters.
#include <cooperative_groups.h>

#include <algorithm>
#include <utility>

#include "kernels/cuda/runtime/check_cuda.h"
#include "kernels/cuda/runtime/gpu.h"
#include "kernels/cuda/runtime/launch.cuh"
#include "kernels/cuda/runtime/signal.cuh"
#include "kernels/cuda/select/argmax.h"
#include "kernels/cuda/select/order.cuh"

// Tried on an H100, cold, 1 x 128256: one block per row merged in a cluster of 8 6.1 us, since 8
// multiprocessors cannot have enough loads in flight, of 16 3.1 us; 126 blocks and atomics, of
// which the last block to arrive writes (`meet`), 3.6 us; a signal of each block to one that
// waits 3.2 us, 2.6 us with the launch brought up early and the row fetched ahead; a signal of each
// warp 2.4 us, of half as many blocks with two loads per thread 2.2 us.
namespace kernels::cuda {
namespace {

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kMostParts = 256;
constexpr int kLoads = 4;  // 16-byte loads in flight per thread
// In parts: the next launch's blocks fit beside them. Two of twice the work each took 4.1 us at
// 8 x 151936, in two rounds of loads.
constexpr int kBlocksPerSm = 4;
constexpr int kMostClusterBlocks = 16;
constexpr std::int64_t kFetchedAhead = 16384;  // elements of a part
constexpr int kClusterThreads = 1024;

struct Output {
  std::int32_t* ids;
  std::uint8_t* ok;

  __device__ void Write(std::int64_t row, std::uint64_t key) const {
    ids[row] = ColumnOfKey(key);  // 0 where all are NaN: the best of their keys
    ok[row] = OrderOfKey(key) != kOrderOfNan;
  }
};

// One thread per row: what the contract says, and nothing else.
__global__ void ReferenceKernel(ArgmaxShape shape, const float* x, Output output) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= shape.rows) {
    return;
  }
  std::int64_t best = 0;
  float value = x[row * shape.cols];
  for (std::int64_t i = 1; i < shape.cols; ++i) {
    const float other = x[row * shape.cols + i];
    if (other > value || (isnan(value) && !isnan(other))) {
      best = i;
      value = other;
    }
  }
  output.ids[row] = static_cast<std::int32_t>(isnan(value) ? 0 : best);
  output.ok[row] = !isnan(value);
}

__device__ __forceinline__ float4 LoadStreamed(const float4* p) {
  float4 v;
  asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
      : "l"(p));
  return v;
}

// How a row is cut up: parts of `vectors` groups of four elements, as many as the last has or more.
struct Parts {
  int count;
  std::int64_t vectors;
};

// The largest key of this thread's share of a part of a row, 0 of no element.
template <int kBlockThreads>
__device__ std::uint64_t ThreadBest(const float* x, std::int64_t cols, int part,
                                    const Parts& parts) {
  // Up to 3 elements before the first 16-byte boundary and after the last one.
  const std::int64_t to_boundary = (16 - reinterpret_cast<std::uintptr_t>(x) % 16) % 16 / 4;
  const std::int64_t head = to_boundary < cols ? to_boundary : cols;
  const std::int64_t vectors = (cols - head) / 4;
  const std::int64_t tail = head + 4 * vectors;
  std::uint64_t best = 0;
  const auto try_one = [&](std::int64_t i) {
    const std::uint64_t key = KeyOf(OrderOf(x[i]), static_cast<std::uint32_t>(i));
    best = key > best ? key : best;
  };
  if (part == 0 && threadIdx.x < head) {
    try_one(threadIdx.x);
  }
  if (part == parts.count - 1 && threadIdx.x < cols - tail) {
    try_one(tail + threadIdx.x);
  }

  const std::int64_t begin = part * parts.vectors;
  const std::int64_t end = min(begin + parts.vectors, vectors);
  const auto* body = reinterpret_cast<const float4*>(x + head);
  std::uint32_t order = 0;
  std::int64_t at = -1;  // the lowest element with that order
  const auto try_four = [&](const float4& v, std::int64_t vector) {
    const float values[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t other = OrderOf(values[i]);
      if (other > order || at < 0) {
        order = other;
        at = 4 * vector + i;
      }
    }
  };
  std::int64_t i = begin + threadIdx.x;
  for (; i + (kLoads - 1) * kBlockThreads < end; i += kLoads * kBlockThreads) {
    float4 v[kLoads];
#pragma unroll
    for (int j = 0; j < kLoads; ++j) {
      v[j] = LoadStreamed(body + i + j * kBlockThreads);
    }
#pragma unroll
    for (int j = 0; j < kLoads; ++j) {
      try_four(v[j], i + j * kBlockThreads);
    }
  }
  // The rest at once too: a short row is all rest.
  float4 rest[kLoads - 1];
#pragma unroll
  for (int j = 0; j < kLoads - 1; ++j) {
    if (i + j * kBlockThreads < end) {
      rest[j] = LoadStreamed(body + i + j * kBlockThreads);
    }
  }
#pragma unroll
  for (int j = 0; j < kLoads - 1; ++j) {
    if (i + j * kBlockThreads < end) {
      try_four(rest[j], i + j * kBlockThreads);
    }
  }
  if (at >= 0) {
    const std::uint64_t key = KeyOf(order, static_cast<std::uint32_t>(head + at));
    best = key > best ? key : best;
  }
  return best;
}

// Asks for a part of a row ahead of time; by one thread.
__device__ __forceinline__ void FetchPart(const float* x, std::int64_t cols, int part,
                                          const Parts& parts) {
  const std::int64_t begin = 4 * part * parts.vectors;
  FetchAhead(x + begin, 4 * min(min(4 * parts.vectors, cols - begin), kFetchedAhead));
}

// The largest key of the block, in thread 0. Where a block calls it again, `again` keeps it from
// writing what is still read.
template <int kBlockThreads>
__device__ std::uint64_t BlockBest(std::uint64_t key, bool again) {
  __shared__ std::uint64_t of_warp[kBlockThreads / 32];
  key = WarpMax(key);
  if (again) {
    __syncthreads();
  }
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = key;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    key = WarpMax(threadIdx.x < kBlockThreads / 32 ? of_warp[threadIdx.x] : 0);
  }
  return key;
}

// The largest of `count` signals, over the threads of the block.
__device__ std::uint64_t ReceiveBest(std::uint64_t* signals, int count, std::uint64_t key) {
  constexpr int kBatch = 4;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kBatch * kThreads) {
    std::uint64_t words[kBatch];
    bool missing = false;
    do {
      missing = false;
#pragma unroll
      for (int j = 0; j < kBatch; ++j) {
        words[j] = i + j * kThreads < count ? Peek(signals + i + j * kThreads) : 1;
        missing = missing || words[j] == 0;
      }
    } while (missing);
#pragma unroll
    for (int j = 0; j < kBatch; ++j) {
      if (i + j * kThreads < count) {
        Signal(signals + i + j * kThreads, std::uint64_t{0});
      }
      key = words[j] > key ? words[j] : key;
    }
  }
  return key;
}

// `parts` blocks per row, of which the last collects the keys of the others' warps.
__global__ void __launch_bounds__(kThreads, 2 * kBlocksPerSm)
    VectorKernel(ArgmaxShape shape, Parts parts, const float* x, Output output,
                 std::uint64_t* signals) {
  constexpr int kWords = kThreads / 32;  // of a block
  LetNextStart();
  const int part = static_cast<int>(blockIdx.x % static_cast<unsigned>(parts.count));
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(parts.count);
  if (threadIdx.x == 0) {
    FetchPart(x + row * shape.cols, shape.cols, part, parts);
  }
  WaitForPrevious();
  std::uint64_t key = ThreadBest<kThreads>(x + row * shape.cols, shape.cols, part, parts);
  std::uint64_t* const of_row = signals + row * parts.count * kWords;
  if (part < parts.count - 1) {
    key = WarpMax(key);
    // Of no element: 1 is a signal, and below the keys of all.
    if (threadIdx.x % 32 == 0) {
      Signal(of_row + part * kWords + threadIdx.x / 32, key > 1 ? key : 1);
    }
    return;
  }
  key = BlockBest<kThreads>(ReceiveBest(of_row, (parts.count - 1) * kWords, key), false);
  if (threadIdx.x == 0) {
    output.Write(row, key);
  }
}

// A block per row, and several rows per block where there are many.
__global__ void __launch_bounds__(kThreads)
    RowKernel(ArgmaxShape shape, const float* x, Output output) {
  LetNextStart();
  WaitForPrevious();
  for (std::int64_t row = blockIdx.x; row < shape.rows; row += gridDim.x) {
    const std::uint64_t key = BlockBest<kThreads>(
        ThreadBest<kThreads>(x + row * shape.cols, shape.cols, 0, {1, shape.cols / 4}),
        row != blockIdx.x);
    if (threadIdx.x == 0) {
      output.Write(row, key);
    }
  }
}

// What the blocks of one row share: two zeros before and after a launch.
struct Meeting {
  unsigned long long best;
  unsigned long long arrived;
};

// `parts` blocks per row, of which the last to arrive writes the result.
__global__ void __launch_bounds__(kThreads)
    MeetKernel(ArgmaxShape shape, Parts parts, const float* x, Output output, Meeting* meetings) {
  const int part = static_cast<int>(blockIdx.x % static_cast<unsigned>(parts.count));
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(parts.count);
  const std::uint64_t key = BlockBest<kThreads>(
      ThreadBest<kThreads>(x + row * shape.cols, shape.cols, part, parts), false);
  if (threadIdx.x != 0) {
    return;
  }
  Meeting& meeting = meetings[row];
  atomicMax(&meeting.best, static_cast<unsigned long long>(key));
  __threadfence();
  if (atomicAdd(&meeting.arrived, 1ULL) == static_cast<unsigned long long>(parts.count - 1)) {
    __threadfence();
    output.Write(row, atomicExch(&meeting.best, 0ULL));
    meeting.arrived = 0;
  }
}

// A cluster per row.
__global__ void __launch_bounds__(kClusterThreads, 2)
    ClusterKernel([[maybe_unused]] ArgmaxShape shape, [[maybe_unused]] Parts parts,
                  [[maybe_unused]] const float* x, [[maybe_unused]] Output output) {
#if __CUDA_ARCH__ >= 900
  __shared__ std::uint64_t of_block[kMostClusterBlocks];
  LetNextStart();
  const cg::cluster_group cluster = cg::this_cluster();
  const auto part = static_cast<int>(cluster.block_rank());
  // The shared memory of a block may be written once the block has started.
  auto started = cluster.barrier_arrive();
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(parts.count);
  if (threadIdx.x == 0) {
    FetchPart(x + row * shape.cols, shape.cols, part, parts);
  }
  WaitForPrevious();
  const std::uint64_t key = BlockBest<kClusterThreads>(
      ThreadBest<kClusterThreads>(x + row * shape.cols, shape.cols, part, parts), false);
  cluster.barrier_wait(std::move(started));
  if (threadIdx.x == 0) {
    *cluster.map_shared_rank(&of_block[part], 0) = key;
  }
  cluster.sync();
  if (part == 0 && threadIdx.x < 32) {
    const auto lane = static_cast<int>(threadIdx.x);
    const std::uint64_t best = WarpMax(lane < parts.count ? of_block[lane] : 0);
    if (lane == 0) {
      output.Write(row, best);
    }
  }
#endif
}

Parts PartsOf(const ArgmaxShape& shape, int count) {
  return {count, CeilDiv(shape.cols / 4, count)};
}

// Enough blocks for every multiprocessor, but about two loads per thread or more.
Parts PartsOf(const ArgmaxShape& shape, const Context& context) {
  const std::int64_t most =
      std::int64_t{kBlocksPerSm} * context.gpu->limits().multiprocessors / shape.rows;
  const std::int64_t full = (shape.cols + 8 * kThreads - 1) / (8 * kThreads);
  return PartsOf(shape,
                 static_cast<int>(std::clamp<std::int64_t>(std::min(most, full), 1, kMostParts)));
}

// Rows in parts by `kernel`, whole rows where there are enough of them.
template <class Word>
void LaunchRows(std::string_view name,
                void (*kernel)(ArgmaxShape, Parts, const float*, Output, Word*), bool early,
                const ArgmaxArgs& args, const Context& context) {
  const std::int64_t rows = args.shape.rows;
  if (rows == 0) {
    return;
  }
  const auto* const x = static_cast<const float*>(args.x.data);
  const Output output{args.ids.data(), args.ok.data()};
  const Parts parts = PartsOf(args.shape, context);
  if (parts.count > 1) {
    Launch(name, context, {.blocks = rows * parts.count, .threads = kThreads, .early = early},
           kernel, args.shape, parts, x, output, reinterpret_cast<Word*>(context.counters.data()));
  } else {
    const std::int64_t most = 8L * context.gpu->limits().multiprocessors;
    Launch(name, context, {.blocks = std::min(rows, most), .threads = kThreads, .early = true},
           RowKernel, args.shape, x, output);
  }
}

}  // namespace

void ArgmaxReference(const ArgmaxArgs& args, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  constexpr unsigned kRows = 128;
  const auto blocks = static_cast<unsigned>((args.shape.rows + kRows - 1) / kRows);
  ReferenceKernel<<<blocks, kRows, 0, context.stream>>>(
      args.shape, static_cast<const float*>(args.x.data), Output{args.ids.data(), args.ok.data()});
  CheckLaunch("argmax/impl:reference");
}

void ArgmaxVector(const ArgmaxArgs& args, const Context& context) {
  LaunchRows("argmax/impl:vector", VectorKernel, true, args, context);
}

void ArgmaxMeet(const ArgmaxArgs& args, const Context& context) {
  LaunchRows("argmax/impl:meet", MeetKernel, false, args, context);
}

void ArgmaxCluster(const ArgmaxArgs& args, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  const GpuLimits& limits = context.gpu->limits();
  const bool large = limits.sm / 10 == 9 || limits.sm / 10 == 10;
  const int blocks = large ? kMostClusterBlocks : kPortableCluster;
  Launch("argmax/impl:cluster", context,
         {.blocks = args.shape.rows * blocks,
          .threads = kClusterThreads,
          .cluster = blocks,
          .early = true},
         ClusterKernel, args.shape, PartsOf(args.shape, blocks),
         static_cast<const float*>(args.x.data), Output{args.ids.data(), args.ok.data()});
}

}  // namespace kernels::cuda
