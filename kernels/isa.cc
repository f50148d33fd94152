// SPDX-License-Identifier: Apache-2.0
#include "kernels/isa.h"

#if KERNELS_X86
#include <cpuid.h>
#endif

namespace kernels {
namespace {

#if KERNELS_X86
struct Registers {
  unsigned eax, ebx, ecx, edx;
};

Registers Cpuid(unsigned leaf) {
  Registers r{};
  __get_cpuid_count(leaf, 0, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

// XCR0: the register sets that the operating system saves and restores.
unsigned SavedRegisterSets() {
  unsigned low = 0;
  unsigned high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0U));
  return low;
}

constexpr bool HasAll(unsigned value, unsigned mask) { return (value & mask) == mask; }

Isa Detect() {
  // Bits as named in Intel's Software Developer's Manual, volume 2A, CPUID, and volume 1, 13.3.
  constexpr unsigned kFma = 1U << 12, kOsxsave = 1U << 27, kAvx = 1U << 28;
  constexpr unsigned kAvx2 = 1U << 5;
  constexpr unsigned kAvx512 = (1U << 16) | (1U << 17) | (1U << 30) | (1U << 31);  // F DQ BW VL
  constexpr unsigned kYmmSaved = 0x06;                                             // SSE, AVX
  constexpr unsigned kZmmSaved = 0xe6;  // and opmask, upper halves, zmm16-31

  const Registers basic = Cpuid(1);
  if (!HasAll(basic.ecx, kFma | kOsxsave | kAvx) || !HasAll(SavedRegisterSets(), kYmmSaved)) {
    return Isa::kGeneric;
  }
  const Registers extended = Cpuid(7);
  if (!HasAll(extended.ebx, kAvx2)) {
    return Isa::kGeneric;
  }
  const bool zmm = HasAll(extended.ebx, kAvx512) && HasAll(SavedRegisterSets(), kZmmSaved);
  return zmm ? Isa::kAvx512 : Isa::kAvx2;
}
#else
Isa Detect() { return Isa::kGeneric; }
#endif

}  // namespace

std::string_view Name(Isa isa) {
  switch (isa) {
    case Isa::kGeneric:
      return "generic";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
  }
  return "unknown";
}

std::optional<Isa> IsaFromName(std::string_view name) {
  for (const Isa isa : kAllIsas) {
    if (Name(isa) == name) {
      return isa;
    }
  }
  return std::nullopt;
}

Isa BestIsa() {
  static const Isa best = Detect();
  return best;
}

}  // namespace kernels
