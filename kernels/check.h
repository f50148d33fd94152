// SPDX-License-Identifier: Apache-2.0
// check.h: argument checks shared by the ops. Every failure is an Error that names op and argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "kernels/types.h"

namespace kernels {

// Product of sizes. Throws when one is negative or the product in bytes leaves std::ptrdiff_t.
std::size_t Elements(std::string_view op, std::initializer_list<std::int64_t> sizes);

// `view` must hold at least `count` elements of `dtype` at an address aligned to one element.
void CheckView(std::string_view op, std::string_view name, ConstView view, std::size_t count,
               DType dtype);

// The first `out_count` elements of `out` and `in_count` of `in` must not share a byte, except that
// they may start at the same address where `may_be_same`.
void CheckOverlap(std::string_view op, ConstView out, std::size_t out_count, ConstView in,
                  std::size_t in_count, bool may_be_same);

}  // namespace kernels
