// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/arena.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/bf16.h"
#include "kernels/element.h"

namespace kernels::testing {
namespace {

constexpr std::size_t kGuard = 256;
constexpr std::byte kGuardByte{0xa5};
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

double Magnitude(Random& random, double lowest, double highest) {
  const double sign = random.Uniform() < 0.5 ? -1.0 : 1.0;
  return sign * std::exp2(lowest + (highest - lowest) * random.Uniform());
}

double Special(Random& random) {
  const double u = random.Uniform();
  if (u < 0.01) {
    return kInf;
  }
  if (u < 0.02) {
    return -kInf;
  }
  return u < 0.03 ? kNan : 2.0 * random.Uniform() - 1.0;
}

double Value(Random& random, Fill fill, std::int64_t i) {
  constexpr double kTied[] = {-1.0, 0.0, 0.5, 2.0};
  switch (fill) {
    case Fill::kUniform:
      return 2.0 * random.Uniform() - 1.0;
    case Fill::kWide:
      return Magnitude(random, -30, 30);
    case Fill::kHuge:
      return Magnitude(random, 100, 127);
    case Fill::kSubnormal:
      return Magnitude(random, -149, -126);
    case Fill::kSpecial:
      return Special(random);
    case Fill::kNanRow:
      return kNan;
    case Fill::kOneHot:
      return i == 0 ? 1.0 : 0.0;
    case Fill::kTies:
      return kTied[random.Next() % 4];
    case Fill::kZero:
      break;
  }
  return 0.0;
}

}  // namespace

std::uint64_t Random::Next() {
  state_ += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double Random::Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

std::byte* Arena::Allocate(std::size_t element, std::int64_t count, bool output, bool floats,
                           DType dtype) {
  const std::size_t size = static_cast<std::size_t>(count) * element;
  const std::size_t total = size + 2 * kGuard + 64 + offset_ * element;
  Buffer& buffer = buffers_.emplace_back(
      Buffer{std::vector<std::byte>(total, kGuardByte), 0, size, output, floats, dtype});
  const auto address = reinterpret_cast<std::uintptr_t>(buffer.bytes.data()) + kGuard;
  buffer.begin = kGuard + (64 - address % 64) % 64 + offset_ * element;
  return buffer.bytes.data() + buffer.begin;
}

ConstView Arena::Input(DType dtype, std::int64_t count, Fill fill) {
  const View view{Allocate(ByteSize(dtype), count, false, true, dtype),
                  static_cast<std::size_t>(count), dtype};
  for (std::int64_t i = 0; i < count; ++i) {
    Put(view, i, Value(random_, fill, i));
  }
  return view;
}

View Arena::Output(DType dtype, std::int64_t count) {
  const View view{Allocate(ByteSize(dtype), count, true, true, dtype),
                  static_cast<std::size_t>(count), dtype};
  for (std::int64_t i = 0; i < count; ++i) {
    Put(view, i, kNan);
  }
  return view;
}

bool Arena::GuardsIntact() const {
  return std::all_of(buffers_.begin(), buffers_.end(), [](const Buffer& buffer) {
    const auto is_guard = [](std::byte b) { return b == kGuardByte; };
    const auto begin = buffer.bytes.begin() + static_cast<std::ptrdiff_t>(buffer.begin);
    return std::all_of(buffer.bytes.begin(), begin, is_guard) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(buffer.size), buffer.bytes.end(),
                       is_guard);
  });
}

std::vector<std::byte> Arena::Outputs() const {
  std::vector<std::byte> all;
  for (const Buffer& buffer : buffers_) {
    if (!buffer.output) {
      continue;
    }
    std::vector<std::byte> bytes(
        buffer.bytes.begin() + static_cast<std::ptrdiff_t>(buffer.begin),
        buffer.bytes.begin() + static_cast<std::ptrdiff_t>(buffer.begin + buffer.size));
    if (buffer.floats) {
      const std::size_t element = ByteSize(buffer.dtype);
      const View view{bytes.data(), buffer.size / element, buffer.dtype};
      for (std::int64_t i = 0; i < static_cast<std::int64_t>(view.count); ++i) {
        if (std::isnan(At(view, i))) {
          Put(view, i, kNan);
        }
      }
    }
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

}  // namespace kernels::testing
