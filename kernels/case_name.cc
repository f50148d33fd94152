// SPDX-License-Identifier: Apache-2.0
#include "kernels/case_name.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace kernels {
namespace {

struct Part {
  std::string_view key;
  std::int64_t value;
};

std::string Join(std::initializer_list<Part> parts, std::string_view dtype) {
  std::string text;
  for (const Part& part : parts) {
    text.append(part.key).append(":").append(std::to_string(part.value)).append("/");
  }
  return text.append("dtype:").append(dtype);
}

std::string Pair(DType from, DType to) {
  return std::string(Name(from)).append("_to_").append(Name(to));
}

double Product(std::initializer_list<std::int64_t> sizes) {
  double product = 1;
  for (const std::int64_t size : sizes) {
    product *= static_cast<double>(size);
  }
  return product;
}

double Size(DType dtype) { return static_cast<double>(ByteSize(dtype)); }

}  // namespace

std::string Describe(const CopyShape& s) { return Join({{"count", s.count}}, Name(s.dtype)); }
std::string Describe(const SumShape& s) { return Join({{"count", s.count}}, Name(s.dtype)); }
std::string Describe(const RmsNormShape& s) {
  return Join({{"rows", s.rows}, {"cols", s.cols}}, Name(s.dtype));
}
std::string Describe(const SoftmaxShape& s) {
  return Join({{"rows", s.rows}, {"cols", s.cols}}, Name(s.dtype));
}
std::string Describe(const SiluMulShape& s) {
  return Join({{"rows", s.rows}, {"cols", s.cols}}, Name(s.dtype));
}
std::string Describe(const RopeShape& s) {
  return Join({{"tokens", s.tokens}, {"heads", s.heads}, {"dim", s.dim}}, Name(s.dtype));
}
std::string Describe(const RopeAppendShape& s) {
  const DType cache = CacheDType(s);
  return Join({{"tokens", s.tokens}, {"heads", s.heads}, {"kv_heads", s.kv_heads}, {"dim", s.dim}},
              cache == s.dtype ? std::string(Name(cache)) : Pair(s.dtype, cache));
}
std::string Describe(const ConvertShape& s) {
  return Join({{"count", s.count}}, Pair(s.dtype, Target(s)));
}
std::string Describe(const GemvShape& s) {
  return s.m == 1 ? Join({{"n", s.n}, {"k", s.k}}, Name(s.dtype))
                  : Join({{"m", s.m}, {"n", s.n}, {"k", s.k}}, Name(s.dtype));
}
std::string Describe(const GemvMxfp4Shape& s) { return Join({{"n", s.n}, {"k", s.k}}, "mxfp4"); }
std::string Describe(const LogitsArgmaxShape& s) {
  return Join({{"vocab", s.vocab}, {"k", s.k}}, Name(s.dtype));
}
std::string Describe(const DecodeAttentionShape& s) {
  std::string text =
      Join({{"length", s.length}, {"heads", s.heads}, {"kv_heads", s.kv_heads}, {"dim", s.dim}},
           Name(s.dtype));
  // Only where they differ from what recorded names mean.
  if (s.batch != 1) {
    text.append("/batch:").append(std::to_string(s.batch));
  }
  if (Capacity(s) != s.length) {
    text.append("/capacity:").append(std::to_string(s.capacity));
  }
  return text;
}
std::string Describe(const ArgmaxShape& s) {
  return Join({{"rows", s.rows}, {"cols", s.cols}}, Name(s.dtype));
}
std::string Describe(const TopKShape& s) {
  return Join({{"rows", s.rows}, {"cols", s.cols}, {"k", s.k}}, Name(s.dtype));
}
std::string Describe(const SampleShape& s) {
  return Join({{"rows", s.rows}, {"cols", s.cols}, {"k", s.k}}, Name(s.dtype));
}
std::string Describe(const GemmShape& s) {
  // Names from before there was a batch keep their meaning.
  return s.batch == 1
             ? Join({{"m", s.m}, {"n", s.n}, {"k", s.k}}, Name(s.dtype))
             : Join({{"batch", s.batch}, {"m", s.m}, {"n", s.n}, {"k", s.k}}, Name(s.dtype));
}

