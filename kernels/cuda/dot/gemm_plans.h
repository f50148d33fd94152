// SPDX-License-Identifier: Apache-2.0
// gemm_plans.h: the cuBLASLt handle of a GPU and the algorithm chosen for each shape
//
// The first use of a shape plans it: cuBLASLt proposes algorithms, best guess first. A tuned plan
// times the first few on the shape itself, on random data with cold weights, and keeps the fastest;
// below 64 rows it times those that are proposed for somewhat more as well. This takes about 0.1 s
// and memory of its own, and cannot happen while the stream is captured.
// Only algorithms that give the same bits every time are used.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "kernels/cuda/runtime/gpu.h"
#include "kernels/gemm.h"

namespace kernels::cuda {

// What was chosen, in cuBLASLt's numbers.
struct GemmChoice {
  bool found = false;  // else cuBLASLt has no algorithm for the shape
  int algorithm = 0;
  int tile = 0;
  int stages = 0;
  int split_k = 0;
  int reduction = 0;
  int swizzle = 0;
  int custom = 0;
  int inner_shape = 0;
  int cluster_shape = 0;
  std::size_t workspace = 0;  // bytes
  int rank = 0;               // in cuBLASLt's order, from 0; those for more rows come after
  int timed = 0;              // candidates that were timed, 0 in an untuned plan
  double microseconds = 0;    // of a call while tuning
};

// "algorithm:66 tile:18 stages:35 split_k:1 ... rank:2/8 us:7.9" or "none".
std::string Describe(const GemmChoice& choice);

class GemmPlans {
 public:
  explicit GemmPlans(const GpuLimits& limits);
  GemmPlans(const GemmPlans&) = delete;
  GemmPlans& operator=(const GemmPlans&) = delete;
  ~GemmPlans();

  // Bytes of workspace that Run needs for any shape.
  std::size_t workspace_bytes() const;

  // Plans `shape` for pointers aligned to 256 bytes, unless that is done.
  GemmChoice Prepare(const GemmShape& shape, bool tuned);

  // Queues the product. False, and nothing queued, where cuBLASLt has no algorithm for it.
  bool Run(const GemmArgs& args, bool tuned, const Context& context);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Those of `gpu`, created at the first use.
inline GemmPlans& PlansOf(Gpu& gpu) { return gpu.Shared<GemmPlans>(); }

}  // namespace kernels::cuda
