// SPDX-License-Identifier: Apache-2.0
// kernel_arguments.h: the arguments of each op for one shape, on the memory of a suite's pool
//
// ArgumentsOf(shape, pool, first): `pool` is a Pool (cpu/pool.h) or a DevicePool
// (cuda/device_pool.h); the arguments are valid until it rewinds. What a model keeps in the cache
// between calls (activations of one token, tables) is taken from `first`, the first call's
// arguments, where there is one; everything else is new memory. The order in which buffers are
// taken decides their addresses.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/registry.h"

namespace suites {

template <class Pool>
kernels::CopyArgs ArgumentsOf(const kernels::CopyShape& shape, Pool& pool,
                              const kernels::CopyArgs* = nullptr) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(shape.dtype, shape.count)};
}

template <class Pool>
kernels::SumArgs ArgumentsOf(const kernels::SumShape& shape, Pool& pool,
                             const kernels::SumArgs* = nullptr) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(kernels::DType::kF32, 1)};
}

template <class Pool>
kernels::RmsNormArgs ArgumentsOf(const kernels::RmsNormShape& shape, Pool& pool,
                                 const kernels::RmsNormArgs* = nullptr) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .weight = pool.Input(shape.dtype, shape.cols),
          .y = pool.Output(shape.dtype, all)};
}

template <class Pool>
kernels::ResidualRmsNormArgs ArgumentsOf(const kernels::ResidualRmsNormShape& shape, Pool& pool,
                                         const kernels::ResidualRmsNormArgs* = nullptr) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .residual = pool.Input(shape.dtype, all),
          .weight = pool.Input(shape.dtype, shape.cols),
          .sum = pool.Output(shape.dtype, all),
          .y = pool.Output(shape.dtype, all)};
}

template <class Pool>
kernels::SoftmaxArgs ArgumentsOf(const kernels::SoftmaxShape& shape, Pool& pool,
                                 const kernels::SoftmaxArgs* = nullptr) {
  const std::int64_t all = shape.rows * shape.cols;
  return {shape, pool.Input(shape.dtype, all), pool.Output(shape.dtype, all)};
}

template <class Pool>
kernels::SiluMulArgs ArgumentsOf(const kernels::SiluMulShape& shape, Pool& pool,
                                 const kernels::SiluMulArgs* = nullptr) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .gate = pool.Input(shape.dtype, all),
          .up = pool.Input(shape.dtype, all),
          .y = pool.Output(shape.dtype, all)};
}

template <class Pool>
kernels::RopeArgs ArgumentsOf(const kernels::RopeShape& shape, Pool& pool,
                              const kernels::RopeArgs* first = nullptr) {
  const std::int64_t all = shape.tokens * shape.heads * shape.dim;
  const std::int64_t table = shape.tokens * shape.dim / 2;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .cos = first != nullptr ? first->cos : pool.Input(kernels::DType::kF32, table),
          .sin = first != nullptr ? first->sin : pool.Input(kernels::DType::kF32, table),
          .positions = pool.Indices(shape.tokens),
          .y = pool.Output(shape.dtype, all)};
}

template <class Pool>
kernels::RopeAppendArgs ArgumentsOf(const kernels::RopeAppendShape& shape, Pool& pool,
                                    const kernels::RopeAppendArgs* first = nullptr) {
  const std::int64_t q = shape.tokens * shape.heads * shape.dim;
  const std::int64_t kv = shape.tokens * shape.kv_heads * shape.dim;
  const std::int64_t table = shape.tokens * shape.dim / 2;
  return {.shape = shape,
          .qkv = pool.Input(shape.dtype, q + 2 * kv),
          .cos = first != nullptr ? first->cos : pool.Input(kernels::DType::kF32, table),
          .sin = first != nullptr ? first->sin : pool.Input(kernels::DType::kF32, table),
          .positions = pool.Indices(shape.tokens),
          .slots = pool.Indices(shape.tokens),
          .q = pool.Output(shape.dtype, q),
          .k_cache = pool.Output(CacheDType(shape), kv),
          .v_cache = pool.Output(CacheDType(shape), kv)};
}

template <class Pool>
kernels::ConvertArgs ArgumentsOf(const kernels::ConvertShape& shape, Pool& pool,
                                 const kernels::ConvertArgs* = nullptr) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(Target(shape), shape.count)};
}