Cost CostOf(const CopyShape& s) { return {2 * Product({s.count}) * Size(s.dtype), 0}; }
Cost CostOf(const SumShape& s) { return {Product({s.count}) * Size(s.dtype), Product({s.count})}; }

// Square and add, then two products.
Cost CostOf(const RmsNormShape& s) {
  const double all = Product({s.rows, s.cols});
  return {(2 * all + Product({s.cols})) * Size(s.dtype), 4 * all};
}

Cost CostOf(const ResidualRmsNormShape& s) {
  const double all = Product({s.rows, s.cols});
  return {(4 * all + Product({s.cols})) * Size(s.dtype), 5 * all};
}

// Subtract, exponential, add, scale.
Cost CostOf(const SoftmaxShape& s) {
  const double all = Product({s.rows, s.cols});
  return {2 * all * Size(s.dtype), 4 * all};
}

// Exponential, add, divide, two products.
Cost CostOf(const SiluMulShape& s) {
  const double all = Product({s.rows, s.cols});
  return {3 * all * Size(s.dtype), 5 * all};
}

Cost CostOf(const RopeShape& s) {
  const double all = Product({s.tokens, s.heads, s.dim});
  return {2 * all * Size(s.dtype) + Product({s.tokens, s.dim}) * 4, 3 * all};
}

Cost CostOf(const RopeAppendShape& s) {
  const double q = Product({s.tokens, s.heads, s.dim});
  const double kv = Product({s.tokens, s.kv_heads, s.dim});
  return {(2 * q + 2 * kv) * Size(s.dtype) + 2 * kv * Size(CacheDType(s)) +
              Product({s.tokens, s.dim}) * 4,
          3 * (q + kv)};
}

Cost CostOf(const ConvertShape& s) {
  return {Product({s.count}) * (Size(s.dtype) + Size(Target(s))), 0};
}

Cost CostOf(const GemvShape& s) {
  const double all = Product({s.n, s.k});
  const double vectors = Product({s.m});
  return {all * Size(s.dtype) + vectors * (Product({s.k}) + Product({s.n})) * 4, 2 * vectors * all};
}

// Half a byte per code and one byte per block.
Cost CostOf(const GemvMxfp4Shape& s) {
  const double all = Product({s.n, s.k});
  return {all / 2 + all / static_cast<double>(kMxfp4Block) + (Product({s.k}) + Product({s.n})) * 4,
          2 * all};
}

Cost CostOf(const LogitsArgmaxShape& s) {
  const double all = Product({s.vocab, s.k});
  return {all * Size(s.dtype) + Product({s.k}) * 4, 2 * all};
}

// Scores and weighted sum of every head; the exponentials are small beside them.
Cost CostOf(const DecodeAttentionShape& s) {
  return {2 * Product({s.batch, s.length, s.kv_heads, s.dim}) * Size(s.dtype) +
              2 * Product({s.batch, s.heads, s.dim}) * 4,
          4 * Product({s.batch, s.length, s.heads, s.dim})};
}

Cost CostOf(const ArgmaxShape& s) { return {Product({s.rows, s.cols}) * Size(s.dtype), 0}; }
Cost CostOf(const TopKShape& s) { return {Product({s.rows, s.cols}) * Size(s.dtype), 0}; }
Cost CostOf(const SampleShape& s) { return {Product({s.rows, s.cols}) * Size(s.dtype), 0}; }

Cost CostOf(const GemmShape& s) {
  const double elements =
      Product({s.m, s.k}) + Product({s.batch, s.n, s.k}) + Product({s.batch, s.m, s.n});
  return {elements * Size(s.dtype), 2 * Product({s.batch, s.m, s.n, s.k})};
}

}  // namespace kernels
