// SPDX-License-Identifier: Apache-2.0
// isa.h: the instruction set levels that the CPU kernels are compiled for.
//
// Levels are ordered; each contains the ones below it. All of them give the same bits and differ
// only in time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kernels {

enum class Isa : std::uint8_t {
  kGeneric,  // whatever the compiler's default target is; SSE2 on x86-64
  kAvx2,     // AVX2 and FMA
  kAvx512,   // AVX-512 F, BW, DQ and VL
};

inline constexpr std::array kAllIsas = {Isa::kGeneric, Isa::kAvx2, Isa::kAvx512};

std::string_view Name(Isa isa);

// "generic", "avx2" or "avx512"; nothing for any other name.
std::optional<Isa> IsaFromName(std::string_view name);

// The highest level that this build contains, this CPU has, and the operating system saves the
// registers of. Asked once per process.
Isa BestIsa();

}  // namespace kernels
