// SPDX-License-Identifier: Apache-2.0
// A large case that kernels_cuda_bench_slower leaves as it is would be a slowdown that no gate can
// find. Cases of few rows stay as they are: there is no row to add.
#include "suites/cuda/slower.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "kernels/case_name.h"
#include "suites/kernel_cases.h"

namespace suites {
namespace {

// What a case of this size or more moves, less what does not grow with it: tables, a vector.
constexpr double kLarge = 64e6;

TEST(Slower, EveryLargeCaseButMatrixProductsMovesOnePercentMore) {
  int grown = 0;
  kernels::ForEachOp([&]<class Args>() {
    for (const auto& shape : CasesOf<Args>().cuda) {
      SCOPED_TRACE(std::string(kernels::Table<Args>::op) + "/" + kernels::Describe(shape));
      const auto bytes = static_cast<double>(kernels::CostOf(shape).bytes);
      const double more = static_cast<double>(kernels::CostOf(Slower(shape, 0.01)).bytes) / bytes;
      if (std::is_same_v<Args, kernels::GemmArgs>) {
        EXPECT_EQ(more, 1.0);
      } else if (bytes >= kLarge) {
        EXPECT_NEAR(more, 1.01, 5e-4);
        ++grown;
      }
    }
  });
  EXPECT_GT(grown, 20);
}

}  // namespace
}  // namespace suites
