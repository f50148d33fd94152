// SPDX-License-Identifier: Apache-2.0
// large_shapes.h: shapes beyond problem.h's that reach every path of the CUDA kernels: rows that
// need several blocks or a loop, grids of more than one wave. Tried with uniform inputs only.
#pragma once

#include <vector>

#include "kernels/registry.h"

namespace kernels::testing {

template <class Args>
std::vector<typename Args::Shape> LargeShapes() {
  return {};
}

template <class Shape>
std::vector<Shape> CountShapes() {
  std::vector<Shape> shapes;
  for (const std::int64_t count : {4095, 4096, 70001, 1048576, 5000000}) {
    shapes.emplace_back();
    shapes.back().count = count;
  }
  return shapes;
}

template <>
inline std::vector<CopyShape> LargeShapes<CopyArgs>() {
  return CountShapes<CopyShape>();
}

template <>
inline std::vector<SumShape> LargeShapes<SumArgs>() {
  return CountShapes<SumShape>();
}

template <>
inline std::vector<ConvertShape> LargeShapes<ConvertArgs>() {
  std::vector<ConvertShape> shapes;
  for (const DType to : {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3}) {
    shapes.push_back({.count = 70001, .to = to});
    shapes.push_back({.count = 4300009, .to = to});
  }
  return shapes;
}

// Few rows and many; within a warp, a block, a cluster of 2 and of 8, and beyond.
template <class Shape>
std::vector<Shape> RowShapes() {
  constexpr struct {
    std::int64_t rows, cols;
  } kSizes[] = {{1000, 64},  {700, 257},  {600, 1024},  {300, 4096}, {5, 2048},
                {3, 4097},   {2, 8192},   {300, 5120},  {280, 8200}, {1, 16384},
                {270, 9001}, {2, 32768},  {265, 20000}, {2, 65536},  {2, 65537},
                {1, 100000}, {2, 262144}, {1, 300008},  {1, 600000}};
  std::vector<Shape> shapes;
  for (const auto& size : kSizes) {
    shapes.emplace_back();
    shapes.back().rows = size.rows;
    shapes.back().cols = size.cols;
  }
  return shapes;
}

template <>
inline std::vector<RmsNormShape> LargeShapes<RmsNormArgs>() {
  return RowShapes<RmsNormShape>();
}

template <>
inline std::vector<ResidualRmsNormShape> LargeShapes<ResidualRmsNormArgs>() {
  return RowShapes<ResidualRmsNormShape>();
}

template <>
inline std::vector<SoftmaxShape> LargeShapes<SoftmaxArgs>() {
  return RowShapes<SoftmaxShape>();
}

template <>
inline std::vector<RopeShape> LargeShapes<RopeArgs>() {
  return {{1000, 32, 128}, {999, 33, 64}};
}

template <>
inline std::vector<RopeAppendShape> LargeShapes<RopeAppendArgs>() {
  return {{1000, 32, 8, 128}, {999, 14, 2, 64}, {700, 32, 8, 64, DType::kF32, DType::kBf16}};
}

template <>
inline std::vector<SiluMulShape> LargeShapes<SiluMulArgs>() {
  return {{64, 8192}, {1000, 4864}, {3, 70001}};
}

template <>
inline std::vector<ArgmaxShape> LargeShapes<ArgmaxArgs>() {
  return {{1, 128256}, {1, 151936}, {3, 32003}, {8, 128256}, {300, 4099}, {1200, 1025}};
}

// One part and several, parts in shared memory and not, lists that are selected from again.
template <>
inline std::vector<TopKShape> LargeShapes<TopKArgs>() {
  return {{1, 128256, 50}, {1, 151936, 1},   {2, 151936, 1024}, {3, 32003, 64},
          {1, 128256, 20}, {1, 500009, 200}, {300, 4099, 40},   {530, 2050, 1000},
          {3, 4097, 1024}, {270, 30001, 7},  {8, 151936, 50},   {270, 16500, 60}};
}

template <>
inline std::vector<SampleShape> LargeShapes<SampleArgs>() {
  return {{1, 128256, 50}, {2, 151936, 1024}, {300, 4099, 40}, {8, 151936, 33}, {270, 16500, 64}};
}

// Several steps per row, teams of 1, 4 and 16 warps, more rows than one pass of the grid, few rows
// in slices, x beyond shared memory.
template <>
inline std::vector<GemvShape> LargeShapes<GemvArgs>() {
  return {{896, 896},  {300, 4864}, {12000, 256}, {200, 12000}, {5, 40000},
          {1, 100000}, {9000, 136}, {140, 65},    {2048, 2048}, {600, 8192}};
}

// Teams of two and of eight warps, each with more rows than one pass of the grid; spans of one to
// four steps, cut by the end of the row or not; several spans per warp; x beyond shared memory; all
// tiles at once, one to three of them per block, or several times round a ring, the last in part,
// with scales that end on no 16.
template <>
inline std::vector<GemvMxfp4Shape> LargeShapes<GemvMxfp4Args>() {
  return {{40000, 256}, {5760, 288},  {700, 2880},  {300, 14336}, {2048, 2048},
          {9001, 1056}, {2200, 800},  {40, 4064},   {20, 65536},  {2201, 1056},
          {2233, 4096}, {4300, 4096}, {6001, 1024}, {4505, 2080}, {20001, 3072}};
}

template <>
inline std::vector<LogitsArgmaxShape> LargeShapes<LogitsArgmaxArgs>() {
  return {{12000, 256}, {5000, 896}, {200, 12000}, {5, 40000}, {1, 100000}, {9000, 65}};
}

// Chunks and waves, more chunks than lanes, batches with lengths of their own, groups of more heads
// than a tile, one chunk.
template <>
inline std::vector<DecodeAttentionShape> LargeShapes<DecodeAttentionArgs>() {
  return {{1000, 32, 8, 64},
          {2000, 14, 2, 64},
          {1500, 8, 2, 128},
          {3000, 20, 1, 128},
          {5000, 4, 1, 64},
          {777, 12, 4, 64, DType::kF32, 5, 1500},
          {640, 8, 8, 128, DType::kF32, 40, 640},
          {1100, 2, 1, 80},
          {2100, 3, 1, 7},
          {900, 4, 2, 256}};
}

}  // namespace kernels::testing
