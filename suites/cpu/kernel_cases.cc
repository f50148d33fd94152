// SPDX-License-Identifier: Apache-2.0
#include "suites/cpu/kernel_cases.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

namespace suites {

using namespace kernels;  // NOLINT(google-build-using-namespace): this file is about little else

namespace {

constexpr DType kF32 = DType::kF32;
constexpr DType kBf16 = DType::kBf16;

// Outputs that are indices: the bytes of a float output.
std::span<std::int32_t> Ids(Pool& pool, std::int64_t count) {
  return {static_cast<std::int32_t*>(pool.Output(kF32, count).data),
          static_cast<std::size_t>(count)};
}
std::span<std::uint8_t> Flags(Pool& pool, std::int64_t count) {
  return {static_cast<std::uint8_t*>(pool.Output(kF32, count).data),
          static_cast<std::size_t>(count)};
}
std::span<float> Floats(View view) { return {static_cast<float*>(view.data), view.count}; }

constexpr std::size_t kMaxTokens = 128;
constexpr std::array<std::int32_t, kMaxTokens> kPositions = [] {
  std::array<std::int32_t, kMaxTokens> positions{};
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}();

// MXFP4 scales of 2^0.
constexpr std::size_t kMaxBlocks = 512;
constexpr std::array<std::uint8_t, kMaxBlocks> kUnitScales = [] {
  std::array<std::uint8_t, kMaxBlocks> scales{};
  scales.fill(127);
  return scales;
}();

}  // namespace

template <>
std::vector<Case<CopyShape>> Cases<CopyArgs>() {
  return {{{65536, kF32}}, {{1048576, kF32}}};
}
template <>
CopyArgs Bind(const CopyShape& shape, Pool& pool) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(shape.dtype, shape.count)};
}

template <>
std::vector<Case<SumShape>> Cases<SumArgs>() {
  return {{{65536, kF32}}, {{1048576, kF32}}};
}
template <>
SumArgs Bind(const SumShape& shape, Pool& pool) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(kF32, 1)};
}

template <>
std::vector<Case<RmsNormShape>> Cases<RmsNormArgs>() {
  return {{{256, 4096, kF32}}, {{256, 4096, kBf16}}, {{64, 257, kF32}, true}};
}
template <>
RmsNormArgs Bind(const RmsNormShape& shape, Pool& pool) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .weight = pool.Input(shape.dtype, shape.cols),
          .y = pool.Output(shape.dtype, all)};
}

template <>
std::vector<Case<ResidualRmsNormShape>> Cases<ResidualRmsNormArgs>() {
  return {{{{128, 4096, kF32}}}, {{{128, 4096, kBf16}}}};
}
template <>
ResidualRmsNormArgs Bind(const ResidualRmsNormShape& shape, Pool& pool) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .residual = pool.Input(shape.dtype, all),
          .weight = pool.Input(shape.dtype, shape.cols),
          .sum = pool.Output(shape.dtype, all),
          .y = pool.Output(shape.dtype, all)};
}

template <>
std::vector<Case<SoftmaxShape>> Cases<SoftmaxArgs>() {
  return {{{64, 4096, kF32}}, {{64, 4096, kBf16}}, {{512, 257, kF32}}};
}
template <>
SoftmaxArgs Bind(const SoftmaxShape& shape, Pool& pool) {
  const std::int64_t all = shape.rows * shape.cols;
  return {shape, pool.Input(shape.dtype, all), pool.Output(shape.dtype, all)};
}

template <>
std::vector<Case<SiluMulShape>> Cases<SiluMulArgs>() {
  return {{{64, 8192, kF32}}, {{64, 8192, kBf16}}, {{8, 4864, kBf16}}};
}
template <>
SiluMulArgs Bind(const SiluMulShape& shape, Pool& pool) {
  const std::int64_t all = shape.rows * shape.cols;
  return {.shape = shape,
          .gate = pool.Input(shape.dtype, all),
          .up = pool.Input(shape.dtype, all),
          .y = pool.Output(shape.dtype, all)};
}

template <>
std::vector<Case<RopeShape>> Cases<RopeArgs>() {
  return {{{128, 32, 64, kF32}}, {{128, 32, 64, kBf16}}};
}
template <>
RopeArgs Bind(const RopeShape& shape, Pool& pool) {
  const std::int64_t all = shape.tokens * shape.heads * shape.dim;
  const std::int64_t table = shape.tokens * shape.dim / 2;
  return {.shape = shape,
          .x = pool.Input(shape.dtype, all),
          .cos = pool.Input(kF32, table),
          .sin = pool.Input(kF32, table),
          .positions = std::span(kPositions).first(static_cast<std::size_t>(shape.tokens)),
          .y = pool.Output(shape.dtype, all)};
}

template <>
std::vector<Case<RopeAppendShape>> Cases<RopeAppendArgs>() {
  return {{{16, 32, 8, 64, kBf16}, true}};
}
template <>
RopeAppendArgs Bind(const RopeAppendShape& shape, Pool& pool) {
  const std::int64_t q = shape.tokens * shape.heads * shape.dim;
  const std::int64_t kv = shape.tokens * shape.kv_heads * shape.dim;
  const std::int64_t table = shape.tokens * shape.dim / 2;
  const auto indices = std::span(kPositions).first(static_cast<std::size_t>(shape.tokens));
  return {.shape = shape,
          .qkv = pool.Input(shape.dtype, q + 2 * kv),
          .cos = pool.Input(kF32, table),
          .sin = pool.Input(kF32, table),
          .positions = indices,
          .slots = indices,
          .q = pool.Output(shape.dtype, q),
          .k_cache = pool.Output(CacheDType(shape), kv),
          .v_cache = pool.Output(CacheDType(shape), kv)};
}

