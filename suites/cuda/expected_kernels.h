// SPDX-License-Identifier: Apache-2.0
// expected_kernels.h: the kernels that a call of each implementation launches at the suite's
// shapes, by name where the name is its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/bench/kernel_names.h"

namespace suites {

// Empty where a library chooses what it launches: not checked.
inline std::vector<perfgate::bench::ExpectedKernel> ExpectedKernels(std::string_view op,
                                                                    std::string_view impl) {
  struct Known {
    std::string_view op, impl, pattern;
    int launches = 1;  // 0: one or several
  };
  constexpr Known kKnown[] = {
      {"copy", "bulk", "kernels::cuda::*BulkKernel"},
      {"copy", "", "kernels::cuda::*CopyGroups"},
      {"sum", "", "kernels::cuda::*SumTiles"},
      {"rmsnorm", "", "kernels::cuda::norm::InRegisters"},
      {"residual_rmsnorm", "", "kernels::cuda::norm::InRegisters"},
      {"softmax", "online", "kernels::cuda::*TwoPasses"},
      {"silu_mul", "", "kernels::cuda::*TileKernel"},
      {"rope", "", "kernels::cuda::rope::RotateKernel"},
      {"rope_append", "", "kernels::cuda::rope::RotateKernel"},
      {"convert", "", "kernels::cuda::*TileKernel"},
      {"gemv", "split", "kernels::cuda::*VectorKernel"},
      {"gemv", "warp_row", "kernels::cuda::*WarpRowKernel"},
      {"gemv", "direct", "kernels::cuda::*DirectKernel"},
      {"gemv_mxfp4", "vector", "kernels::cuda::Mxfp4*Kernel"},
      {"gemv_mxfp4", "fma", "kernels::cuda::*FmaKernel"},
      {"logits_argmax", "two_kernel", "kernels::cuda::*", 0},
      {"decode_attention", "split", "kernels::cuda::*", 0},
      {"decode_attention", "fma", "kernels::cuda::FmaKernel"},
      {"argmax", "meet", "kernels::cuda::*MeetKernel"},
      {"argmax", "cluster", "kernels::cuda::*ClusterKernel"},
      {"top_k", "", "kernels::cuda::TopKKernel"},
      {"sample", "", "kernels::cuda::TopKKernel"},
  };
  if (op == "gemm" || impl == "memcpy") {
    return {};
  }
  for (const Known& known : kKnown) {
    if (known.op == op && (known.impl.empty() || known.impl == impl)) {
      return {{std::string(known.pattern), known.launches}};
    }
  }
  return {{"kernels::cuda::*", 1}};
}

}  // namespace suites
