// SPDX-License-Identifier: Apache-2.0
// slower.h: a known slowdown, to test the gate with: a problem that is larger by a given share
// while the case's name and declared work stay. Time of what is limited by memory grows by that
// share.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/gemm.h"

namespace suites {

// `shape` with its outermost extent grown by `by` (0.01: 1 %), to the nearest whole. Left alone:
// matrix products, whose time does not follow their size so closely.
template <class Shape>
Shape Slower(Shape shape, double by) {
  const auto grow = [by](std::int64_t& extent) {
    extent = std::llround(static_cast<double>(extent) * (1 + by));
  };
  if constexpr (std::is_same_v<Shape, kernels::GemmShape>) {
    return shape;
  } else if constexpr (requires { shape.rows; }) {
    grow(shape.rows);
  } else if constexpr (requires { shape.count; }) {
    grow(shape.count);
  } else if constexpr (requires { shape.tokens; }) {
    grow(shape.tokens);
  } else if constexpr (requires { shape.length; }) {
    grow(shape.length);
  } else if constexpr (requires { shape.vocab; }) {
    grow(shape.vocab);
  } else {
    grow(shape.n);
  }
  return shape;
}

}  // namespace suites
