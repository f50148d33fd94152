// SPDX-License-Identifier: Apache-2.0
// What is done to rows of activations one element or one head at a time.
#include <algorithm>

#include "engine/ops/cuda/kernels.h"
#include "kernels/cuda/dot/mxfp4.cuh"
#include "kernels/cuda/rows/norm.cuh"
#include "kernels/cuda/rows/silu.cuh"
#include "kernels/cuda/runtime/element.cuh"
#include "kernels/cuda/runtime/launch.cuh"

namespace engine::cuda {
namespace {

using kernels::cuda::CeilDiv;
using kernels::cuda::ForFloatOrBf16;
using kernels::cuda::FromFloat;
using kernels::cuda::Grid;
using kernels::cuda::LetNextStart;
using kernels::cuda::Tag;
using kernels::cuda::ToFloat;
using kernels::cuda::WaitForPrevious;

constexpr int kThreads = 256;
constexpr int kMostThreads = 1024;

// One block per row.
template <class T>
__global__ void __launch_bounds__(kThreads)
    EmbedKernel(const T* table, std::int64_t vocab, std::int64_t cols, const std::int32_t* tokens,
                float* x) {
  LetNextStart();
  WaitForPrevious();
  const std::int64_t token = tokens[blockIdx.x];
  const bool valid = token >= 0 && token < vocab;
  float* const to = x + blockIdx.x * cols;
  for (std::int64_t i = threadIdx.x; i < cols; i += kThreads) {
    to[i] = valid ? ToFloat(table[token * cols + i]) : __int_as_float(0x7fffffff);
  }
}

// One block per row, a quad of columns per thread and turn; cols: a multiple of 4.
__global__ void __launch_bounds__(kMostThreads)
    NormKernel(const float4* x, const float4* weight, int quads, float eps, uint2* y) {
  __shared__ float scratch[kernels::cuda::kWarp];
  LetNextStart();
  const auto thread = static_cast<int>(threadIdx.x);
  const auto threads = static_cast<int>(blockDim.x);
  const float4 w = thread < quads ? weight[thread] : float4{};  // at rest
  WaitForPrevious();
  const float4* const from = x + blockIdx.x * static_cast<std::int64_t>(quads);
  uint2* const to = y + blockIdx.x * static_cast<std::int64_t>(quads);
  const float4 first = thread < quads ? from[thread] : float4{};
  float sum = 0;
  for (int i = thread; i < quads; i += threads) {
    const float4 v = i == thread ? first : from[i];
    sum = fmaf(v.x, v.x, fmaf(v.y, v.y, fmaf(v.z, v.z, fmaf(v.w, v.w, sum))));
  }
  sum = kernels::cuda::OverBlock(sum, 0.0F, kernels::cuda::Plus{}, scratch);
  const float inverse =
      kernels::cuda::norm::InverseRms(sum, 1.0F / static_cast<float>(4 * quads), eps);
  for (int i = thread; i < quads; i += threads) {
    const float4 v = i == thread ? first : from[i];
    const float4 scale = i == thread ? w : weight[i];
    const __nv_bfloat162 low =
        __floats2bfloat162_rn(v.x * inverse * scale.x, v.y * inverse * scale.y);
    const __nv_bfloat162 high =
        __floats2bfloat162_rn(v.z * inverse * scale.z, v.w * inverse * scale.w);
    to[i] = {reinterpret_cast<const std::uint32_t&>(low),
             reinterpret_cast<const std::uint32_t&>(high)};
  }
}

// One block per row and head, of q, k and v.
template <class C>
__global__ void RopeKernel(AttentionShape shape, const float* cos, const float* sin, RowInfo info,
                           float* qkv, C* k, C* v) {
  LetNextStart();
  WaitForPrevious();
  const auto heads = static_cast<unsigned>(shape.heads);
  const auto kv_heads = static_cast<unsigned>(shape.kv_heads);
  const unsigned all = heads + 2 * kv_heads;
  const std::int64_t row = blockIdx.x / all;
  const unsigned head = blockIdx.x % all;
  const int half = static_cast<int>(shape.dim / 2);
  const std::int64_t position = info.positions[row];
  float* const x = qkv + static_cast<std::int64_t>(blockIdx.x) * shape.dim;
  const bool is_q = head < heads;
  const bool is_v = head >= heads + kv_heads;
  C* to = nullptr;
  if (!is_q) {
    const unsigned of_kind = head - heads - (is_v ? kv_heads : 0);
    const std::int64_t slot = info.sequences[row] * shape.capacity + position;
    to = (is_v ? v : k) + (slot * kv_heads + of_kind) * shape.dim;
  }
  for (int i = static_cast<int>(threadIdx.x); i < half; i += static_cast<int>(blockDim.x)) {
    const float a = x[i];
    const float b = x[i + half];
    if (is_v) {
      to[i] = FromFloat<C>(a);
      to[i + half] = FromFloat<C>(b);
      continue;
    }
    const float c = cos[position * half + i];
    const float s = sin[position * half + i];
    const float low = a * c - b * s;
    const float high = b * c + a * s;
    if (is_q) {
      x[i] = low;
      x[i + half] = high;
    } else {
      to[i] = FromFloat<C>(low);
      to[i + half] = FromFloat<C>(high);
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    SiluKernel(const float* gate_up, std::int64_t count, std::int64_t cols, float* y,
               __nv_bfloat16* half) {
  LetNextStart();
  WaitForPrevious();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count) {
    return;
  }
  const std::int64_t at = i / cols * 2 * cols + i % cols;
  const float value = kernels::cuda::SiluMul(gate_up[at], gate_up[at + cols]);
  y[i] = value;
  if (half != nullptr) {
    half[i] = __float2bfloat16_rn(value);
  }
}

__global__ void __launch_bounds__(kThreads)
    AddKernel(const float* x, std::int64_t count, float* sum) {
  LetNextStart();
  WaitForPrevious();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) {
    sum[i] += x[i];
  }
}

__global__ void __launch_bounds__(kThreads)
    BiasKernel(const float* bias, std::int64_t n, std::int64_t count, float* y,
               std::int64_t y_row) {
  LetNextStart();
  WaitForPrevious();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) {
    y[i / n * y_row + i % n] += bias[i % n];
  }
}

// One thread per byte of codes.
__global__ void __launch_bounds__(kThreads)
    DequantizeKernel(const std::uint8_t* codes, const std::uint8_t* scales, std::int64_t count,
                     __nv_bfloat162* to) {
  LetNextStart();
  WaitForPrevious();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count) {
    return;
  }
  const float scale = kernels::cuda::DecodeScale(scales[i / 16]);
  const auto value = [scale](unsigned code) {
    const unsigned exponent = code >> 1 & 3U;
    const float fraction = 0.5F * static_cast<float>(code & 1U);
    const float magnitude =
        exponent == 0 ? fraction : (1.0F + fraction) * static_cast<float>(1U << (exponent - 1));
    return (code & 8U) != 0 ? -magnitude * scale : magnitude * scale;
  };
  const unsigned both = codes[i];
  to[i] = __floats2bfloat162_rn(value(both & 15U), value(both >> 4));
}

template <class... Parameters, class... Args>
void Start(const char* name, const Context& context, std::int64_t blocks, int threads,
           void (*kernel)(Parameters...), Args... args) {
  if (blocks > 0) {
    const Grid grid{.blocks = blocks, .threads = threads, .early = true};
    kernels::cuda::Launch(name, context, grid, kernel, args...);
  }
}

std::int64_t BlocksFor(std::int64_t count) { return CeilDiv(count, kThreads); }

__nv_bfloat16* Device(Bf16* half) { return reinterpret_cast<__nv_bfloat16*>(half); }

const float* Floats(ConstView view) { return static_cast<const float*>(view.data); }

}  // namespace

