// SPDX-License-Identifier: Apache-2.0
#include "engine/rope_table.h"

#include <cmath>
#include <numbers>

namespace engine {

std::vector<double> RopeFrequencies(const RopeConfig& rope, std::int64_t dim) {
  std::vector<double> frequencies;
  for (std::int64_t i = 0; i < dim; i += 2) {
    double f = std::pow(rope.theta, -static_cast<double>(i) / static_cast<double>(dim));
    if (rope.llama3) {
      // Long waves are stretched by `factor`, short ones stay, those between are blended.
      const auto& [factor, low, high, original] = *rope.llama3;
      const double turns = static_cast<double>(original) * f / (2 * std::numbers::pi);
      if (turns < low) {
        f /= factor;
      } else if (turns <= high) {
        const double smooth = (turns - low) / (high - low);
        f = (1 - smooth) * f / factor + smooth * f;
      }
    }
    frequencies.push_back(f);
  }
  return frequencies;
}

HostRopeTable MakeRopeTable(const RopeConfig& rope, std::int64_t dim, std::int64_t positions,
                            NumericsMode numerics) {
  const std::vector<double> frequencies = RopeFrequencies(rope, dim);
  HostRopeTable table;
  table.cos.reserve(static_cast<std::size_t>(positions) * frequencies.size());
  table.sin.reserve(static_cast<std::size_t>(positions) * frequencies.size());
  for (std::int64_t p = 0; p < positions; ++p) {
    for (const double f : frequencies) {
      const double angle = numerics == NumericsMode::kHfExact
                               ? static_cast<double>(static_cast<float>(p) * static_cast<float>(f))
                               : static_cast<double>(p) * f;
      table.cos.push_back(static_cast<float>(std::cos(angle)));
      table.sin.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  return table;
}

}  // namespace engine
