// SPDX-License-Identifier: Apache-2.0
#include "suites/cuda/cuda_cases.h"

#include <cmath>
#include <cstdint>
#include <span>

namespace suites {

using namespace kernels;  // NOLINT(google-build-using-namespace): this file is about little else

namespace {

constexpr DType kF32 = DType::kF32;
constexpr DType kBf16 = DType::kBf16;
constexpr DType kF16 = DType::kF16;
constexpr DType kF8 = DType::kF8E4M3;

template <class T>
std::span<T> Spare(DevicePool& pool, std::int64_t count) {
  const View view = pool.Output(DType::kU8, count * static_cast<std::int64_t>(sizeof(T)));
  return {static_cast<T*>(view.data), static_cast<std::size_t>(count)};
}

}  // namespace

template <>
std::vector<CopyShape> CudaCases<CopyArgs>() {
  return {{std::int64_t{1} << 27, kF32}, {std::int64_t{1} << 20, kF32}};
}
template <>
CopyArgs BindCuda(const CopyShape& shape, DevicePool& pool, const CopyArgs*) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(shape.dtype, shape.count)};
}

template <>
std::vector<SumShape> CudaCases<SumArgs>() {
  return {{std::int64_t{1} << 27, kF32}};
}
template <>
SumArgs BindCuda(const SumShape& shape, DevicePool& pool, const SumArgs*) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(kF32, 1)};
}

template <>
std::vector<RmsNormShape> CudaCases<RmsNormArgs>() {
  return {{16384, 8192, kBf16}, {32768, 1024, kBf16}, {8192, 4096, kBf16}, {8192, 16384, kBf16},
          {2048, 65536, kBf16}, {8192, 4096, kF32},   {1, 2048, kBf16},    {1, 4096, kBf16},
          {8, 4096, kBf16},     {128, 4096, kBf16},   {512, 257, kF32}};
}
template <>
RmsNormArgs BindCuda(const RmsNormShape& shape, DevicePool& pool, const RmsNormArgs*) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .weight = pool.Input(shape.dtype, shape.cols),
          .y = pool.Output(shape.dtype, all)};
}

template <>
std::vector<ResidualRmsNormShape> CudaCases<ResidualRmsNormArgs>() {
  return {{{16384, 8192, kBf16}}, {{8192, 4096, kBf16}}, {{8192, 4096, kF32}}, {{1, 2048, kBf16}},
          {{1, 4096, kBf16}},     {{8, 4096, kBf16}},    {{128, 4096, kBf16}}};
}
template <>
ResidualRmsNormArgs BindCuda(const ResidualRmsNormShape& shape, DevicePool& pool,
                             const ResidualRmsNormArgs*) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .residual = pool.Input(shape.dtype, all),
          .weight = pool.Input(shape.dtype, shape.cols),
          .sum = pool.Output(shape.dtype, all),
          .y = pool.Output(shape.dtype, all)};
}

template <>
std::vector<SoftmaxShape> CudaCases<SoftmaxArgs>() {
  return {{16384, 8192, kBf16}, {65536, 1024, kBf16}, {8192, 4096, kF32},   {8192, 16384, kF32},
          {4096, 32768, kF32},  {4096, 32768, kBf16}, {1024, 131072, kF32}, {1, 128256, kF32},
          {8, 4096, kF32},      {512, 257, kF32}};
}
template <>
SoftmaxArgs BindCuda(const SoftmaxShape& shape, DevicePool& pool, const SoftmaxArgs*) {
  const std::int64_t all = shape.rows * shape.cols;
  return {shape, pool.Input(shape.dtype, all), pool.Output(shape.dtype, all)};
}

template <>
std::vector<SiluMulShape> CudaCases<SiluMulArgs>() {
  return {{8192, 14336, kBf16},
          {8192, 8192, kF32},
          {1, 8192, kBf16},
          {8, 14336, kBf16},
          {3, 4865, kBf16}};
}
template <>
SiluMulArgs BindCuda(const SiluMulShape& shape, DevicePool& pool, const SiluMulArgs*) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .gate = pool.Input(shape.dtype, all),
          .up = pool.Input(shape.dtype, all),
          .y = pool.Output(shape.dtype, all)};
}

