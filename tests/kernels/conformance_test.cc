// SPDX-License-Identifier: Apache-2.0
// Every implementation in the registry against its op's reference, at every level that this machine
// has, on all shapes, dtypes, kinds of input and alignments. Conformance.OP_IMPL is the test of one
// implementation; a new row is tested without a line here.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/registry.h"
#include "tests/kernels/compare.h"
#include "tests/kernels/per_row.h"
#include "tests/kernels/problem.h"

namespace kernels::testing {
namespace {

template <class Args>
class RowTester {
 public:
  using Shape = typename Args::Shape;
  static constexpr std::uint64_t kSeed = 20240229;

  explicit RowTester(const Row<Args>& row) : row_(row) {}

  void TryAll() {
    const Trials<Args> trials = TrialsOf<Args>();
    for (Shape shape : trials.shapes) {
      for (const DType dtype : kAllDTypes) {
        shape.dtype = dtype;
        if (!Unsupported(row_, shape).empty()) {
          continue;
        }
        for (const Fill fill : trials.fills) {
          for (const std::size_t offset : {0U, 1U, 3U}) {
            Try(shape, fill, offset);
            if (::testing::Test::HasFatalFailure()) {
              return;
            }
          }
        }
      }
    }
    const bool absent = row_.impl == "blas" && checked_ == 0;
    EXPECT_TRUE(checked_ > 0 || absent);
    const bool long_sums = Table<Args>::op == "gemv" || Table<Args>::op == "gemm" ||
                           Table<Args>::op == "gemv_mxfp4" ||
                           Table<Args>::op == "decode_attention" || Table<Args>::op == "sum";
    EXPECT_LE(relative_l2_, long_sums ? 1e-5 : 1e-6);
    PrintRuns(row_, checked_, relative_l2_);
  }

 private:
  // Levels above the lowest are compared with that one, bit for bit.
  void Try(const Shape& shape, Fill fill, std::size_t offset) {
    Arena want_arena(kSeed, offset);
    const auto want = Make<Args>(shape, fill, want_arena);
    Run(Table<Args>::rows[0], want.args, Context{Isa::kGeneric});
    std::vector<std::byte> first;
    for (const Isa isa : kAllIsas) {
      if (isa > BestIsa() || isa < row_.isa) {
        continue;
      }
      SCOPED_TRACE(Trace(row_, shape, fill, offset) + " isa " + std::string(Name(isa)));
      Arena arena(kSeed, offset);
      const auto got = Make<Args>(shape, fill, arena);
      kernels::Run(row_, got.args, Context{isa});
      ASSERT_TRUE(arena.GuardsIntact());
      const std::vector<std::byte> bits = arena.Outputs();
      if (got.outputs.empty() || row_.numerics == Numerics::kExact) {
        ASSERT_EQ(bits, want_arena.Outputs());
      }
      kernels::Run(row_, got.args, Context{isa});
      ASSERT_EQ(bits, arena.Outputs()) << "second run differs";
      if (first.empty()) {
        double relative_l2 = 0;
        CompareOutputs(got, want, &relative_l2);
        if (fill == Fill::kUniform) {
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

  const Row<Args>& row_;
  double relative_l2_ = 0;
  int checked_ = 0;
};

const bool kRegistered = [] {
  ForEachOp([]<class Args>() {
    for (const Row<Args>& row : Table<Args>::rows) {
      RegisterTestOf("Conformance", row, __FILE__, __LINE__,
                     [&row] { RowTester<Args>(row).TryAll(); });
    }
  });
  return true;
}();

TEST(ConformanceTables, AreWellFormed) {
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
