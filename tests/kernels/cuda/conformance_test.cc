// SPDX-License-Identifier: Apache-2.0
// Every device:cuda row against its op's reference on the CPU, on all shapes, dtypes, kinds of
// input and alignments; run twice for equal bits, with guard bytes around the outputs. A new row is
// tested without a line here.
//
// CudaConformance.OP_IMPL reaches every path once and is what compute-sanitizer is run on;
// CudaConformanceInputs.OP_IMPL tries the other inputs and alignments.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/cuda/registry.h"
#include "kernels/cuda/runtime/queue.h"
#include "tests/kernels/compare.h"
#include "tests/kernels/cuda/mirror.h"
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

  void EveryPath() {
    const Trials<Args> trials = TrialsOf<Args>();
    TryAll(trials.shapes, {Fill::kUniform}, {0U, 1U});
    TryAll(trials.large, {Fill::kUniform}, {0U});
    Finish();
  }

  void OtherInputs() {
    const Trials<Args> trials = TrialsOf<Args>();
    TryAll(trials.shapes, trials.fills, {0U, 1U, 3U});
    Finish();
  }

 private:
  void TryAll(const std::vector<Shape>& shapes, const std::vector<Fill>& fills,
              std::initializer_list<std::size_t> offsets) {
    if (gpu_.limits().sm < row_.min_sm) {
      return;
    }
    for (Shape shape : shapes) {
      for (const DType dtype : kAllDTypes) {
        shape.dtype = dtype;
        if (!Unsupported(row_, shape).empty() ||
            !Unsupported(Table<Args>::rows[0], shape).empty()) {
          continue;
        }
        for (const Fill fill : fills) {
          for (const std::size_t offset : offsets) {
            if (!::testing::Test::HasFatalFailure()) {
              Try(shape, fill, offset);
            }
          }
        }
      }
    }
  }

  void Try(const Shape& shape, Fill fill, std::size_t offset) {
    SCOPED_TRACE(Trace(row_, shape, fill, offset));
    Arena want_arena(kSeed, offset);
    const auto want = Make<Args>(shape, fill, want_arena);
    kernels::Run(Table<Args>::rows[0], want.args);

    Arena arena(kSeed, offset);
    const auto got = Make<Args>(shape, fill, arena);
    Mirror mirror;
    const Args args = mirror.ToDevice(got.args);
    cuda::Run(row_, args, queue_);
    queue_.Wait();
    mirror.ToHost();
    ASSERT_TRUE(mirror.GuardsIntact());
    const std::vector<std::byte> bits = arena.Outputs();
    if (got.outputs.empty() || row_.numerics == Numerics::kExact) {
      ASSERT_EQ(bits, want_arena.Outputs());
    }
    double relative_l2 = 0;
    CompareOutputs(got, want, &relative_l2);
    if (fill == Fill::kUniform) {
      largest_l2_ = std::max(largest_l2_, relative_l2);
    }
    cuda::Run(row_, args, queue_);
    queue_.Wait();
    mirror.ToHost();
    ASSERT_EQ(bits, arena.Outputs()) << "second run differs";
    ++checked_;
  }

  void Finish() {
    if (::testing::Test::HasFatalFailure()) {
      return;
    }
    if (gpu_.limits().sm < row_.min_sm) {
      GTEST_SKIP() << "needs sm " << row_.min_sm;
    }
    EXPECT_GT(checked_, 0);
    PrintRuns(row_, checked_, largest_l2_);
  }

  const Row<Args>& row_;
  cuda::Gpu gpu_;
  cuda::Queue queue_{gpu_};
  double largest_l2_ = 0;
  int checked_ = 0;
};

const bool kRegistered = [] {
  ForEachOp([]<class Args>() {
    for (const Row<Args>& row : cuda::AllRows<Args>()) {
      RegisterTestOf("CudaConformance", row, __FILE__, __LINE__,
                     [&row] { RowTester<Args>(row).EveryPath(); });
      RegisterTestOf("CudaConformanceInputs", row, __FILE__, __LINE__,
                     [&row] { RowTester<Args>(row).OtherInputs(); });
    }
  });
  return true;
}();

TEST(CudaTables, AreWellFormed) {
  ForEachOp([]<class Args>() {
    for (const Row<Args>& row : cuda::AllRows<Args>()) {
      EXPECT_EQ(cuda::Find<Args>(row.impl), &row) << "two rows of one name: " << row.impl;
      EXPECT_EQ(row.device, Device::kCuda);
      EXPECT_NE(row.launch, nullptr);
    }
  });
}

}  // namespace
}  // namespace kernels::testing
