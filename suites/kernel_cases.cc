// SPDX-License-Identifier: Apache-2.0
#include "suites/kernel_cases.h"

#include <cstdint>

namespace suites {

using namespace kernels;  // NOLINT(google-build-using-namespace): this file is about little else

namespace {

constexpr DType kF32 = DType::kF32;
constexpr DType kBf16 = DType::kBf16;
constexpr DType kF16 = DType::kF16;
constexpr DType kF8 = DType::kF8E4M3;
constexpr std::int64_t kMany = std::int64_t{1} << 27;

}  // namespace

template <>
Cases<CopyArgs> CasesOf() {
  return {.cpu = {{{65536, kF32}}, {{1048576, kF32}}},
          .cuda = {{kMany, kF32}, {std::int64_t{1} << 20, kF32}}};
}

template <>
Cases<SumArgs> CasesOf() {
  return {.cpu = {{{65536, kF32}}, {{1048576, kF32}}}, .cuda = {{kMany, kF32}}};
}

template <>
Cases<RmsNormArgs> CasesOf() {
  return {.cpu = {{{256, 4096, kF32}}, {{256, 4096, kBf16}}, {{64, 257, kF32}, true}},
          .cuda = {{16384, 8192, kBf16},
                   {32768, 1024, kBf16},
                   {8192, 4096, kBf16},
                   {8192, 16384, kBf16},
                   {2048, 65536, kBf16},
                   {8192, 4096, kF32},
                   {1, 2048, kBf16},
                   {1, 4096, kBf16},
                   {8, 4096, kBf16},
                   {128, 4096, kBf16},
                   {512, 257, kF32}}};
}

template <>
Cases<ResidualRmsNormArgs> CasesOf() {
  return {.cpu = {{{{128, 4096, kF32}}}, {{{128, 4096, kBf16}}}},
          .cuda = {{{16384, 8192, kBf16}},
                   {{8192, 4096, kBf16}},
                   {{8192, 4096, kF32}},
                   {{1, 2048, kBf16}},
                   {{1, 4096, kBf16}},
                   {{8, 4096, kBf16}},
                   {{128, 4096, kBf16}}}};
}

template <>
Cases<SoftmaxArgs> CasesOf() {
  return {.cpu = {{{64, 4096, kF32}}, {{64, 4096, kBf16}}, {{512, 257, kF32}}},
          .cuda = {{16384, 8192, kBf16},
                   {65536, 1024, kBf16},
                   {8192, 4096, kF32},
                   {8192, 16384, kF32},
                   {4096, 32768, kF32},
                   {4096, 32768, kBf16},
                   {1024, 131072, kF32},
                   {1, 128256, kF32},
                   {8, 4096, kF32},
                   {512, 257, kF32}}};
}

template <>
Cases<SiluMulArgs> CasesOf() {
  return {.cpu = {{{64, 8192, kF32}}, {{64, 8192, kBf16}}, {{8, 4864, kBf16}}},
          .cuda = {{8192, 14336, kBf16},
                   {8192, 8192, kF32},
                   {1, 8192, kBf16},
                   {8, 14336, kBf16},
                   {3, 4865, kBf16}}};
}

template <>
Cases<RopeArgs> CasesOf() {
  return {.cpu = {{{128, 32, 64, kF32}}, {{128, 32, 64, kBf16}}},
          .cuda = {{16384, 32, 128, kBf16}, {8192, 32, 64, kBf16}, {1, 32, 128, kBf16}}};
}

template <>
Cases<RopeAppendArgs> CasesOf() {
  return {.cpu = {{{16, 32, 8, 64, kBf16}, true}},
          .cuda = {{16384, 32, 8, 128, kBf16},
                   {16384, 32, 8, 64, kBf16},
                   {8192, 14, 2, 64, kBf16},
                   {1, 32, 8, 128, kBf16},
                   {1, 32, 8, 64, kF32, kBf16},
                   {8, 32, 8, 128, kBf16}}};
}

template <>
Cases<ConvertArgs> CasesOf() {
  return {.cpu = {{{1048576, kF32}}, {{1048576, kBf16}}},
          .cuda = {{kMany, kF32},
                   {kMany, kBf16},
                   {kMany, kBf16, kF8},
                   {kMany, kF8, kBf16},
                   {kMany, kF32, kF16},
                   {kMany, kF16, kF32},
                   {4097, kF32}}};
}

template <>
Cases<GemvArgs> CasesOf() {
  return {.cpu = {{{512, 2048, kF32}},
                  {{896, 896, kF32}},
                  {{2048, 2048, kBf16}},
                  {{4864, 896, kBf16}},
                  {{896, 4864, kBf16}},
                  {{896, 896, kBf16, 64}},
                  {{257, 136, kBf16}, true}},
          .cuda = {{128256, 2048, kBf16},
                   {151936, 896, kBf16},
                   {28672, 4096, kBf16},
                   {37888, 3584, kBf16},
                   {2048, 2048, kBf16},
                   {2048, 8192, kBf16},
                   {16384, 2048, kBf16},
                   {4096, 4096, kBf16},
                   {896, 896, kBf16},
                   {4096, 14336, kF32},
                   {257, 136, kBf16}}};
}

template <>
Cases<GemvMxfp4Args> CasesOf() {
  return {
      .cpu = {{{64, 256}, true}},
      .cuda = {
          {128256, 2048}, {28672, 4096}, {65536, 2880}, {5760, 2880}, {4096, 4096}, {136, 288}}};
}

template <>
Cases<LogitsArgmaxArgs> CasesOf() {
  return {.cpu = {{{256, 136, kBf16}, true}},
          .cuda = {{128256, 2048, kBf16}, {151936, 896, kBf16}, {4099, 136, kBf16}}};
}

template <>
Cases<DecodeAttentionArgs> CasesOf() {
  return {.cpu = {{{256, 32, 8, 64, kBf16}},
                  {{1024, 32, 8, 64, kBf16}},
                  {{256, 32, 8, 128, kF32}},
                  {{257, 14, 2, 64, kBf16}}},
          .cuda = {{16384, 32, 8, 128, kBf16, 8},
                   {32768, 14, 2, 64, kBf16, 8},
                   {32768, 32, 8, 128, kBf16},
                   {32768, 32, 8, 64, kBf16},
                   {4096, 32, 8, 128, kBf16},
                   {4096, 32, 8, 64, kBf16},
                   {256, 32, 8, 64, kBf16},
                   {17, 32, 8, 64, kBf16},
                   {257, 14, 2, 64, kBf16},
                   {8192, 32, 8, 128, kF32}}};
}

template <>
Cases<ArgmaxArgs> CasesOf() {
  return {.cpu = {{{1, 128256, kF32}}}, .cuda = {{1, 128256, kF32}, {8, 151936, kF32}}};
}

template <>
Cases<TopKArgs> CasesOf() {
  return {.cpu = {{{1, 128256, 50, kF32}}},
          .cuda = {{1, 128256, 50, kF32}, {8, 151936, 50, kF32}, {1, 128256, 1024, kF32}}};
}

template <>
Cases<SampleArgs> CasesOf() {
  return {.cpu = {{{1, 128256, 50, kF32}}}, .cuda = {{1, 128256, 50}, {8, 151936, 50}}};
}

// The last two on a GPU: feed-forward gate and up of Llama-8B, and of Llama-1B with one prompt.
template <>
Cases<GemmArgs> CasesOf() {
  return {.cpu = {{{16, 64, 256, kF32}, true}, {{8, 512, 2048, kF32}}, {{128, 512, 512, kF32}}},
          .cuda = {{4096, 4096, 4096, kBf16},
                   {8192, 8192, 8192, kBf16},
                   {512, 2048, 2048, kBf16},
                   {512, 2048, 8192, kBf16},
                   {128, 6144, 4096, kBf16},
                   {8, 4096, 4096, kBf16},
                   {512, 2048, 2048, kF32},
                   {128, 14336, 4096, kBf16, 2},
                   {32, 8192, 2048, kBf16, 2}}};
}

}  // namespace suites
