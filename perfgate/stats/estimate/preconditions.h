// SPDX-License-Identifier: Apache-2.0
// preconditions.h: the two checks that every function of perfgate::stats makes on its arguments.
//
// A NaN compares false with everything, so inside a permutation test it would count as "never
// reached" and give p = 0. Non-finite input is therefore refused, never computed with.
#pragma once

#include <span>
#include <string_view>

namespace perfgate::stats {

// Throws std::invalid_argument naming `what` and the index of the first NaN or infinity.
void require_finite(std::span<const double> values, std::string_view what);

// Throws std::invalid_argument with `message` when `condition` is false.
void require(bool condition, std::string_view message);

}  // namespace perfgate::stats