template <>
std::vector<Case<ConvertShape>> Cases<ConvertArgs>() {
  return {{{1048576, kF32}}, {{1048576, kBf16}}};
}
template <>
ConvertArgs Bind(const ConvertShape& shape, Pool& pool) {
  return {shape, pool.Input(shape.dtype, shape.count), pool.Output(Target(shape), shape.count)};
}

template <>
std::vector<Case<GemvShape>> Cases<GemvArgs>() {
  return {{{512, 2048, kF32}},      {{896, 896, kF32}},   {{2048, 2048, kBf16}},
          {{4864, 896, kBf16}},     {{896, 4864, kBf16}}, {{896, 896, kBf16, 64}},
          {{257, 136, kBf16}, true}};
}
template <>
GemvArgs Bind(const GemvShape& shape, Pool& pool) {
  return {.shape = shape,
          .weight = pool.Input(shape.dtype, shape.n * shape.k),
          .x = pool.Input(kF32, shape.m * shape.k),
          .y = pool.Output(kF32, shape.m * shape.n)};
}

template <>
std::vector<Case<GemvMxfp4Shape>> Cases<GemvMxfp4Args>() {
  return {{{64, 256}, true}};
}
template <>
GemvMxfp4Args Bind(const GemvMxfp4Shape& shape, Pool& pool) {
  const auto blocks = static_cast<std::size_t>(shape.n * (shape.k / kMxfp4Block));
  // Any bytes are codes; of random scales most would overflow.
  const ConstView codes = pool.Input(kF32, static_cast<std::int64_t>(blocks) * 4);
  const std::span<const std::uint8_t> scales = std::span(kUnitScales).first(blocks);
  return {.shape = shape,
          .blocks = {codes.data, 16 * blocks, DType::kU8},
          .scales = {scales.data(), scales.size(), DType::kU8},
          .x = pool.Input(kF32, shape.k),
          .y = pool.Output(kF32, shape.n)};
}

template <>
std::vector<Case<LogitsArgmaxShape>> Cases<LogitsArgmaxArgs>() {
  return {{{256, 136, kBf16}, true}};
}
template <>
LogitsArgmaxArgs Bind(const LogitsArgmaxShape& shape, Pool& pool) {
  return {.shape = shape,
          .weight = pool.Input(shape.dtype, shape.vocab * shape.k),
          .x = pool.Input(kF32, shape.k),
          .ids = Ids(pool, 1),
          .value = pool.Output(kF32, 1),
          .ok = Flags(pool, 1)};
}

template <>
std::vector<Case<DecodeAttentionShape>> Cases<DecodeAttentionArgs>() {
  return {{{256, 32, 8, 64, kBf16}},
          {{1024, 32, 8, 64, kBf16}},
          {{256, 32, 8, 128, kF32}},
          {{257, 14, 2, 64, kBf16}}};
}
template <>
DecodeAttentionArgs Bind(const DecodeAttentionShape& shape, Pool& pool) {
  const std::int64_t cache = shape.batch * Capacity(shape) * shape.kv_heads * shape.dim;
  const std::int64_t queries = shape.batch * shape.heads * shape.dim;
  return {.shape = shape,
          .scale = 1.0f / std::sqrt(static_cast<float>(shape.dim)),
          .q = pool.Input(kF32, queries),
          .k = pool.Input(shape.dtype, cache),
          .v = pool.Input(shape.dtype, cache),
          .out = pool.Output(kF32, queries)};
}

template <>
std::vector<Case<ArgmaxShape>> Cases<ArgmaxArgs>() {
  return {{{1, 128256, kF32}}};
}
template <>
ArgmaxArgs Bind(const ArgmaxShape& shape, Pool& pool) {
  return {shape, pool.Input(shape.dtype, shape.rows * shape.cols), Ids(pool, shape.rows),
          Flags(pool, shape.rows)};
}

template <>
std::vector<Case<TopKShape>> Cases<TopKArgs>() {
  return {{{1, 128256, 50, kF32}}};
}
template <>
TopKArgs Bind(const TopKShape& shape, Pool& pool) {
  return {.shape = shape,
          .x = pool.Input(shape.dtype, shape.rows * shape.cols),
          .ids = Ids(pool, shape.rows * shape.k),
          .values = Floats(pool.Output(kF32, shape.rows * shape.k)),
          .ok = Flags(pool, shape.rows)};
}

template <>
std::vector<Case<SampleShape>> Cases<SampleArgs>() {
  return {{{1, 128256, 50, kF32}}};
}
template <>
SampleArgs Bind(const SampleShape& shape, Pool& pool) {
  return {.shape = shape,
          .temperature = 0.8F,
          .top_p = 0.9F,
          .seed = 1,
          .logits = pool.Input(shape.dtype, shape.rows * shape.cols),
          .ids = Ids(pool, shape.rows),
          .probability = Floats(pool.Output(kF32, shape.rows))};
}

template <>
std::vector<Case<GemmShape>> Cases<GemmArgs>() {
  return {{{16, 64, 256, kF32}, true}, {{8, 512, 2048, kF32}}, {{128, 512, 512, kF32}}};
}
template <>
GemmArgs Bind(const GemmShape& shape, Pool& pool) {
  return {.shape = shape,
          .a = pool.Input(shape.dtype, shape.m * shape.k),
          .weight = pool.Input(shape.dtype, shape.batch * shape.n * shape.k),
          .c = pool.Output(shape.dtype, shape.batch * shape.m * shape.n)};
}

}  // namespace suites
