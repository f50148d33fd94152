// SPDX-License-Identifier: Apache-2.0
// Every implementation in the registry against its op's reference, at every level that this machine
// has, on all shapes, dtypes, kinds of input and alignments. A new row is tested without a line
// here.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/registry.h"
#include "tests/kernels/compare.h"
#include "tests/kernels/problem.h"

namespace kernels::testing {
namespace {

template <class Args>
struct Tester {
  using Shape = typename Args::Shape;
  static constexpr std::uint64_t kSeed = 20240229;

  // Levels above the lowest are compared with that one, bit for bit.
  void Row(const Row<Args>& row, const Shape& shape, std::size_t offset) {
    const Context generic{Isa::kGeneric};
    Arena want_arena(kSeed, offset);
    const auto want = Make<Args>(shape, fill_, want_arena);
    Run(Table<Args>::rows[0], want.args, generic);
    std::vector<std::byte> first;
    for (const Isa isa : kAllIsas) {
      if (isa > BestIsa() || isa < row.isa) {
        continue;
      }
      SCOPED_TRACE(std::string(Table<Args>::op) + "/impl:" + std::string(row.impl) + "/" +
                   Describe(shape) + " isa " + std::string(Name(isa)) + " fill " +
                   std::to_string(static_cast<int>(fill_)) + " offset " + std::to_string(offset));
      Arena arena(kSeed, offset);
      const auto got = Make<Args>(shape, fill_, arena);
      kernels::Run(row, got.args, Context{isa});
      ASSERT_TRUE(arena.GuardsIntact());
      const std::vector<std::byte> bits = arena.Outputs();
      if (got.outputs.empty() || row.numerics == Numerics::kExact) {
        ASSERT_EQ(bits, want_arena.Outputs());
      }
      kernels::Run(row, got.args, Context{isa});
      ASSERT_EQ(bits, arena.Outputs()) << "second run differs";
      if (first.empty()) {
        double relative_l2 = 0;
        CompareOutputs(got, want, &relative_l2);
        if (fill_ == Fill::kUniform) {
          relative_l2_ = std::max(relative_l2_, relative_l2);
        }
        if (::testing::Test::HasFatalFailure()) {
          return;
        }
        first = bits;
      }
      ASSERT_EQ(bits, first) << "differs from the lowest level";
      ++checked_;
    }
  }

  void operator()() {
    for (const auto& row : Table<Args>::rows) {
      relative_l2_ = 0;
      checked_ = 0;
      for (Shape shape : Shapes<Args>()) {
        for (const DType dtype :
             {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3, DType::kU8}) {
          shape.dtype = dtype;
          if (!row.dtypes.Has(dtype) || !row.supports(shape).empty()) {
            continue;
          }
          for (const Fill fill : Fills<Args>()) {
            fill_ = fill;
            for (const std::size_t offset : {0U, 1U, 3U}) {
              Row(row, shape, offset);
              if (::testing::Test::HasFatalFailure()) {
                return;
              }
            }
          }
        }
      }
      const bool absent = row.impl == "blas" && checked_ == 0;
      EXPECT_TRUE(checked_ > 0 || absent) << Table<Args>::op << " " << row.impl;
      const bool long_sums = Table<Args>::op == "gemv" || Table<Args>::op == "gemm" ||
                             Table<Args>::op == "gemv_mxfp4" ||
                             Table<Args>::op == "decode_attention" || Table<Args>::op == "sum";
      EXPECT_LE(relative_l2_, long_sums ? 1e-5 : 1e-6) << Table<Args>::op << " " << row.impl;
      std::printf("%-18s %-10s %6d runs, relative L2 %.1e\n", Table<Args>::op.data(),
                  row.impl.data(), checked_, relative_l2_);
    }
  }

  Fill fill_ = Fill::kUniform;
  double relative_l2_ = 0;
  int checked_ = 0;
};

TEST(Conformance, EveryRowAgreesWithItsReference) {
  ForEachOp([]<class Args>() {
    if (!::testing::Test::HasFatalFailure()) {
      Tester<Args>{}();
    }
  });
}

TEST(Conformance, TablesAreWellFormed) {
  ForEachOp([]<class Args>() {
    ASSERT_FALSE(Table<Args>::rows.empty());
    EXPECT_EQ(Table<Args>::rows[0].impl, "reference") << Table<Args>::op;
    for (const auto& row : Table<Args>::rows) {
      EXPECT_EQ(Find<Args>(row.impl), &row) << "two rows of one name: " << row.impl;
      EXPECT_NE(row.launch, nullptr);
    }
    EXPECT_EQ(Find<Args>("no such"), nullptr);
  });
}

}  // namespace
}  // namespace kernels::testing
