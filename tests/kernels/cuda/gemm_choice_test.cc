// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/cuda/dot/gemm_plans.h"

namespace kernels::cuda {
namespace {

TEST(GemmChoice, IsDescribedInCublasLtsNumbers) {
  EXPECT_EQ(Describe(GemmChoice{}), "none");
  GemmChoice choice{.found = true,
                    .algorithm = 66,
                    .tile = 18,
                    .stages = 35,
                    .split_k = 4,
                    .reduction = 2,
                    .swizzle = 1,
                    .custom = 5,
                    .inner_shape = 3,
                    .cluster_shape = 9,
                    .workspace = 4096,
                    .rank = 2};
  const std::string untimed =
      "algorithm:66 tile:18 stages:35 split_k:4 reduction:2 swizzle:1 custom:5 inner_shape:3 "
      "cluster_shape:9 workspace:4096 rank:2";
  EXPECT_EQ(Describe(choice), untimed);
  choice.timed = 8;
  choice.microseconds = 7.904;
  EXPECT_EQ(Describe(choice), untimed + " timed:8 us:7.90");
}

}  // namespace
}  // namespace kernels::cuda
