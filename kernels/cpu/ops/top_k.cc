// SPDX-License-Identifier: Apache-2.0
#include "kernels/top_k.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "kernels/cpu/kernels.h"
#include "kernels/describe.h"

namespace kernels {
namespace {

struct Entry {
  float value;
  std::int32_t id;
};

// Strict order, best first: numbers before NaN, larger first, lower id first.
bool Before(const Entry& a, const Entry& b) {
  const bool a_nan = std::isnan(a.value);
  const bool b_nan = std::isnan(b.value);
  if (a_nan != b_nan) {
    return b_nan;
  }
  if (!a_nan && a.value != b.value) {
    return a.value > b.value;
  }
  return a.id < b.id;
}

// A heap of the best k so far with the worst of them in front; the scan stops only at values that
// displace it. Later columns lose ties, so strictly above is enough.
void TopKRow(const float* x, std::int64_t cols, std::span<Entry> best,
             const cpu::Kernels& kernels) {
  const auto k = static_cast<std::int64_t>(best.size());
  for (std::int64_t i = 0; i < k; ++i) {
    best[static_cast<std::size_t>(i)] = {x[i], static_cast<std::int32_t>(i)};
  }
  std::make_heap(best.begin(), best.end(), Before);
  for (std::int64_t i = k; i < cols; ++i) {
    if (const float worst = best.front().value; !std::isnan(worst)) {
      i = kernels.first_above(x, i, cols, worst, false);
    }
    if (i < cols && !std::isnan(x[i])) {
      std::pop_heap(best.begin(), best.end(), Before);
      best.back() = {x[i], static_cast<std::int32_t>(i)};
      std::push_heap(best.begin(), best.end(), Before);
    }
  }
  std::sort_heap(best.begin(), best.end(), Before);
}

void Write(std::span<const Entry> best, std::size_t row, const TopKArgs& args) {
  for (std::size_t i = 0; i < best.size(); ++i) {
    args.ids[row * best.size() + i] = best[i].id;
    args.values[row * best.size() + i] = best[i].value;
  }
  args.ok[row] = static_cast<std::uint8_t>(!std::isnan(best.back().value));
}

}  // namespace

void Check(const TopKArgs& args) {
  constexpr auto kOp = Table<TopKArgs>::op;
  const std::size_t rows = Elements(kOp, {args.shape.rows});
  const std::size_t all = Elements(kOp, {args.shape.rows, args.shape.cols});
  const std::size_t out = Elements(kOp, {args.shape.rows, args.shape.k});
  CheckView(kOp, "x", args.x, all, args.shape.dtype);
  if (args.ids.size() < out || args.values.size() < out || args.ok.size() < rows) {
    throw Error("top_k: ids and values need " + std::to_string(out) + " elements, ok " +
                std::to_string(rows));
  }
  CheckOverlap(kOp, View(args.values), out, args.x, all, false);
}

std::string_view TopKSupports(const TopKShape& shape) {
  if (shape.cols < 1 || shape.cols > std::numeric_limits<std::int32_t>::max()) {
    return "cols must be at least 1 and fit 31 bits";
  }
  return shape.k < 1 || shape.k > std::min(shape.cols, kMaxTopK)
             ? "k must be between 1 and the lesser of cols and 1024"
             : "";
}

void TopKReference(const TopKArgs& args, const Context&) {
  const auto cols = static_cast<std::size_t>(args.shape.cols);
  const auto k = static_cast<std::size_t>(args.shape.k);
  std::vector<Entry> entries(cols);
  for (std::size_t row = 0; row < static_cast<std::size_t>(args.shape.rows); ++row) {
    const float* x = static_cast<const float*>(args.x.data) + row * cols;
    for (std::size_t i = 0; i < cols; ++i) {
      entries[i] = {x[i], static_cast<std::int32_t>(i)};
    }
    std::sort(entries.begin(), entries.end(), Before);
    Write(std::span(entries).first(k), row, args);
  }
}

void TopKVector(const TopKArgs& args, const Context& context) {
  std::array<Entry, kMaxTopK> storage;
  const auto best = std::span(storage).first(static_cast<std::size_t>(args.shape.k));
  for (std::int64_t row = 0; row < args.shape.rows; ++row) {
    const float* x = static_cast<const float*>(args.x.data) + row * args.shape.cols;
    TopKRow(x, args.shape.cols, best, cpu::For(context.isa));
    Write(best, static_cast<std::size_t>(row), args);
  }
}

std::string Describe(const TopKShape& s) {
  return JoinSizes({{"rows", s.rows}, {"cols", s.cols}, {"k", s.k}}, Name(s.dtype));
}

Cost CostOf(const TopKShape& s) { return {Product({s.rows, s.cols}) * ByteCount(s.dtype), 0}; }

}  // namespace kernels
