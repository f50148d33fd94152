// SPDX-License-Identifier: Apache-2.0
// registry.h: the device:cuda rows of each op. Shapes, arguments and contracts are those of the
// op's own header; every pointer is to device memory.
//
// A new implementation is a row in its op's Rows; an op without rows has no CUDA implementation.
#pragma once

#include <span>

#include "kernels/cuda/argmax.h"
#include "kernels/cuda/convert.h"
#include "kernels/cuda/decode_attention.h"
#include "kernels/cuda/gemm.h"
#include "kernels/cuda/gemv.h"
#include "kernels/cuda/gemv_mxfp4.h"
#include "kernels/cuda/logits_argmax.h"
#include "kernels/cuda/residual_rmsnorm.h"
#include "kernels/cuda/rmsnorm.h"
#include "kernels/cuda/rope.h"
#include "kernels/cuda/rope_append.h"
#include "kernels/cuda/sample.h"
#include "kernels/cuda/silu_mul.h"
#include "kernels/cuda/softmax.h"
#include "kernels/cuda/stream.h"
#include "kernels/cuda/top_k.h"
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
