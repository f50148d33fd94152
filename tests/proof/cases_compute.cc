// SPDX-License-Identifier: Apache-2.0
// cases_compute.cc: arithmetic, small matrix and row cases; everything stays in the first-level
// cache.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "proof_cases.h"

namespace proof {
namespace {

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = random.unit();
  return values;
}

std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
    table[byte] = crc;
  }
  return table;
}

// exp(x) for x <= 0 as 2^whole * 2^part, the second factor by its series to degree 5.
float small_exp(float x) {
  const float scaled = std::max(x * 1.44269504F, -126.0F);
  const int whole = static_cast<int>(scaled) - 1;
  const float part = (scaled - static_cast<float>(whole)) * 0.69314718F;
  const float series =
      1.0F + part * (1.0F + part * (0.5F + part * (0.16666667F +
                                                   part * (0.041666667F + part * 0.0083333333F))));
  return series * std::bit_cast<float>((whole + 127) << 23);
}

}  // namespace

std::uint64_t horner(int count) {
  static const std::vector<float> points = random_floats(1024, 1);
  const std::span<const float> ring(points);
  double sum = 0;
  for (int u = 0; u < count; ++u) {
    const double x = ring_at(ring, u);
    double y = 0.1;
    for (const double coefficient : {0.9, -0.8, 0.7, -0.6, 0.5, -0.4, 0.3, -0.2}) {
      y = y * x + coefficient;
    }
    sum += y;
  }
  return std::bit_cast<std::uint64_t>(sum);
}

std::uint64_t multiply_add_chain(int count) {
  double x = 1.0;
  for (int u = 0; u < count; ++u) {
    x = x * 0.75 + 0.50;
    x = x * 0.50 + 0.25;
    x = x * 0.25 + 0.75;
    x = x * 0.75 + 0.25;
  }
  return std::bit_cast<std::uint64_t>(x);
}

std::uint64_t mix_hash(int count) {
  std::uint64_t hash = 1;
  for (int u = 0; u < count; ++u) {
    hash += 0x9E3779B97F4A7C15;
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EB;
    hash ^= hash >> 31;
  }
  return hash;
}

std::uint64_t crc32(int count) {
  static const std::array<std::uint32_t, 256> table = make_crc_table();
  static const std::vector<std::uint64_t> words = [] {
    Random random(2);
    std::vector<std::uint64_t> values(512);
    for (auto& value : values) value = random.next();
    return values;
  }();
  const std::span<const std::uint64_t> ring(words);
  std::uint32_t crc = 0xFFFFFFFF;
  for (int u = 0; u < count; ++u) {
    std::uint64_t word = ring_at(ring, u);
    for (int byte = 0; byte < 8; ++byte, word >>= 8) {
      crc = (crc >> 8) ^ table[(crc ^ word) & 0xFF];
    }
  }
  return crc;
}

// One unit: an 8 x 8 product added to an 8 x 8 accumulator.
std::uint64_t matrix_multiply(int count) {
  constexpr int kSize = 8;
  struct Matrix {
    float at[kSize][kSize];
  };
  static const std::vector<Matrix> matrices = [] {
    Random random(3);
    std::vector<Matrix> made(16);
    for (Matrix& matrix : made) {
      for (auto& row : matrix.at) {
        for (float& value : row) value = random.unit() - 0.5F;
      }
    }
    return made;
  }();
  const std::span<const Matrix> ring(matrices);
  Matrix sum{};
  for (int u = 0; u < count; ++u) {
    const Matrix& a = ring_at(ring, u);
    const Matrix& b = ring_at(ring, u + 5);
    for (int i = 0; i < kSize; ++i) {
      for (int k = 0; k < kSize; ++k) {
        for (int j = 0; j < kSize; ++j) sum.at[i][j] += a.at[i][k] * b.at[k][j];
      }
    }
  }
  return std::bit_cast<std::uint32_t>(sum.at[1][2]) ^ std::bit_cast<std::uint32_t>(sum.at[7][5]);
}

// One unit: softmax over a row of 32.
std::uint64_t row_softmax(int count) {
  constexpr int kColumns = 32;
  static const std::vector<float> rows = random_floats(std::size_t{64} * kColumns, 4);
  std::array<float, kColumns> out{};
  double check = 0;
  for (int u = 0; u < count; ++u) {
    const float* row = rows.data() + std::size_t{static_cast<unsigned>(u) & 63} * kColumns;
    float largest = row[0];
    for (int j = 1; j < kColumns; ++j) largest = std::max(largest, row[j]);
    float sum = 0;
    for (std::size_t j = 0; j < kColumns; ++j) {
      out[j] = small_exp(row[j] - largest);
      sum += out[j];
    }
    const float scale = 1.0F / sum;
    for (float& value : out) value *= scale;
    check += out[static_cast<unsigned>(u) % kColumns];
  }
  return std::bit_cast<std::uint64_t>(check);
}

}  // namespace proof
