// SPDX-License-Identifier: Apache-2.0
#include "kernels/isa.h"

#include <gtest/gtest.h>

#include "kernels/registry.h"

namespace kernels {
namespace {

TEST(Isa, NamesRoundTrip) {
  for (const Isa isa : kAllIsas) {
    EXPECT_EQ(IsaFromName(Name(isa)), isa);
  }
  EXPECT_EQ(IsaFromName("avx"), std::nullopt);
  EXPECT_EQ(IsaFromName(""), std::nullopt);
}

#if KERNELS_X86
// The compiler's own detection, written by other people, as the oracle.
TEST(Isa, AgreesWithTheCompilersDetection) {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  EXPECT_EQ(BestIsa() >= Isa::kAvx2, avx2);
  EXPECT_EQ(BestIsa() >= Isa::kAvx512, avx512);
}
#endif

TEST(Isa, AskingForMoreThanTheMachineHasIsAnError) {
  float total = 0;
  const SumArgs args{{0, DType::kF32}, {}, View{std::span(&total, 1)}};
  const Context context{static_cast<Isa>(static_cast<int>(BestIsa()) + 1)};
  EXPECT_THROW(kernels::Run(*Find<SumArgs>("vector"), args, context), Error);
  EXPECT_NO_THROW(kernels::Run(*Find<SumArgs>("vector"), args, Context{Isa::kGeneric}));
}

}  // namespace
}  // namespace kernels