template <>
std::vector<RopeShape> CudaCases<RopeArgs>() {
  return {{16384, 32, 128, kBf16}, {8192, 32, 64, kBf16}, {1, 32, 128, kBf16}};
}
template <>
RopeArgs BindCuda(const RopeShape& shape, DevicePool& pool, const RopeArgs* first) {
  const std::int64_t all = shape.tokens * shape.heads * shape.dim;
  const std::int64_t table = shape.tokens * shape.dim / 2;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .cos = first != nullptr ? first->cos : pool.Input(kF32, table),
          .sin = first != nullptr ? first->sin : pool.Input(kF32, table),
          .positions = pool.Iota(shape.tokens),
          .y = pool.Output(shape.dtype, all)};
}

template <>
std::vector<ConvertShape> CudaCases<ConvertArgs>() {
  constexpr std::int64_t kMany = std::int64_t{1} << 27;
  return {{kMany, kF32},       {kMany, kBf16},      {kMany, kBf16, kF8}, {kMany, kF8, kBf16},
          {kMany, kF32, kF16}, {kMany, kF16, kF32}, {4097, kF32}};
}
template <>
ConvertArgs BindCuda(const ConvertShape& shape, DevicePool& pool, const ConvertArgs*) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(Target(shape), shape.count)};
}

template <>
std::vector<GemvShape> CudaCases<GemvArgs>() {
  return {{128256, 2048, kBf16}, {151936, 896, kBf16}, {28672, 4096, kBf16}, {37888, 3584, kBf16},
          {2048, 2048, kBf16},   {2048, 8192, kBf16},  {16384, 2048, kBf16}, {4096, 4096, kBf16},
          {896, 896, kBf16},     {4096, 14336, kF32},  {257, 136, kBf16}};
}
template <>
GemvArgs BindCuda(const GemvShape& shape, DevicePool& pool, const GemvArgs* first) {
  return {.shape = shape,
          .weight = pool.Input(shape.dtype, shape.n * shape.k),
          .x = first != nullptr ? first->x : pool.Input(kF32, shape.k),
          .y = pool.Output(kF32, shape.n)};
}

template <>
std::vector<LogitsArgmaxShape> CudaCases<LogitsArgmaxArgs>() {
  return {{128256, 2048, kBf16}, {151936, 896, kBf16}, {4099, 136, kBf16}};
}
template <>
LogitsArgmaxArgs BindCuda(const LogitsArgmaxShape& shape, DevicePool& pool,
                          const LogitsArgmaxArgs* first) {
  return {.shape = shape,
          .weight = pool.Input(shape.dtype, shape.vocab * shape.k),
          .x = first != nullptr ? first->x : pool.Input(kF32, shape.k),
          .ids = Spare<std::int32_t>(pool, 1),
          .value = pool.Output(kF32, 1),
          .ok = Spare<std::uint8_t>(pool, 1)};
}

template <>
std::vector<GemvMxfp4Shape> CudaCases<GemvMxfp4Args>() {
  return {{128256, 2048}, {28672, 4096}, {65536, 2880}, {5760, 2880}, {4096, 4096}, {136, 288}};
}
template <>
GemvMxfp4Args BindCuda(const GemvMxfp4Shape& shape, DevicePool& pool, const GemvMxfp4Args* first) {
  const std::int64_t blocks = shape.n * (shape.k / kMxfp4Block);
  return {.shape = shape,
          .blocks = pool.Input(DType::kU8, blocks * (kMxfp4Block / 2)),
          .scales = pool.Scales(blocks),
          .x = first != nullptr ? first->x : pool.Input(kF32, shape.k),
          .y = pool.Output(kF32, shape.n)};
}

template <>
std::vector<DecodeAttentionShape> CudaCases<DecodeAttentionArgs>() {
  return {{16384, 32, 8, 128, kBf16, 8}, {32768, 14, 2, 64, kBf16, 8}, {32768, 32, 8, 128, kBf16},
          {32768, 32, 8, 64, kBf16},     {4096, 32, 8, 128, kBf16},    {4096, 32, 8, 64, kBf16},
          {256, 32, 8, 64, kBf16},       {17, 32, 8, 64, kBf16},       {257, 14, 2, 64, kBf16},
          {8192, 32, 8, 128, kF32}};
}
template <>
DecodeAttentionArgs BindCuda(const DecodeAttentionShape& shape, DevicePool& pool,
                             const DecodeAttentionArgs* first) {
  const std::int64_t cache = shape.batch * Capacity(shape) * shape.kv_heads * shape.dim;
  const std::int64_t queries = shape.batch * shape.heads * shape.dim;
  return {.shape = shape,
          .scale = 1.0f / std::sqrt(static_cast<float>(shape.dim)),
          .q = first != nullptr ? first->q : pool.Input(kF32, queries),
          .k = pool.Input(shape.dtype, cache),
          .v = pool.Input(shape.dtype, cache),
          .out = pool.Output(kF32, queries)};
}

