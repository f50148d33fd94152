// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>

#include <algorithm>
#include <utility>

#include "kernels/cuda/argmax.h"
#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/gpu.h"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/order.cuh"
#include "kernels/cuda/signal.cuh"

// Tried on an H100, cold, 1 x 128256: one block per row merged in a cluster of 8 (`cluster`) 6.1
// us, since 8 multiprocessors cannot have enough loads in flight; 126 blocks and atomics, of which
// the last block to arrive writes (`meet`), 3.6 us; signals to a block that waits, 3.2 us, 2.7 us
// with the launch brought up early and the row fetched ahead.
namespace kernels::cuda {
namespace {

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kLoads = 4;  // 16-byte loads in flight per thread
constexpr int kClusterBlocks = 8;
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

// The largest key of this thread's share of part `part` of `parts` of a row.
template <int kBlockThreads>
__device__ std::uint64_t ThreadBest(const float* x, std::int64_t cols, int part, int parts) {
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
  if (part == parts - 1 && threadIdx.x < cols - tail) {
    try_one(tail + threadIdx.x);
  }

  const std::int64_t per_part = (vectors + parts - 1) / parts;
  const std::int64_t begin = part * per_part;
  const std::int64_t end = begin + per_part < vectors ? begin + per_part : vectors;
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

// The largest key of the block, in thread 0.
template <int kBlockThreads>
__device__ std::uint64_t BlockBest(std::uint64_t key) {
  __shared__ std::uint64_t of_warp[kBlockThreads / 32];
  key = WarpMax(key);
  __syncthreads();  // the previous row's values have been read
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = key;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    key = WarpMax(threadIdx.x < kBlockThreads / 32 ? of_warp[threadIdx.x] : 0);
  }
  return key;
}

// `parts` blocks per row, of which the last collects the keys of the others.
__global__ void __launch_bounds__(kThreads)
    VectorKernel(ArgmaxShape shape, int parts, const float* x, Output output,
                 std::uint64_t* signals) {
  LetNextStart();
  const int part = static_cast<int>(blockIdx.x % static_cast<unsigned>(parts));
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(parts);
  if (threadIdx.x == 0) {
    const std::int64_t begin = shape.cols * part / parts;
    const std::int64_t end = shape.cols * (part + 1) / parts;
    const std::int64_t count = end - begin < kFetchedAhead ? end - begin : kFetchedAhead;
    FetchAhead(x + row * shape.cols + begin, 4 * count);
  }
  WaitForPrevious();
  std::uint64_t key =
      BlockBest<kThreads>(ThreadBest<kThreads>(x + row * shape.cols, shape.cols, part, parts));
  std::uint64_t* const of_row = signals + row * parts;
  if (part < parts - 1) {
    if (threadIdx.x == 0) {
      Signal(of_row + part, key);
    }
    return;
  }
  key = threadIdx.x == 0 ? key : 0;
  if (threadIdx.x < static_cast<unsigned>(parts - 1)) {
    const std::uint64_t other = Receive(of_row + threadIdx.x);
    key = other > key ? other : key;
  }
  key = BlockBest<kThreads>(key);
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
    const std::uint64_t key =
        BlockBest<kThreads>(ThreadBest<kThreads>(x + row * shape.cols, shape.cols, 0, 1));
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
    MeetKernel(ArgmaxShape shape, int parts, const float* x, Output output, Meeting* meetings) {
  const int part = static_cast<int>(blockIdx.x % static_cast<unsigned>(parts));
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(parts);
  const std::uint64_t key =
      BlockBest<kThreads>(ThreadBest<kThreads>(x + row * shape.cols, shape.cols, part, parts));
  if (threadIdx.x != 0) {
    return;
  }
  Meeting& meeting = meetings[row];
  atomicMax(&meeting.best, static_cast<unsigned long long>(key));
  __threadfence();
  if (atomicAdd(&meeting.arrived, 1ULL) == static_cast<unsigned long long>(parts - 1)) {
    __threadfence();
    output.Write(row, atomicExch(&meeting.best, 0ULL));
    meeting.arrived = 0;
  }
}

__global__ void __launch_bounds__(kClusterThreads)
    ClusterKernel([[maybe_unused]] ArgmaxShape shape, [[maybe_unused]] const float* x,
                  [[maybe_unused]] Output output) {
#if __CUDA_ARCH__ >= 900
  __shared__ std::uint64_t of_block[kClusterBlocks];
  const cg::cluster_group cluster = cg::this_cluster();
  const auto part = static_cast<int>(cluster.block_rank());
  // The shared memory of a block may be written once the block has started, or has been read.
  auto writable = cluster.barrier_arrive();
  for (std::int64_t row = blockIdx.x / kClusterBlocks; row < shape.rows;
       row += gridDim.x / kClusterBlocks) {
    const std::uint64_t key = BlockBest<kClusterThreads>(
        ThreadBest<kClusterThreads>(x + row * shape.cols, shape.cols, part, kClusterBlocks));
    cluster.barrier_wait(std::move(writable));
    if (threadIdx.x == 0) {
      *cluster.map_shared_rank(&of_block[part], 0) = key;
    }
    cluster.sync();
    if (part == 0 && threadIdx.x < 32) {
      const std::uint64_t best = WarpMax(threadIdx.x < kClusterBlocks ? of_block[threadIdx.x] : 0);
      if (threadIdx.x == 0) {
        output.Write(row, best);
      }
    }
    writable = cluster.barrier_arrive();
  }
  cluster.barrier_wait(std::move(writable));
#endif
}

// Enough blocks for every multiprocessor, but none with less than a load per thread.
int PartsOf(const ArgmaxShape& shape, const Context& context) {
  const std::int64_t most = 2L * context.gpu->limits().multiprocessors / shape.rows;
  const std::int64_t full = (shape.cols + 4 * kThreads - 1) / (4 * kThreads);
  // A thread of the last block for every other block.
  return static_cast<int>(std::clamp<std::int64_t>(std::min(most, full), 1, kThreads));
}

// Rows in parts by `kernel`, whole rows where there are enough of them.
template <class Word>
void LaunchRows(std::string_view name,
                void (*kernel)(ArgmaxShape, int, const float*, Output, Word*), bool early,
                const ArgmaxArgs& args, const Context& context) {
  const std::int64_t rows = args.shape.rows;
  if (rows == 0) {
    return;
  }
  const auto* const x = static_cast<const float*>(args.x.data);
  const Output output{args.ids.data(), args.ok.data()};
  const int parts = PartsOf(args.shape, context);
  if (parts > 1) {
    Launch(name, context, {.blocks = rows * parts, .threads = kThreads, .early = early}, kernel,
           args.shape, parts, x, output, reinterpret_cast<Word*>(context.counters.data()));
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
  const std::int64_t most = context.gpu->limits().multiprocessors;
  Launch("argmax/impl:cluster", context,
         {.blocks = std::min(args.shape.rows, most) * kClusterBlocks,
          .threads = kClusterThreads,
          .cluster = kClusterBlocks},
         ClusterKernel, args.shape, static_cast<const float*>(args.x.data),
         Output{args.ids.data(), args.ok.data()});
}

}  // namespace kernels::cuda
