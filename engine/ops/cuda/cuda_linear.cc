// SPDX-License-Identifier: Apache-2.0
// The products of CudaOps: which way each goes, and what is fused on that way.
#include <algorithm>

#include "engine/index.h"
#include "engine/ops/cuda/cuda_ops.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/views.h"
#include "kernels/cuda/registry.h"

namespace engine::cuda {
namespace {

using kernels::Bf16;
using kernels::Context;
using kernels::cuda::Find;

// Up to here MXFP4 rows are multiplied one by one: a tile of bf16 weights is written and read
// again, 2 x 16 bits where MXFP4 has 4.25, so eight rows cost about as much either way.
constexpr std::int64_t kMostMxfp4Rows = 8;
constexpr std::size_t kTileBytes = std::size_t{64} << 20;  // of dequantised weights
constexpr std::int64_t kTileRows = 16;                     // a tile is a multiple of

}  // namespace

CudaOps::Way CudaOps::WayOf(const Weight& weight, std::int64_t rows) {
  const bool mxfp4 = weight.data.dtype == DType::kU8;
  const bool product = rows == 1 ? options_.gemv == Gemv::kCublasLt && !mxfp4
                                 : options_.gemm != Gemm::kOwn && (!mxfp4 || rows > kMostMxfp4Rows);
  if (product) {
    return Way::kProduct;
  }
  return options_.gemv != Gemv::kReference && TakesGemv(weight, ContextOf(0)) ? Way::kGemv
                                                                              : Way::kRows;
}

bool CudaOps::AllGo(std::span<const Weight> parts, std::int64_t rows, Way way) {
  return std::ranges::all_of(parts, [&](const Weight& part) { return WayOf(part, rows) == way; });
}

const Bf16* CudaOps::HalfOf(Rows x) {
  auto* const half = reinterpret_cast<Bf16*>(Grown(halves_, x.count() * sizeof(Bf16)));
  if (half_of_ != x.data || half_count_ != x.count()) {
    const kernels::ConvertShape shape{static_cast<std::int64_t>(x.count()), DType::kF32,
                                      DType::kBf16};
    kernels::cuda::Run(*Find<kernels::ConvertArgs>("vector"),
                       kernels::ConvertArgs{shape, Floats(x), {half, x.count(), DType::kBf16}},
                       queue_);
    half_of_ = x.data;
    half_count_ = x.count();
  }
  return half;
}

// Each row by itself, without what gemv.h would fuse.
void CudaOps::MultiplyRows(Rows x, const Weight& weight, const Target& to) {
  const bool reference = options_.gemv == Gemv::kReference;
  for (std::int64_t row = 0; row < x.rows; ++row) {
    const ConstView in = Floats(Piece(x, row, 1));
    float* const end = to.data + row * to.row;
    float* out = end;
    if (to.add) {
      out = reinterpret_cast<float*>(Grown(tile_, Index(weight.n) * sizeof(float)));
    }
    const View y{out, Index(weight.n), DType::kF32};
    if (weight.data.dtype == DType::kU8) {
      kernels::cuda::Run(
          *Find<kernels::GemvMxfp4Args>(reference ? "reference" : "vector"),
          kernels::GemvMxfp4Args{{weight.n, weight.k}, weight.data, weight.scales, in, y}, queue_);
    } else {
      kernels::cuda::Run(
          *Find<kernels::GemvArgs>(reference ? "reference" : "vector"),
          kernels::GemvArgs{{weight.n, weight.k, weight.data.dtype}, weight.data, in, y}, queue_);
    }
    if (weight.bias.count != 0) {
      AddBias(weight.bias, out, 1, weight.n, ContextOf(0));
    }
    if (to.add) {
      AddRows({out, 1, weight.n}, {end, 1, weight.n}, ContextOf(0));
    }
  }
}

bool CudaOps::MultiplyMxfp4(Rows x, const Bf16* half, const Weight& weight, const Target& to) {
  const std::int64_t fit = static_cast<std::int64_t>(kTileBytes / sizeof(Bf16)) / weight.k;
  const std::int64_t most = std::max(kTileRows, fit / kTileRows * kTileRows);
  const std::int64_t tile_rows = std::min(weight.n, most);
  auto* const tile =
      reinterpret_cast<Bf16*>(Grown(tile_, Index(tile_rows * weight.k) * sizeof(Bf16)));
  const Context context = ContextOf(products_.workspace_bytes());
  for (std::int64_t first = 0; first < weight.n; first += tile_rows) {
    const std::int64_t rows = std::min(tile_rows, weight.n - first);
    DequantizeRows(weight, first, rows, tile, context);
    const Product product{half,     {tile, Index(rows * weight.k), DType::kBf16},
                          x.rows,   rows,
                          weight.k, to.data + first,
                          to.row,   to.add};
    // The first tile is as the others, or none is done.
    if (!products_.Run(product, context)) {
      if (first == 0) {
        return false;
      }
      throw kernels::Error("cuBLASLt has no algorithm for the last rows of a weight");
    }
  }
  return true;
}

bool CudaOps::MultiplyTogether(Rows x, const Bf16* half, const Weight& weight, const Target& to) {
  bool done = false;
  if (weight.data.dtype == DType::kU8) {
    done = MultiplyMxfp4(x, half, weight, to);
  } else {
    const void* const a =
        weight.data.dtype == DType::kF32 ? static_cast<const void*>(x.data) : half;
    done = products_.Run({a, weight.data, x.rows, weight.n, weight.k, to.data, to.row, to.add},
                         ContextOf(products_.workspace_bytes()));
  }
  if (done && weight.bias.count != 0) {
    AddBias(weight.bias, to.data, x.rows, to.row, ContextOf(0));
  }
  return done;
}

void CudaOps::Multiply(Rows x, const Weight& weight, const Target& to) {
  switch (WayOf(weight, x.rows)) {
    case Way::kProduct: {
      const Bf16* const half = weight.data.dtype == DType::kF32 ? nullptr : HalfOf(x);
      if (MultiplyTogether(x, half, weight, to)) {
        return;
      }
      break;
    }
    case Way::kGemv:
      for (std::int64_t row = 0; row < x.rows; ++row) {
        RunGemv({.weight = &weight,
                 .x = x.data + row * x.cols,
                 .y = to.data + row * to.row,
                 .end = to.add ? GemvEnd::kAdd : GemvEnd::kStore},
                ContextOf(0));
      }
      return;
    case Way::kRows:
      break;
  }
  MultiplyRows(x, weight, to);
}

void CudaOps::Linear(Rows x, std::span<const Weight> parts, Rows y) {
  half_of_ = nullptr;
  Do("a product", [&] {
    float* out = y.data;
    for (const Weight& part : parts) {
      Multiply(x, part, {out, y.cols, false});
      out += part.n;
    }
  });
  half_of_ = nullptr;  // x may be uploaded anew
}

void CudaOps::NormLinear(Rows x, ConstView weight, float eps, std::span<const Weight> parts,
                         Rows norm, Rows y) {
  half_of_ = nullptr;
  const bool bf16 = std::ranges::all_of(
      parts, [](const Weight& part) { return part.data.dtype == DType::kBf16; });
  if (options_.fuse_norm != Toggle::kOff && AllGo(parts, x.rows, Way::kGemv)) {
    Do("norm and product", [&] {
      for (std::int64_t row = 0; row < x.rows; ++row) {
        float* out = y.data + row * y.cols;
        for (const Weight& part : parts) {
          RunGemv({.weight = &part,
                   .x = x.data + row * x.cols,
                   .norm = static_cast<const float*>(weight.data),
                   .eps = eps,
                   .y = out},
                  ContextOf(0));
          out += part.n;
        }
      }
    });
    return;
  }
  if (bf16 && AllGo(parts, x.rows, Way::kProduct) && TakesNormToBf16(x, weight)) {
    const bool done = Do("norm and product", [&] {
      auto* const half = reinterpret_cast<Bf16*>(Grown(halves_, x.count() * sizeof(Bf16)));
      NormToBf16(x, weight, eps, half, ContextOf(0));
      float* out = y.data;
      for (const Weight& part : parts) {
        if (!MultiplyTogether(x, half, part, {out, y.cols, false})) {
          return false;
        }
        out += part.n;
      }
      return true;
    });
    if (done) {
      return;
    }
  }
  Ops::NormLinear(x, weight, eps, parts, norm, y);
}

void CudaOps::NormGateUpSilu(Rows x, ConstView weight, float eps, std::span<const Weight> parts,
                             Rows norm, Rows gate_up, Rows y) {
  half_of_ = nullptr;
  if (parts.size() == 1 && parts[0].bias.count == 0 && AllGo(parts, x.rows, Way::kGemv)) {
    const bool fuse = options_.fuse_norm != Toggle::kOff;
    if (!fuse) {
      RmsNorm(x, weight, eps, norm);
    }
    Do("gate and up", [&] {
      const Rows from = fuse ? x : norm;
      for (std::int64_t row = 0; row < x.rows; ++row) {
        RunGemv({.weight = &parts[0],
                 .x = from.data + row * from.cols,
                 .norm = fuse ? static_cast<const float*>(weight.data) : nullptr,
                 .eps = eps,
                 .y = y.data + row * y.cols,
                 .end = GemvEnd::kSilu},
                ContextOf(0));
      }
    });
    return;
  }
  NormLinear(x, weight, eps, parts, norm, gate_up);
  Do("silu", [&] {
    // What follows is a product of y in bf16, unless the weights are f32.
    const bool half = AllGo(parts, x.rows, Way::kProduct) && parts[0].data.dtype != DType::kF32;
    auto* const to =
        half ? reinterpret_cast<Bf16*>(Grown(halves_, y.count() * sizeof(Bf16))) : nullptr;
    SiluMulRows(gate_up, y, to, ContextOf(0));
    half_of_ = half ? y.data : nullptr;
    half_count_ = y.count();
  });
}

void CudaOps::LinearResidual(Rows x, const Weight& weight, Rows, Rows sum) {
  Do("product and sum", [&] { Multiply(x, weight, {sum.data, sum.cols, true}); });
  half_of_ = nullptr;
}

}  // namespace engine::cuda