template <>
std::vector<ArgmaxShape> CudaCases<ArgmaxArgs>() {
  return {{1, 128256, kF32}, {8, 151936, kF32}};
}
template <>
ArgmaxArgs BindCuda(const ArgmaxShape& shape, DevicePool& pool, const ArgmaxArgs*) {
  return {shape, pool.Input(shape.dtype, shape.rows * shape.cols),
          Spare<std::int32_t>(pool, shape.rows), Spare<std::uint8_t>(pool, shape.rows)};
}

template <>
std::vector<TopKShape> CudaCases<TopKArgs>() {
  return {{1, 128256, 50, kF32}, {8, 151936, 50, kF32}, {1, 128256, 1024, kF32}};
}
template <>
TopKArgs BindCuda(const TopKShape& shape, DevicePool& pool, const TopKArgs*) {
  return {.shape = shape,
          .x = pool.Input(shape.dtype, shape.rows * shape.cols),
          .ids = Spare<std::int32_t>(pool, shape.rows * shape.k),
          .values = Spare<float>(pool, shape.rows * shape.k),
          .ok = Spare<std::uint8_t>(pool, shape.rows)};
}

template <>
std::vector<SampleShape> CudaCases<SampleArgs>() {
  return {{1, 128256, 50}, {8, 151936, 50}};
}
template <>
SampleArgs BindCuda(const SampleShape& shape, DevicePool& pool, const SampleArgs*) {
  return {.shape = shape,
          .temperature = 0.8f,
          .top_p = 0.95f,
          .seed = 7,
          .step = 0,
          .logits = pool.Input(shape.dtype, shape.rows * shape.cols),
          .ids = Spare<std::int32_t>(pool, shape.rows),
          .probability = Spare<float>(pool, shape.rows)};
}

template <>
std::vector<RopeAppendShape> CudaCases<RopeAppendArgs>() {
  return {{16384, 32, 8, 128, kBf16}, {16384, 32, 8, 64, kBf16},   {8192, 14, 2, 64, kBf16},
          {1, 32, 8, 128, kBf16},     {1, 32, 8, 64, kF32, kBf16}, {8, 32, 8, 128, kBf16}};
}
template <>
RopeAppendArgs BindCuda(const RopeAppendShape& shape, DevicePool& pool,
                        const RopeAppendArgs* first) {
  const std::int64_t q = shape.tokens * shape.heads * shape.dim;
  const std::int64_t kv = shape.tokens * shape.kv_heads * shape.dim;
  const std::int64_t table = shape.tokens * shape.dim / 2;
  return {.shape = shape,
          .qkv = pool.Input(shape.dtype, q + 2 * kv),
          .cos = first != nullptr ? first->cos : pool.Input(kF32, table),
          .sin = first != nullptr ? first->sin : pool.Input(kF32, table),
          .positions = pool.Iota(shape.tokens),
          .slots = pool.Iota(shape.tokens),
          .q = pool.Output(shape.dtype, q),
          .k_cache = pool.Output(CacheDType(shape), kv),
          .v_cache = pool.Output(CacheDType(shape), kv)};
}

// The last two: feed-forward gate and up of Llama-8B, and of Llama-1B with one prompt.
template <>
std::vector<GemmShape> CudaCases<GemmArgs>() {
  return {{4096, 4096, 4096, kBf16}, {8192, 8192, 8192, kBf16},    {512, 2048, 2048, kBf16},
          {512, 2048, 8192, kBf16},  {128, 6144, 4096, kBf16},     {8, 4096, 4096, kBf16},
          {512, 2048, 2048, kF32},   {128, 14336, 4096, kBf16, 2}, {32, 8192, 2048, kBf16, 2}};
}
template <>
GemmArgs BindCuda(const GemmShape& shape, DevicePool& pool, const GemmArgs*) {
  return {.shape = shape,
          .a = pool.Input(shape.dtype, shape.m * shape.k),
          .weight = pool.Input(shape.dtype, shape.batch * shape.n * shape.k),
          .c = pool.Output(shape.dtype, shape.batch * shape.m * shape.n)};
}

}  // namespace suites
