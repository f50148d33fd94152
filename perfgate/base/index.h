// SPDX-License-Identifier: Apache-2.0
// index.h: a number that is known not to be negative, as an index.
#pragma once

#include <concepts>
#include <cstddef>

namespace perfgate::inline base {

template <std::integral T>
constexpr std::size_t Index(T value) {
  return static_cast<std::size_t>(value);
}

}  // namespace perfgate::inline base
