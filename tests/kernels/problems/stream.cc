// SPDX-License-Identifier: Apache-2.0
// stream.cc: the problems of copy, sum and convert.
#include <cmath>

#include "kernels/element.h"
#include "tests/kernels/problem_parts.h"

namespace kernels::testing {

template <>
Trials<CopyArgs> TrialsOf() {
  Trials<CopyArgs> trials;
  trials.shapes = CountShapes<CopyShape>();
  trials.large = LargeCountShapes<CopyShape>();
  return trials;
}

template <>
Problem<CopyArgs> Make(const CopyShape& shape, Fill fill, Arena& arena) {
  const CopyArgs args{shape, arena.Input(shape.dtype, shape.count, fill),
                      arena.Output(shape.dtype, shape.count)};
  return {args, {Exact("y", args.y)}};
}

template <>
Trials<SumArgs> TrialsOf() {
  Trials<SumArgs> trials;
  trials.shapes = CountShapes<SumShape>();
  trials.large = LargeCountShapes<SumShape>();
  trials.fills = kSumFills;
  return trials;
}

template <>
Problem<SumArgs> Make(const SumShape& shape, Fill fill, Arena& arena) {
  const SumArgs args{shape, arena.Input(shape.dtype, shape.count, fill),
                     arena.Output(DType::kF32, 1)};
  return {args, {{"total", args.total, [args](std::int64_t) {
                    double magnitude = 0;
                    for (std::int64_t i = 0; i < args.shape.count; ++i) {
                      magnitude += std::abs(At(args.x, i));
                    }
                    return SumError(args.shape.count) * kUnit * magnitude;
                  }}}};
}

template <>
Trials<ConvertArgs> TrialsOf() {
  Trials<ConvertArgs> trials;
  trials.shapes = CountShapes<ConvertShape>();
  for (const DType to : {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3}) {
    for (const std::int64_t count : {1, 17, 64, 257}) {
      trials.shapes.push_back({.count = count, .to = to});
    }
  }
  for (const DType to : {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3}) {
    trials.large.push_back({.count = 70001, .to = to});
    trials.large.push_back({.count = 4300009, .to = to});
  }
  return trials;
}

template <>
Problem<ConvertArgs> Make(const ConvertShape& shape, Fill fill, Arena& arena) {
  const ConvertArgs args{shape, arena.Input(shape.dtype, shape.count, fill),
                         arena.Output(Target(shape), shape.count)};
  return {args, {Exact("y", args.y)}};
}

}  // namespace kernels::testing
