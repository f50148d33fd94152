// SPDX-License-Identifier: Apache-2.0
#include "kernels/case_name.h"

#include <gtest/gtest.h>

#include "kernels/registry.h"

namespace kernels {
namespace {

TEST(CaseName, IsTheOpAndKeyValueParts) {
  EXPECT_EQ(CaseName(*Find<RmsNormArgs>("vector"), {256, 4096, DType::kBf16}),
            "rmsnorm/device:cpu/impl:vector/rows:256/cols:4096/dtype:bf16");
  EXPECT_EQ(CaseName(*Find<DecodeAttentionArgs>("reference"), {17, 14, 2, 64, DType::kF32}),
            "decode_attention/device:cpu/impl:reference/length:17/heads:14/kv_heads:2/dim:64/"
            "dtype:f32");
  EXPECT_EQ(Describe(GemvShape{3, 5, DType::kBf16}), "n:3/k:5/dtype:bf16");
  EXPECT_EQ(Describe(GemvShape{3, 5, DType::kBf16, 7}), "m:7/n:3/k:5/dtype:bf16");
  EXPECT_EQ(Describe(GemvMxfp4Shape{3, 64}), "n:3/k:64/dtype:mxfp4");
  EXPECT_EQ(Describe(DecodeAttentionShape{17, 14, 2, 64, DType::kBf16, 8, 32}),
            "length:17/heads:14/kv_heads:2/dim:64/dtype:bf16/batch:8/capacity:32");
  EXPECT_EQ(Describe(DecodeAttentionShape{17, 14, 2, 64, DType::kBf16, 1, 17}),
            "length:17/heads:14/kv_heads:2/dim:64/dtype:bf16");
  EXPECT_EQ(Describe(ConvertShape{5, DType::kF32}), "count:5/dtype:f32_to_bf16");
  EXPECT_EQ(Describe(ConvertShape{5, DType::kBf16}), "count:5/dtype:bf16_to_f32");
  EXPECT_EQ(Describe(ConvertShape{5, DType::kF8E4M3, DType::kF16}), "count:5/dtype:f8e4m3_to_f16");
  EXPECT_EQ(Describe(RopeAppendShape{3, 14, 2, 64, DType::kBf16}),
            "tokens:3/heads:14/kv_heads:2/dim:64/dtype:bf16");
  EXPECT_EQ(Describe(RopeAppendShape{3, 14, 2, 64, DType::kF32, DType::kBf16}),
            "tokens:3/heads:14/kv_heads:2/dim:64/dtype:f32_to_bf16");
  EXPECT_EQ(Describe(GemmShape{2, 3, 4}), "m:2/n:3/k:4/dtype:f32");
  EXPECT_EQ(Describe(GemmShape{2, 3, 4, DType::kBf16, 2}), "batch:2/m:2/n:3/k:4/dtype:bf16");
}

TEST(CostOf, FollowsTheModels) {
  EXPECT_EQ(CostOf(RmsNormShape{3, 5, DType::kBf16}).bytes, (2 * 15 + 5) * 2);
  EXPECT_EQ(CostOf(ResidualRmsNormShape{{3, 5, DType::kF32}}).bytes, (4 * 15 + 5) * 4);
  EXPECT_EQ(CostOf(SiluMulShape{3, 5, DType::kF32}).bytes, 3 * 15 * 4);
  EXPECT_EQ(CostOf(GemvShape{3, 5, DType::kBf16}).bytes, 15 * 2 + (5 + 3) * 4);
  EXPECT_EQ(CostOf(GemvShape{3, 5, DType::kBf16}).flops, 30);
  EXPECT_EQ(CostOf(GemvShape{3, 5, DType::kBf16, 7}).bytes, 15 * 2 + 7 * (5 + 3) * 4);
  EXPECT_EQ(CostOf(GemvShape{3, 5, DType::kBf16, 7}).flops, 7 * 30);
  EXPECT_EQ(CostOf(GemvMxfp4Shape{3, 64}).bytes, 3 * 34 + (64 + 3) * 4);
  EXPECT_EQ(CostOf(LogitsArgmaxShape{3, 5, DType::kBf16}).bytes, 15 * 2 + 5 * 4);
  EXPECT_EQ(CostOf(DecodeAttentionShape{7, 4, 2, 8, DType::kBf16}).bytes,
            2 * 7 * 2 * 8 * 2 + 2 * 4 * 8 * 4);
  EXPECT_EQ(CostOf(DecodeAttentionShape{7, 4, 2, 8, DType::kBf16}).flops, 2 * 2 * 7 * 4 * 8);
  EXPECT_EQ(CostOf(DecodeAttentionShape{7, 4, 2, 8, DType::kBf16, 3, 9}).bytes,
            3 * (2 * 7 * 2 * 8 * 2 + 2 * 4 * 8 * 4));
  EXPECT_EQ(CostOf(GemmShape{2, 3, 4}).flops, 48);
  EXPECT_EQ(CostOf(GemmShape{2, 3, 4, DType::kBf16, 5}).bytes, (2 * 4 + 5 * (3 * 4 + 2 * 3)) * 2);
  EXPECT_EQ(CostOf(GemmShape{2, 3, 4, DType::kBf16, 5}).flops, 5 * 48);
  EXPECT_EQ(CostOf(ConvertShape{10, DType::kF32}).bytes, 60);
  EXPECT_EQ(CostOf(ConvertShape{10, DType::kF8E4M3, DType::kF16}).bytes, 30);
  EXPECT_EQ(CostOf(RopeAppendShape{3, 4, 2, 8, DType::kF32, DType::kBf16}).bytes,
            3 * (4 + 2 * 2) * 8 * 4 + 3 * 4 * 8 * 4 + 3 * 2 * 2 * 8 * 2 + 3 * 8 * 4);
}

}  // namespace
}  // namespace kernels
