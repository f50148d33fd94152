// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/select/top_k.h"
#include "kernels/cuda/select/top_k_groups.cuh"
#include "kernels/cuda/select/top_k_reference.cuh"

namespace kernels::cuda {
namespace {

struct Output {
  TopKShape shape;
  const float* x;
  std::int32_t* ids;
  float* values;
  std::uint8_t* ok;

  __device__ void WriteOne(std::int64_t row, std::int64_t place, std::uint64_t key) const {
    const std::uint32_t order = OrderOfKey(key);
    const std::int32_t column = ColumnOfKey(key);
    // Of zeros and NaNs the order does not have all the bits.
    const bool whole = order != kOrderOfZero && order != kOrderOfNan;
    ids[row * shape.k + place] = column;
    values[row * shape.k + place] = whole ? FloatOf(order) : x[row * shape.cols + column];
    if (place == shape.k - 1) {
      ok[row] = order != kOrderOfNan;
    }
  }

  __device__ void operator()(std::int64_t row, const std::uint64_t* list) const {
    if (threadIdx.x < shape.k) {
      WriteOne(row, threadIdx.x, list[threadIdx.x]);
    }
  }
};

Output OutputOf(const TopKArgs& args) {
  return {args.shape, static_cast<const float*>(args.x.data), args.ids.data(), args.values.data(),
          args.ok.data()};
}

// A block per row looks for one key after the other.
__global__ void ReferenceKernel(Output output) {
  const TopKShape& shape = output.shape;
  for (std::int64_t row = blockIdx.x; row < shape.rows; row += gridDim.x) {
    std::uint64_t key = ~std::uint64_t{0};
    for (std::int64_t place = 0; place < shape.k; ++place) {
      key = LargestKeyBelow(key, output.x + row * shape.cols, shape.cols);
      if (threadIdx.x == 0) {
        output.WriteOne(row, place, key);
      }
    }
  }
}

void LaunchRow(const TopKArgs& args, bool may_signal, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  const Output output = OutputOf(args);
  LaunchTopK(may_signal ? "top_k/impl:vector" : "top_k/impl:meet", args.shape.rows, args.shape.cols,
             args.shape.k, output.x, output, may_signal, context);
}

}  // namespace

void TopKReference(const TopKArgs& args, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(args.shape.rows, 65535));
  ReferenceKernel<<<blocks, kReferenceThreads, 0, context.stream>>>(OutputOf(args));
  CheckLaunch("top_k/impl:reference");
}

void TopKVector(const TopKArgs& args, const Context& context) { LaunchRow(args, true, context); }

void TopKMeet(const TopKArgs& args, const Context& context) { LaunchRow(args, false, context); }

std::size_t TopKWorkspace(const TopKShape& shape, const Context& context) {
  return GroupsForTopK(shape.rows, shape.cols, shape.k, true, context).WorkspaceBytes(shape.rows);
}

std::size_t TopKMeetWorkspace(const TopKShape& shape, const Context& context) {
  return GroupsForTopK(shape.rows, shape.cols, shape.k, false, context).WorkspaceBytes(shape.rows);
}

}  // namespace kernels::cuda
