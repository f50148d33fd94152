// SPDX-License-Identifier: Apache-2.0
// raw_sample.h: what either means of sampling takes down of a program at one moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace perfgate::code {

// Of each stack so much is read: what lies between a hot loop and main() rarely takes more.
inline constexpr std::size_t kStackBytes = 16384;

struct RawSample {
  std::uint64_t address = 0;   // of the instruction
  std::uint64_t link = 0;      // AArch64: the register with a leaf's return address; else 0
  std::uint64_t stack_at = 0;  // the stack pointer
  std::string_view stack;      // from there on, as many bytes as could be read
};

using TakeSample = std::function<void(const RawSample&)>;

}  // namespace perfgate::code
