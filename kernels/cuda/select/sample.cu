// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/select/sample.h"
#include "kernels/cuda/select/sample_finish.cuh"
#include "kernels/cuda/select/top_k_groups.cuh"
#include "kernels/cuda/select/top_k_reference.cuh"

namespace kernels::cuda {
namespace {

SampleOutput OutputOf(const SampleArgs& args) {
  return {{args.temperature, args.top_p, args.seed, args.step},
          static_cast<int>(args.shape.k),
          args.ids.data(),
          args.probability.data()};
}

// A block per row looks for one candidate after the other; its first thread draws.
__global__ void ReferenceKernel(SampleShape shape, const float* logits, SampleOutput output) {
  __shared__ std::uint64_t keys[kSelected];
  __shared__ double masses[kSelected];
  for (std::int64_t row = blockIdx.x; row < shape.rows; row += gridDim.x) {
    std::uint64_t key = ~std::uint64_t{0};
    for (int place = 0; place < shape.k; ++place) {
      key = LargestKeyBelow(key, logits + row * shape.cols, shape.cols);
      if (threadIdx.x == 0) {
        keys[place] = key;
      }
    }
    if (threadIdx.x != 0) {
      continue;
    }
    if (!HasDistribution(FloatOf(OrderOfKey(keys[0])))) {
      output.WriteNone(row);
      continue;
    }
    const Draw draw = DrawInOrder(
        output.rule, row, output.k, [](int i) { return FloatOf(OrderOfKey(keys[i])); }, masses);
    output.Write(row, ColumnOfKey(keys[draw.place]), draw.probability);
  }
}

}  // namespace

void SampleReference(const SampleArgs& args, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(args.shape.rows, 65535));
  ReferenceKernel<<<blocks, kReferenceThreads, 0, context.stream>>>(
      args.shape, static_cast<const float*>(args.logits.data), OutputOf(args));
  CheckLaunch("sample/impl:reference");
}

void SampleVector(const SampleArgs& args, const Context& context) {
  if (args.shape.rows == 0) {
    return;
  }
  LaunchTopK("sample/impl:vector", args.shape.rows, args.shape.cols, args.shape.k,
             static_cast<const float*>(args.logits.data), OutputOf(args), true, context);
}

std::size_t SampleWorkspace(const SampleShape& shape, const Context& context) {
  return GroupsForTopK(shape.rows, shape.cols, shape.k, true, context).WorkspaceBytes(shape.rows);
}

}  // namespace kernels::cuda
