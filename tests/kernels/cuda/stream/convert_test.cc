// SPDX-License-Identifier: Apache-2.0
// Conversions on the device against the CPU's, in every bit, NaNs included: all values of the
// narrow types; of f32 all signs, exponents and roundings, and random ones.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/case_name.h"
#include "kernels/cuda/registry.h"
#include "kernels/cuda/runtime/queue.h"
#include "tests/kernels/arena.h"
#include "tests/kernels/cuda/device_buffer.h"

namespace kernels::testing {
namespace {

std::vector<std::byte> Bytes(const std::vector<std::uint32_t>& values, std::size_t size) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t value : values) {
    for (std::size_t i = 0; i < size; ++i) {
      bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    }
  }
  return bytes;
}

std::vector<std::byte> Values(DType dtype) {
  std::vector<std::uint32_t> values;
  if (dtype != DType::kF32) {
    const std::uint32_t count = ByteSize(dtype) == 2 ? 0x10000 : 0x100;
    for (std::uint32_t i = 0; i < count; ++i) {
      values.push_back(i);
    }
    return Bytes(values, ByteSize(dtype));
  }
  // Lower halves that are ties, beside ties, or nothing, for each kind of target.
  constexpr std::uint32_t kLow[] = {0,      1,      0x0fff, 0x1000, 0x1001, 0x2000, 0x3000,
                                    0x7fff, 0x8000, 0x8001, 0xefff, 0xf000, 0xffff};
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    for (const std::uint32_t low : kLow) {
      values.push_back(high << 16 | low);
    }
  }
  Random random(23);
  for (int i = 0; i < 1000000; ++i) {
    values.push_back(static_cast<std::uint32_t>(random.Next()));
  }
  return Bytes(values, 4);
}

TEST(CudaConvert, HasTheBitsOfTheCpu) {
  cuda::Gpu gpu;
  cuda::Queue queue(gpu);
  constexpr DType kAll[] = {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3};
  for (const DType from : kAll) {
    const std::vector<std::byte> x = Values(from);
    const DeviceBuffer<std::byte> device_x(x);
    for (const DType to : kAll) {
      if (from == to) {
        continue;
      }
      const auto count = static_cast<std::int64_t>(x.size() / ByteSize(from));
      const auto size = static_cast<std::size_t>(count);
      std::vector<std::byte> want(size * ByteSize(to));
      const ConvertShape shape{count, from, to};
      kernels::Run(*Find<ConvertArgs>("reference"),
                   ConvertArgs{shape, {x.data(), size, from}, {want.data(), size, to}});
      for (const auto& row : cuda::AllRows<ConvertArgs>()) {
        SCOPED_TRACE(CaseName(row, shape));
        const DeviceBuffer<std::byte> y(std::vector<std::byte>(want.size(), std::byte{0xa5}));
        cuda::Run(row, ConvertArgs{shape, {device_x.data(), size, from}, {y.data(), size, to}},
                  queue);
        queue.Wait();
        const std::vector<std::byte> got = y.Host();
        for (std::size_t i = 0; i < got.size(); ++i) {
          ASSERT_EQ(got[i], want[i]) << "byte " << i << " of element " << i / ByteSize(to);
        }
      }
    }
  }
}

}  // namespace
}  // namespace kernels::testing
