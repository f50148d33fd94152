// SPDX-License-Identifier: Apache-2.0
// index.h: sizes and positions are signed, what containers take is not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace engine {

// value >= 0
constexpr std::size_t Index(std::int64_t value) { return static_cast<std::size_t>(value); }

}  // namespace engine