template <class Pool>
kernels::GemvArgs ArgumentsOf(const kernels::GemvShape& shape, Pool& pool,
                              const kernels::GemvArgs* first = nullptr) {
  return {.shape = shape,
          .weight = pool.Input(shape.dtype, shape.n * shape.k),
          .x = first != nullptr ? first->x : pool.Input(kernels::DType::kF32, shape.m * shape.k),
          .y = pool.Output(kernels::DType::kF32, shape.m * shape.n)};
}

template <class Pool>
kernels::GemvMxfp4Args ArgumentsOf(const kernels::GemvMxfp4Shape& shape, Pool& pool,
                                   const kernels::GemvMxfp4Args* first = nullptr) {
  const std::int64_t blocks = shape.n * (shape.k / kernels::kMxfp4Block);
  return {.shape = shape,
          .blocks = pool.Codes(blocks * (kernels::kMxfp4Block / 2)),
          .scales = pool.Scales(blocks),
          .x = first != nullptr ? first->x : pool.Input(kernels::DType::kF32, shape.k),
          .y = pool.Output(kernels::DType::kF32, shape.n)};
}

template <class Pool>
kernels::LogitsArgmaxArgs ArgumentsOf(const kernels::LogitsArgmaxShape& shape, Pool& pool,
                                      const kernels::LogitsArgmaxArgs* first = nullptr) {
  return {.shape = shape,
          .weight = pool.Input(shape.dtype, shape.vocab * shape.k),
          .x = first != nullptr ? first->x : pool.Input(kernels::DType::kF32, shape.k),
          .ids = pool.template Outputs<std::int32_t>(1),
          .value = pool.Output(kernels::DType::kF32, 1),
          .ok = pool.template Outputs<std::uint8_t>(1)};
}

template <class Pool>
kernels::DecodeAttentionArgs ArgumentsOf(const kernels::DecodeAttentionShape& shape, Pool& pool,
                                         const kernels::DecodeAttentionArgs* first = nullptr) {
  const std::int64_t cache = shape.batch * Capacity(shape) * shape.kv_heads * shape.dim;
  const std::int64_t queries = shape.batch * shape.heads * shape.dim;
  return {.shape = shape,
          .scale = 1.0f / std::sqrt(static_cast<float>(shape.dim)),
          .q = first != nullptr ? first->q : pool.Input(kernels::DType::kF32, queries),
          .k = pool.Input(shape.dtype, cache),
          .v = pool.Input(shape.dtype, cache),
          .out = pool.Output(kernels::DType::kF32, queries)};
}

template <class Pool>
kernels::ArgmaxArgs ArgumentsOf(const kernels::ArgmaxShape& shape, Pool& pool,
                                const kernels::ArgmaxArgs* = nullptr) {
  return {shape, pool.Input(shape.dtype, shape.rows * shape.cols),
          pool.template Outputs<std::int32_t>(shape.rows),
          pool.template Outputs<std::uint8_t>(shape.rows)};
}

template <class Pool>
kernels::TopKArgs ArgumentsOf(const kernels::TopKShape& shape, Pool& pool,
                              const kernels::TopKArgs* = nullptr) {
  return {.shape = shape,
          .x = pool.Input(shape.dtype, shape.rows * shape.cols),
          .ids = pool.template Outputs<std::int32_t>(shape.rows * shape.k),
          .values = pool.template Outputs<float>(shape.rows * shape.k),
          .ok = pool.template Outputs<std::uint8_t>(shape.rows)};
}

template <class Pool>
kernels::SampleArgs ArgumentsOf(const kernels::SampleShape& shape, Pool& pool,
                                const kernels::SampleArgs* = nullptr) {
  return {.shape = shape,
          .temperature = 0.8f,
          .top_p = Pool::kTopP,
          .seed = Pool::kSeed,
          .step = 0,
          .logits = pool.Input(shape.dtype, shape.rows * shape.cols),
          .ids = pool.template Outputs<std::int32_t>(shape.rows),
          .probability = pool.template Outputs<float>(shape.rows)};
}

template <class Pool>
kernels::GemmArgs ArgumentsOf(const kernels::GemmShape& shape, Pool& pool,
                              const kernels::GemmArgs* = nullptr) {
  return {.shape = shape,
          .a = pool.Input(shape.dtype, shape.m * shape.k),
          .weight = pool.Input(shape.dtype, shape.batch * shape.n * shape.k),
          .c = pool.Output(shape.dtype, shape.batch * shape.m * shape.n)};
}

}  // namespace suites
