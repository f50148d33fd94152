// SPDX-License-Identifier: Apache-2.0
// describe.h: the words with which an op's file writes its shapes and counts its work.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "kernels/types.h"

namespace kernels {

struct NamedSize {
  std::string_view key;
  std::int64_t value;
};

// "rows:2/cols:3/dtype:f32"
std::string JoinSizes(std::initializer_list<NamedSize> sizes, std::string_view dtype);

// "f32_to_bf16"
std::string FromTo(DType from, DType to);

double Product(std::initializer_list<std::int64_t> sizes);

inline double ByteCount(DType dtype) { return static_cast<double>(ByteSize(dtype)); }

}  // namespace kernels