void EmbedRows(const Weight& table, const std::int32_t* tokens, Rows x, const Context& context) {
  if (x.rows == 0) {
    return;
  }
  const Grid grid{.blocks = x.rows, .threads = kThreads, .early = false};
  ForFloatOrBf16(table.data.dtype, [&]<class T>(Tag<T>) {
    kernels::cuda::Launch("embed", context, grid, &EmbedKernel<T>,
                          static_cast<const T*>(table.data.data), table.n, x.cols, tokens, x.data);
  });
}

bool TakesNormToBf16(Rows x, ConstView weight) {
  const auto aligned = [](const void* data) {
    return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  };
  return x.cols % 4 == 0 && aligned(x.data) && aligned(weight.data);
}

void NormToBf16(Rows x, ConstView weight, float eps, Bf16* y, const Context& context) {
  const std::int64_t quads = x.cols / 4;
  const auto threads =
      static_cast<int>(std::clamp<std::int64_t>(CeilDiv(quads, 32) * 32, kThreads, kMostThreads));
  Start("norm to bf16", context, x.rows, threads, &NormKernel,
        reinterpret_cast<const float4*>(x.data), reinterpret_cast<const float4*>(Floats(weight)),
        static_cast<int>(quads), eps, reinterpret_cast<uint2*>(y));
}

void RopeAppend(const AttentionShape& shape, const RopeTable& table, const RowInfo& info, Rows qkv,
                const KvLayer& cache, const Context& context) {
  const auto threads =
      static_cast<int>(std::clamp<std::int64_t>(CeilDiv(shape.dim, 64) * 32, 32, kThreads));
  ForFloatOrBf16(cache.k.dtype, [&]<class C>(Tag<C>) {
    Start("rope and append", context, qkv.rows * (shape.heads + 2 * shape.kv_heads), threads,
          &RopeKernel<C>, shape, Floats(table.cos), Floats(table.sin), info, qkv.data,
          static_cast<C*>(cache.k.data), static_cast<C*>(cache.v.data));
  });
}

void SiluMulRows(Rows gate_up, Rows y, Bf16* half, const Context& context) {
  const std::int64_t count = y.rows * y.cols;
  Start("silu_mul", context, BlocksFor(count), kThreads, &SiluKernel, gate_up.data, count, y.cols,
        y.data, Device(half));
}

void AddRows(Rows x, Rows sum, const Context& context) {
  const std::int64_t count = x.rows * x.cols;
  Start("add", context, BlocksFor(count), kThreads, &AddKernel, x.data, count, sum.data);
}

void AddBias(ConstView bias, float* y, std::int64_t rows, std::int64_t y_row,
             const Context& context) {
  const auto n = static_cast<std::int64_t>(bias.count);
  Start("bias", context, BlocksFor(rows * n), kThreads, &BiasKernel, Floats(bias), n, rows * n, y,
        y_row);
}

void DequantizeRows(const Weight& weight, std::int64_t first, std::int64_t rows, Bf16* to,
                    const Context& context) {
  const std::int64_t row_bytes = weight.k / 2;
  Start("dequantize", context, BlocksFor(rows * row_bytes), kThreads, &DequantizeKernel,
        static_cast<const std::uint8_t*>(weight.data.data) + first * row_bytes,
        static_cast<const std::uint8_t*>(weight.scales.data) + first * row_bytes / 16,
        rows * row_bytes, reinterpret_cast<__nv_bfloat162*>(to));
}

}  // namespace engine::cuda
