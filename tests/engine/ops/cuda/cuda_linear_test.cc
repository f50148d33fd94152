// SPDX-License-Identifier: Apache-2.0
// Products on a GPU: those of the CPU, and each fused entry is its composition.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/ops/cuda/device_bench.h"

namespace engine {
namespace {

// What several rows with bf16 weights may be off, since they are rounded to bf16; f32 sums else.
double BoundOf(DType type, std::int64_t rows) {
  return rows > 1 && type != DType::kF32 ? 4e-3 : 1e-5;
}

struct Case {
  std::int64_t rows, n, k;
  DType type;
};

std::string Text(const Case& c) {
  return std::to_string(c.rows) + " rows, " + std::to_string(c.n) + " x " + std::to_string(c.k) +
         " " + std::string(Name(c.type));
}

// Widths with every kind of tail, two rows per warp, teams of 4 and 16, rows of several blocks.
std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const DType type : {DType::kF32, DType::kBf16}) {
    for (const auto& [n, k] :
         std::initializer_list<std::pair<std::int64_t, std::int64_t>>{{70, 96},
                                                                      {64, 136},
                                                                      {34, 33},
                                                                      {9000, 64},
                                                                      {6000, 800},
                                                                      {256, 2048},
                                                                      {300, 5000},
                                                                      {8, 20000}}) {
      for (const std::int64_t rows : {1, 3, 17}) {
        cases.push_back({rows, n, k, type});
      }
    }
  }
  for (const std::int64_t rows : {1, 3, 9, 33}) {
    cases.push_back({rows, 70, 64, DType::kU8});
    cases.push_back({rows, 160, 2880, DType::kU8});
  }
  return cases;
}

TEST(CudaOps, ProductsAreThoseOfTheCpu) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(Text(c));
    const auto run = [&](Bench bench) {
      const Weight parts[] = {bench.Matrix(c.n, c.k, c.type, 1, true),
                              bench.Matrix(c.n / 2, c.k, c.type, 3)};
      const Rows x = bench.Sheet(c.rows, c.k, 5);
      const Rows y = bench.Sheet(c.rows, c.n + c.n / 2);
      bench.ops().Linear(x, parts, y);
      return bench.Get(y);
    };
    EXPECT_LT(RelativeL2(run(Gpu()), run(Cpu())), BoundOf(c.type, c.rows));
  }
}

TEST(CudaOps, FusedEntriesAreThoseOfTheCpu) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(Text(c));
    const auto run = [&](Bench bench) {
      const std::int64_t pairs = c.n / 2 * 2;
      const ConstView norm_weight = bench.Floats(Random(Index(c.k), 1));
      const Weight up = bench.Matrix(pairs, c.k, c.type, 2);
      const Weight other = bench.Matrix(c.n, c.k, c.type, 3, true);
      const Weight last = bench.Matrix(c.n, c.k, c.type, 4, true);
      const Rows x = bench.Sheet(c.rows, c.k, 5), norm = bench.Sheet(c.rows, c.k);
      const Rows y = bench.Sheet(c.rows, c.n);
      const Rows gate_up = bench.Sheet(c.rows, pairs), ffn = bench.Sheet(c.rows, pairs / 2);
      const Rows sum = bench.Sheet(c.rows, c.n, 6), product = bench.Sheet(c.rows, c.n);
      bench.ops().NormLinear(x, norm_weight, 1e-5F, {&other, 1}, norm, y);
      bench.ops().NormGateUpSilu(x, norm_weight, 1e-5F, {&up, 1}, norm, gate_up, ffn);
      bench.ops().LinearResidual(x, last, product, sum);
      return std::vector{bench.Get(y), bench.Get(ffn), bench.Get(sum)};
    };
    const auto gpu = run(Gpu()), cpu = run(Cpu());
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_LT(RelativeL2(gpu[i], cpu[i]), 3 * BoundOf(c.type, c.rows)) << "entry " << i;
    }
  }
}

// One row: the norm is taken in another order, all else has the bits of one op after the other.
TEST(CudaOps, FusedEntriesAreTheirCompositions) {
  for (const Case& c : Cases()) {
    SCOPED_TRACE(Text(c));
    for (const Toggle fuse_norm : {Toggle::kAuto, Toggle::kOff}) {
      EngineOptions options = OnGpu();
      options.fuse_norm = fuse_norm;
      Bench bench = Gpu(options);
      Ops& ops = bench.ops();
      const std::int64_t pairs = c.n / 2 * 2;
      const ConstView norm_weight = bench.Floats(Random(Index(c.k), 1));
      const Weight up = bench.Matrix(pairs, c.k, c.type, 2);
      const Weight last = bench.Matrix(c.n, c.k, c.type, 4, true);
      const Rows x = bench.Sheet(c.rows, c.k, 5), norm = bench.Sheet(c.rows, c.k);
      const Rows gate_up = bench.Sheet(c.rows, pairs), ffn = bench.Sheet(c.rows, pairs / 2);
      const Rows composed = bench.Sheet(c.rows, pairs / 2);
      ops.NormGateUpSilu(x, norm_weight, 1e-5F, {&up, 1}, norm, gate_up, ffn);
      ops.RmsNorm(x, norm_weight, 1e-5F, norm);
      ops.Linear(norm, {&up, 1}, gate_up);
      ops.SiluMul(gate_up, composed);
      if (c.rows == 1 && fuse_norm == Toggle::kOff) {
        EXPECT_EQ(bench.Get(ffn), bench.Get(composed));
      } else {
        EXPECT_LT(RelativeL2(bench.Get(ffn), bench.Get(composed)), BoundOf(c.type, c.rows));
      }
      const Rows sum = bench.Sheet(c.rows, c.n, 6), sum_composed = bench.Sheet(c.rows, c.n, 6);
      const Rows product = bench.Sheet(c.rows, c.n);
      ops.LinearResidual(x, last, product, sum);
      ops.Linear(x, {&last, 1}, product);
      ops.Add(product, sum_composed);
      if (c.rows == 1) {
        EXPECT_EQ(bench.Get(sum), bench.Get(sum_composed));
      } else {
        EXPECT_LT(RelativeL2(bench.Get(sum), bench.Get(sum_composed)), 1e-5);
      }
    }
  }
}

TEST(CudaOps, EveryWayToMultiply) {
  for (const auto& [gemv, gemm] :
       std::initializer_list<std::pair<Gemv, Gemm>>{{Gemv::kReference, Gemm::kOwn},
                                                    {Gemv::kOwn, Gemm::kOwn},
                                                    {Gemv::kCublasLt, Gemm::kAuto}}) {
    EngineOptions options = OnGpu();
    options.gemv = gemv;
    options.gemm = gemm;
    for (const DType type : {DType::kF32, DType::kBf16, DType::kU8}) {
      for (const std::int64_t rows : {1, 12}) {
        const auto run = [&](Bench bench) {
          const Weight weight = bench.Matrix(96, 160, type, 1, true);
          const Rows x = bench.Sheet(rows, 160, 2), product = bench.Sheet(rows, 96);
          const Rows sum = bench.Sheet(rows, 96, 3);
          bench.ops().LinearResidual(x, weight, product, sum);
          return bench.Get(sum);
        };
        const bool rounded = type != DType::kF32 && gemv == Gemv::kCublasLt;
        EXPECT_LT(RelativeL2(run(Gpu(options)), run(Cpu())), rounded ? 4e-3 : 1e-5)
            << Name(type) << ", " << rows << " rows";
      }
    }
  }
}

}  // namespace
}  // namespace engine
