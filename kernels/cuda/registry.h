// SPDX-License-Identifier: Apache-2.0
// registry.h: the device:cuda rows of each op. Shapes, arguments and contracts are those of the
// op's own header; every pointer is to device memory.
//
// A new implementation is a row in its op's Rows; an op without rows has no CUDA implementation.
#pragma once

#include <span>

#include "kernels/cuda/attention/decode_attention.h"
#include "kernels/cuda/dot/gemm.h"
#include "kernels/cuda/dot/gemv.h"
#include "kernels/cuda/dot/gemv_mxfp4.h"
#include "kernels/cuda/dot/logits_argmax.h"
#include "kernels/cuda/rows/residual_rmsnorm.h"
#include "kernels/cuda/rows/rmsnorm.h"
#include "kernels/cuda/rows/rope.h"
#include "kernels/cuda/rows/rope_append.h"
#include "kernels/cuda/rows/silu_mul.h"
#include "kernels/cuda/rows/softmax.h"
#include "kernels/cuda/select/argmax.h"
#include "kernels/cuda/select/sample.h"
#include "kernels/cuda/select/top_k.h"
#include "kernels/cuda/stream/convert.h"
#include "kernels/cuda/stream/stream.h"
#include "kernels/registry.h"

namespace kernels::cuda {

// The rows of Args's op, possibly none.
template <class Args>
constexpr std::span<const Row<Args>> AllRows() {
  if constexpr (requires { Rows<Args>::rows; }) {
    return Rows<Args>::rows;
  } else {
    return {};
  }
}

// Nullptr when the op has no CUDA implementation of that name.
template <class Args>
constexpr const Row<Args>* Find(std::string_view impl) {
  for (const Row<Args>& row : AllRows<Args>()) {
    if (row.impl == impl) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace kernels::cuda
