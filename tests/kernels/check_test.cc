// SPDX-License-Identifier: Apache-2.0
// Bad arguments end in an Error that names the op and the argument, before anything is written.
#include "kernels/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kernels/registry.h"

namespace kernels {
namespace {

using ::testing::HasSubstr;

template <class Args>
std::string ErrorOf(const Args& args, std::string_view impl = "vector") {
  try {
    Run(*Find<Args>(impl), args);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

struct RmsNormCase {
  std::vector<float> x = std::vector<float>(8, 1.0F);
  std::vector<float> weight = std::vector<float>(4, 1.0F);
  std::vector<float> y = std::vector<float>(8, -7.0F);
  RmsNormArgs args{{2, 4, DType::kF32},
                   1e-5F,
                   std::span<const float>(x),
                   std::span<const float>(weight),
                   std::span(y)};
};

TEST(Check, GoodArgumentsPass) {
  RmsNormCase c;
  EXPECT_EQ(ErrorOf(c.args), "no error");
  c.args.y = std::span(c.x);
  EXPECT_EQ(ErrorOf(c.args), "no error") << "in place is allowed";
}

TEST(Check, EachWrongArgumentIsNamed) {
  const auto error = [](auto change) {
    RmsNormCase c;
    change(c);
    std::string text = ErrorOf(c.args);
    EXPECT_THAT(c.y, ::testing::Each(-7.0F)) << "written in spite of: " << text;
    return text;
  };
  EXPECT_THAT(error([](auto& c) { c.args.shape.cols = 0; }), HasSubstr("cols must be at least 1"));
  EXPECT_THAT(error([](auto& c) { c.args.shape.rows = -1; }), HasSubstr("negative"));
  EXPECT_THAT(error([](auto& c) { c.args.shape.rows = std::int64_t{1} << 61; }),
              HasSubstr("more than memory"));
  EXPECT_THAT(error([](auto& c) { c.args.x.count = 7; }),
              HasSubstr("x has 7 elements, expected 8"));
  EXPECT_THAT(error([](auto& c) { c.args.weight.data = nullptr; }), HasSubstr("weight is null"));
  EXPECT_THAT(error([](auto& c) { c.args.y.dtype = DType::kBf16; }), HasSubstr("y is bf16"));
  EXPECT_THAT(error([](auto& c) { c.args.eps = 0; }), HasSubstr("eps"));
  EXPECT_THAT(error([](auto& c) { c.args.eps = std::numeric_limits<float>::quiet_NaN(); }),
              HasSubstr("eps"));
  EXPECT_THAT(error([](auto& c) {
                c.args.x.data = reinterpret_cast<const std::byte*>(c.x.data()) + 2;
                c.args.shape.rows = 1;
              }),
              HasSubstr("x is not aligned"));
  EXPECT_THAT(error([](auto& c) {
                c.args.shape.rows = 1;
                c.args.x = {c.y.data() + 1, 4, DType::kF32};
              }),
              HasSubstr("overlap"));
  EXPECT_THAT(error([](auto& c) { c.args.shape.dtype = static_cast<DType>(9); }),
              HasSubstr("dtype not implemented"));
}

TEST(Check, RopePositionsStayInsideTheTable) {
  std::vector<float> x(4), table(2), y(4);
  std::vector<std::int32_t> positions = {0};
  RopeArgs args{{1, 1, 4, DType::kF32},
                std::span<const float>(x),
                std::span<const float>(table),
                std::span<const float>(table),
                positions,
                std::span(y)};
  EXPECT_EQ(ErrorOf(args), "no error");
  positions[0] = 1;
  EXPECT_THAT(ErrorOf(args), HasSubstr("cos has 2 elements, expected 4"));
  positions[0] = -1;
  EXPECT_THAT(ErrorOf(args), HasSubstr("position is negative"));
  args.shape.dim = 3;
  EXPECT_THAT(ErrorOf(args), HasSubstr("dim must be even"));
  args.shape = {2, 1, 2, DType::kF32};
  EXPECT_THAT(ErrorOf(args), HasSubstr("positions has 1"));
}

TEST(Check, RopeAppendSlotsAreInRangeAndDistinct) {
  std::vector<float> qkv(2 * 4 * 2), table(1), q(2 * 2 * 2), k(3 * 2), v(3 * 2);
  std::vector<std::int32_t> positions = {0, 0}, slots = {2, 0};
  RopeAppendArgs args{{2, 2, 1, 2, DType::kF32},
                      std::span<const float>(qkv),
                      std::span<const float>(table),
                      std::span<const float>(table),
                      positions,
                      slots,
                      std::span(q),
                      std::span(k),
                      std::span(v)};
  EXPECT_EQ(ErrorOf(args, "reference"), "no error");
  slots[1] = 3;
  EXPECT_THAT(ErrorOf(args, "reference"), HasSubstr("slots has 3, not in [0, 3)"));
  slots[1] = 2;
  EXPECT_THAT(ErrorOf(args, "reference"), HasSubstr("slots has 2 twice"));
  slots[1] = -1;
  EXPECT_THAT(ErrorOf(args, "reference"), HasSubstr("slots has -1"));
  slots[1] = 1;
  positions[0] = 1;
  EXPECT_THAT(ErrorOf(args, "reference"), HasSubstr("positions has 1, not in [0, 1)"));
  positions[0] = 0;
  args.v_cache = std::span(k);
  EXPECT_THAT(ErrorOf(args, "reference"), HasSubstr("overlap"));
  args.v_cache = {v.data(), v.size(), DType::kBf16};
  EXPECT_THAT(ErrorOf(args, "reference"), HasSubstr("v_cache is bf16, expected f32"));
}

TEST(Check, AttentionLengthsStayInsideTheCache) {
  std::vector<float> q(4), cache(24), out(4);
  std::vector<std::int32_t> lengths = {1, 6};
  DecodeAttentionArgs args{.shape = {3, 1, 1, 2, DType::kF32, 2, 6},
                           .q = std::span<const float>(q),
                           .k = std::span<const float>(cache),
                           .v = std::span<const float>(cache),
                           .out = std::span(out),
                           .lengths = lengths};
  for (const char* impl : {"reference", "vector"}) {
    lengths[1] = 6;
    EXPECT_EQ(ErrorOf(args, impl), "no error");
    for (const std::int32_t bad : {0, -1, 7}) {
      lengths[1] = bad;
      EXPECT_THAT(ErrorOf(args, impl), HasSubstr("outside 1..6: " + std::to_string(bad)));
    }
  }
  lengths.pop_back();
  args.lengths = lengths;
  EXPECT_THAT(ErrorOf(args), HasSubstr("lengths has 1 elements, expected 2"));
  args.lengths = {};
  args.shape.batch = 3;
  EXPECT_THAT(ErrorOf(args), HasSubstr("q has 4 elements, expected 6"));
}

TEST(Check, UnsupportedShapesSayWhy) {
  EXPECT_THAT(RopeAppendSupports({1, 1, 0, 2}), HasSubstr("kv_heads"));
  EXPECT_THAT(RopeAppendSupports({1, 1, 1, 3}), HasSubstr("dim"));
  EXPECT_THAT(RopeAppendSupports({1, 1, 1, 2, DType::kBf16, DType::kF32}), HasSubstr("cache"));
  EXPECT_EQ(RopeAppendSupports({1, 1, 1, 2, DType::kF32, DType::kBf16}), "");
  EXPECT_THAT(ConvertSupports({1, DType::kF16, DType::kF16}), HasSubstr("same dtype"));
  EXPECT_THAT(ConvertSupports({1, DType::kU8}), HasSubstr("only f32"));
  EXPECT_THAT(ConvertVectorSupports({1, DType::kF32, DType::kF16}), HasSubstr("bf16"));
  EXPECT_EQ(ConvertVectorSupports({1, DType::kBf16}), "");
  EXPECT_THAT(DecodeAttentionSupports({0, 4, 2, 8}), HasSubstr("length"));
  EXPECT_THAT(DecodeAttentionSupports({1, 5, 2, 8}), HasSubstr("multiple"));
  EXPECT_THAT(DecodeAttentionSupports({1, 4, 0, 8}), HasSubstr("multiple"));
  EXPECT_THAT(DecodeAttentionSupports({1, 4, 2, 257}), HasSubstr("dim"));
  EXPECT_EQ(DecodeAttentionSupports({1, 4, 2, 256}), "");
  EXPECT_THAT(DecodeAttentionSupports({9, 4, 2, 8, DType::kF32, 1, 8}), HasSubstr("capacity"));
  EXPECT_THAT(DecodeAttentionSupports({9, 4, 2, 8, DType::kF32, -1}), HasSubstr("batch"));
  EXPECT_EQ(DecodeAttentionSupports({9, 4, 2, 8, DType::kF32, 0, 10}), "");
  EXPECT_THAT(TopKSupports({1, 10, 11}), HasSubstr("k must be"));
  EXPECT_THAT(TopKSupports({1, 5000, 1025}), HasSubstr("k must be"));
  EXPECT_THAT(ArgmaxSupports({1, std::int64_t{1} << 31}), HasSubstr("31 bits"));
  EXPECT_EQ(Unsupported(*Find<GemmArgs>("blas"), GemmShape{1, 1, 1, DType::kBf16}),
            "dtype not implemented");
  EXPECT_THAT(GemmSupports({1, 1, 1, DType::kF32, 0}), HasSubstr("batch"));
}

TEST(Check, ElementsRejectsOverflowButNotEmptiness) {
  EXPECT_EQ(Elements("op", {3, 4}), 12U);
  EXPECT_EQ(Elements("op", {0, std::numeric_limits<std::int64_t>::max()}), 0U);
  EXPECT_THROW(Elements("op", {std::int64_t{1} << 40, std::int64_t{1} << 40}), Error);
  EXPECT_THROW(Elements("op", {0, -1}), Error);
}

TEST(Check, OutputsMayNotShareMemoryWithInputs) {
  std::vector<float> weight(12), x(4);
  const auto gemv = [&](float* y) {
    return ErrorOf(GemvArgs{{3, 4, DType::kF32},
                            std::span<const float>(weight),
                            std::span<const float>(x),
                            View{y, 3, DType::kF32}});
  };
  EXPECT_THAT(gemv(weight.data() + 9), HasSubstr("overlaps an input"));
  EXPECT_THAT(gemv(x.data()), HasSubstr("overlaps an input"));
}

}  // namespace
}  // namespace kernels
