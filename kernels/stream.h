// SPDX-License-Identifier: Apache-2.0
// stream.h: copy and read-only sum: the ceilings that the bandwidth of other ops is related to
//
// copy: y[i] = x[i], bit for bit; no overlap. Moves 2 count elements.
// sum: total[0] = sum_i x[i], f32. Moves count elements. NaN and infinities propagate.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/row.h"

namespace kernels {

struct CopyShape {
  std::int64_t count = 0;
  DType dtype = DType::kF32;
};

struct CopyArgs {
  using Shape = CopyShape;
  Shape shape;
  ConstView x;
  View y;
};

template <class In, class Out>
void VisitBuffers(CopyArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("y", args.y);
}

struct SumShape {
  std::int64_t count = 0;
  DType dtype = DType::kF32;
};

struct SumArgs {
  using Shape = SumShape;
  Shape shape;
  ConstView x;
  View total;
};

template <class In, class Out>
void VisitBuffers(SumArgs& args, In&& in, Out&& out) {
  in("x", args.x);
  out("total", args.total);
}

void Check(const CopyArgs& args);
std::string Describe(const CopyShape& shape);
Cost CostOf(const CopyShape& shape);
std::string_view CopySupports(const CopyShape& shape);
void CopyReference(const CopyArgs& args, const Context& context);
void CopyVector(const CopyArgs& args, const Context& context);

void Check(const SumArgs& args);
std::string Describe(const SumShape& shape);
Cost CostOf(const SumShape& shape);
std::string_view SumSupports(const SumShape& shape);
void SumReference(const SumArgs& args, const Context& context);
void SumVector(const SumArgs& args, const Context& context);

template <>
struct Table<CopyArgs> {
  static constexpr std::string_view op = "copy";
  static constexpr std::array rows = {
      Row<CopyArgs>{"reference",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kExact,
                    &CopySupports,
                    &CopyReference},
      Row<CopyArgs>{"vector",
                    Device::kCpu,
                    Isa::kGeneric,
                    {DType::kF32, DType::kBf16},
                    Numerics::kExact,
                    &CopySupports,
                    &CopyVector},
  };
};

template <>
struct Table<SumArgs> {
  static constexpr std::string_view op = "sum";
  static constexpr std::array rows = {
      Row<SumArgs>{"reference",
                   Device::kCpu,
                   Isa::kGeneric,
                   {DType::kF32},
                   Numerics::kF64,
                   &SumSupports,
                   &SumReference},
      Row<SumArgs>{"vector",
                   Device::kCpu,
                   Isa::kGeneric,
                   {DType::kF32},
                   Numerics::kLanes,
                   &SumSupports,
                   &SumVector},
  };
};

}  // namespace kernels
