// SPDX-License-Identifier: Apache-2.0
#include "engine/model/rope_table.h"

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

std::vector<float> HfRopeFrequencies(const RopeConfig& rope, std::int64_t dim) {
  const auto theta = static_cast<float>(rope.theta);
  std::vector<float> frequencies;
  for (std::int64_t i = 0; i < dim; i += 2) {
    // A number divided by a tensor is its reciprocal times the number.
    float f = 1.0F / std::pow(theta, static_cast<float>(i) / static_cast<float>(dim));
    if (rope.llama3) {
      const auto& [factor, low, high, original] = *rope.llama3;
      const auto length = static_cast<float>(original);
      const float wave = (1.0F / f) * static_cast<float>(2 * std::numbers::pi);
      const auto low_wave = static_cast<float>(static_cast<double>(original) / low);
      const auto high_wave = static_cast<float>(static_cast<double>(original) / high);
      const float plain = wave > low_wave ? f / static_cast<float>(factor) : f;
      const float smooth =
          ((1.0F / wave) * length - static_cast<float>(low)) / static_cast<float>(high - low);
      const bool between = !(wave < high_wave) && !(wave > low_wave);
      f = between ? (1.0F - smooth) * plain / static_cast<float>(factor) + smooth * plain : plain;
    }
    frequencies.push_back(f);
  }
  return frequencies;
}

HostRopeTable MakeRopeTable(const RopeConfig& rope, std::int64_t dim, std::int64_t positions,
                            NumericsMode numerics) {
  const bool exact = numerics == NumericsMode::kHfExact;
  const std::vector<double> frequencies = RopeFrequencies(rope, dim);
  const std::vector<float> hf_frequencies = HfRopeFrequencies(rope, dim);
  HostRopeTable table;
  table.cos.reserve(static_cast<std::size_t>(positions) * frequencies.size());
  table.sin.reserve(static_cast<std::size_t>(positions) * frequencies.size());
  for (std::int64_t p = 0; p < positions; ++p) {
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      const double angle = exact ? static_cast<double>(static_cast<float>(p) * hf_frequencies[i])
                                 : static_cast<double>(p) * frequencies[i];
      table.cos.push_back(static_cast<float>(std::cos(angle)));
      table.sin.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  return table;
}

}  // namespace engine
