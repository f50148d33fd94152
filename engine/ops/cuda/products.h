// SPDX-License-Identifier: Apache-2.0
// products.h: products of several rows of activations with a weight matrix, by cuBLASLt.
//
// c[m,n] = or += a[m,:] weight[n,:]; a and weight are both bf16 or both f32, c is f32 with rows
// `c_row` apart; sums in f32, f32 products without TF32. The algorithm of a shape is cuBLASLt's
// first proposal among those that give the same bits every time, asked for once and kept: eager and
// captured steps use the same.
#pragma once

#include <cstddef>
#include <memory>

#include "engine/ops/shapes.h"
#include "kernels/row.h"

namespace engine::cuda {

struct Product {
  const void* a = nullptr;  // [m, k] of the weight's type, at a multiple of 16 bytes
  ConstView weight;         // [n, k]
  std::int64_t m = 0, n = 0, k = 0;
  float* c = nullptr;
  std::int64_t c_row = 0;
  bool add = false;
};

class Products {
 public:
  explicit Products(int sm);
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;
  ~Products();

  // Of Context::workspace: what cuBLAS's documentation advises.
  std::size_t workspace_bytes() const;
  std::size_t plans() const;  // shapes seen so far

  // False, with nothing done, where cuBLASLt has no algorithm for the shape. Throws kernels::Error.
  bool Run(const Product& product, const kernels::Context& context);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace engine::cuda
