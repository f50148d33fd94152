// SPDX-License-Identifier: Apache-2.0
#include "tests/calibration/stream.h"

#include <cmath>

#include "perfgate/stats/estimate/quantiles.h"
#include "perfgate/stats/inference/sign_flips.h"

namespace perfgate::calibration {

Stream::Stream(std::uint64_t cell, std::uint64_t trial)
    : seed_(stats::splitmix64(stats::splitmix64(0x70657266, cell), trial)) {}

std::uint64_t Stream::bits() { return stats::splitmix64(seed_, counter_++); }

double Stream::uniform() { return std::ldexp(static_cast<double>(bits() >> 11U) + 0.5, -53); }

double Stream::normal() { return stats::normal_quantile(uniform()); }

bool Stream::coin() { return (bits() >> 63U) != 0; }

std::size_t Stream::below(std::size_t bound) { return stats::bounded(bits(), bound); }

}  // namespace perfgate::calibration
