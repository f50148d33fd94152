// SPDX-License-Identifier: Apache-2.0
#include "kernels/gemm.h"

#include <algorithm>
#include <limits>

#include "kernels/check.h"
#include "kernels/describe.h"
#include "kernels/element.h"

#if KERNELS_OPENBLAS
#include <cblas.h>
#endif

namespace kernels {

void Check(const GemmArgs& args) {
  constexpr auto kOp = Table<GemmArgs>::op;
  const auto& [m, n, k, dtype, batch] = args.shape;
  const std::size_t a = Elements(kOp, {m, k});
  const std::size_t weight = Elements(kOp, {batch, n, k});
  const std::size_t c = Elements(kOp, {batch, m, n});
  CheckView(kOp, "a", args.a, a, dtype);
  CheckView(kOp, "weight", args.weight, weight, dtype);
  CheckView(kOp, "c", args.c, c, dtype);
  CheckOverlap(kOp, args.c, c, args.a, a, false);
  CheckOverlap(kOp, args.c, c, args.weight, weight, false);
}

std::string_view GemmSupports(const GemmShape& shape) {
  if (shape.k < 1) {
    return "k must be at least 1";
  }
  return shape.batch < 1 ? "batch must be at least 1" : "";
}

namespace {

// The arguments of one weight of a batch.
GemmArgs Single(const GemmArgs& args, std::int64_t index) {
  const auto& [m, n, k, dtype, batch] = args.shape;
  const auto at = [&](auto* data, std::int64_t elements) {
    return data + static_cast<std::size_t>(index * elements) * ByteSize(dtype);
  };
  return {.shape = {m, n, k, dtype},
          .a = args.a,
          .weight = {at(static_cast<const std::byte*>(args.weight.data), n * k),
                     static_cast<std::size_t>(n * k), dtype},
          .c = {at(static_cast<std::byte*>(args.c.data), m * n), static_cast<std::size_t>(m * n),
                dtype}};
}

void MultiplyOne(const GemmArgs& args) {
  constexpr std::int64_t kBlock = 32;
  const std::int64_t m = args.shape.m, n = args.shape.n, k = args.shape.k;
  for (std::int64_t row0 = 0; row0 < m; row0 += kBlock) {
    for (std::int64_t col0 = 0; col0 < n; col0 += kBlock) {
      for (std::int64_t row = row0; row < std::min(row0 + kBlock, m); ++row) {
        for (std::int64_t col = col0; col < std::min(col0 + kBlock, n); ++col) {
          double sum = 0;
          for (std::int64_t i = 0; i < k; ++i) {
            sum += At(args.a, row * k + i) * At(args.weight, col * k + i);
          }
          Put(args.c, row * n + col, sum);
        }
      }
    }
  }
}

}  // namespace

void GemmReference(const GemmArgs& args, const Context&) {
  for (std::int64_t i = 0; i < args.shape.batch; ++i) {
    MultiplyOne(Single(args, i));
  }
}

#if KERNELS_OPENBLAS
std::string_view GemmBlasSupports(const GemmShape& shape) {
  constexpr std::int64_t kLimit = std::numeric_limits<blasint>::max();
  if (std::max({shape.m, shape.n, shape.k}) > kLimit) {
    return "a size does not fit the integer of BLAS";
  }
  return GemmSupports(shape);
}

void GemmBlas(const GemmArgs& args, const Context&) {
  // A second thread pool beside the caller's would oversubscribe the cores.
  [[maybe_unused]] static const bool held = (openblas_set_num_threads(1), true);
  const auto m = static_cast<blasint>(args.shape.m);
  const auto n = static_cast<blasint>(args.shape.n);
  const auto k = static_cast<blasint>(args.shape.k);
  if (m == 0 || n == 0) {
    return;
  }
  for (std::int64_t i = 0; i < args.shape.batch; ++i) {
    const GemmArgs one = Single(args, i);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0f,
                static_cast<const float*>(one.a.data), k,
                static_cast<const float*>(one.weight.data), k, 0.0f,
                static_cast<float*>(one.c.data), n);
  }
}
#else
std::string_view GemmBlasSupports(const GemmShape&) { return "built without OpenBLAS"; }

void GemmBlas(const GemmArgs&, const Context&) { throw Error("gemm: built without OpenBLAS"); }
#endif

std::string Describe(const GemmShape& s) {
  // Names from before there was a batch keep their meaning.
  return s.batch == 1
             ? JoinSizes({{"m", s.m}, {"n", s.n}, {"k", s.k}}, Name(s.dtype))
             : JoinSizes({{"batch", s.batch}, {"m", s.m}, {"n", s.n}, {"k", s.k}}, Name(s.dtype));
}

Cost CostOf(const GemmShape& s) {
  const double elements =
      Product({s.m, s.k}) + Product({s.batch, s.n, s.k}) + Product({s.batch, s.m, s.n});
  return {elements * ByteCount(s.dtype), 2 * Product({s.batch, s.m, s.n, s.k})};
}

}  // namespace kernels
