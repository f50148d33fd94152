// SPDX-License-Identifier: Apache-2.0
#include "kernels/argmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"

namespace kernels {
namespace {

constexpr std::int64_t kBlock = 4096;

struct Best {
  std::int64_t id = 0;
  bool ok = false;
};

// Finds the first block that holds the maximum, then the place in it: x is read once, and a block
// again.
Best ArgmaxRow(const float* x, std::int64_t cols, const cpu::Kernels& kernels) {
  float best = -std::numeric_limits<float>::infinity();
  std::int64_t block = 0;
  for (std::int64_t at = 0; at < cols; at += kBlock) {
    const float max = kernels.max(x + at, std::min(kBlock, cols - at));
    if (max > best) {
      best = max;
      block = at;
    }
  }
  const std::int64_t id = kernels.first_above(x, block, cols, best, true);
  return id < cols ? Best{id, true} : Best{};
}

}  // namespace

void Check(const ArgmaxArgs& args) {
  constexpr auto kOp = Table<ArgmaxArgs>::op;
  const std::size_t rows = Elements(kOp, {args.shape.rows});
  const std::size_t all = Elements(kOp, {args.shape.rows, args.shape.cols});
  CheckView(kOp, "x", args.x, all, args.shape.dtype);
  if (args.ids.size() < rows || args.ok.size() < rows) {
    throw Error("argmax: ids and ok need " + std::to_string(rows) + " elements");
  }
}

std::string_view ArgmaxSupports(const ArgmaxShape& shape) {
  return shape.cols < 1 || shape.cols > std::numeric_limits<std::int32_t>::max()
             ? "cols must be at least 1 and fit 31 bits"
             : "";
}

void ArgmaxReference(const ArgmaxArgs& args, const Context&) {
  const auto cols = static_cast<std::size_t>(args.shape.cols);
  for (std::size_t row = 0; row < static_cast<std::size_t>(args.shape.rows); ++row) {
    const float* x = static_cast<const float*>(args.x.data) + row * cols;
    std::size_t best = 0;
    for (std::size_t i = 1; i < cols; ++i) {
      if (x[i] > x[best] || (std::isnan(x[best]) && !std::isnan(x[i]))) {
        best = i;
      }
    }
    const bool ok = !std::isnan(x[best]);
    args.ids[row] = static_cast<std::int32_t>(ok ? best : 0);
    args.ok[row] = static_cast<std::uint8_t>(ok);
  }
}

void ArgmaxVector(const ArgmaxArgs& args, const Context& context) {
  const cpu::Kernels& kernels = cpu::For(context.isa);
  for (std::int64_t row = 0; row < args.shape.rows; ++row) {
    const float* x = static_cast<const float*>(args.x.data) + row * args.shape.cols;
    const Best best = ArgmaxRow(x, args.shape.cols, kernels);
    args.ids[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(best.id);
    args.ok[static_cast<std::size_t>(row)] = static_cast<std::uint8_t>(best.ok);
  }
}

std::string Describe(const ArgmaxShape& s) {
  return JoinSizes({{"rows", s.rows}, {"cols", s.cols}}, Name(s.dtype));
}

Cost CostOf(const ArgmaxShape& s) { return {Product({s.rows, s.cols}) * ByteCount(s.dtype), 0}; }

}  // namespace kernels
