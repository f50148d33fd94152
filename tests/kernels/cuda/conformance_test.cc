// SPDX-License-Identifier: Apache-2.0
// Every device:cuda row against its op's reference on the CPU, on all shapes, dtypes, kinds of
// input and alignments; run twice for equal bits, with guard bytes around the outputs. A new row is
// tested without a line here.
//
// CudaConformance.OP reaches every path once and is what compute-sanitizer is run on;
// CudaConformanceInputs.OP tries the other inputs and alignments.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/cuda/registry.h"
#include "kernels/cuda/runtime/queue.h"
#include "tests/kernels/compare.h"
#include "tests/kernels/cuda/large_shapes.h"
#include "tests/kernels/cuda/mirror.h"
#include "tests/kernels/problem.h"

namespace kernels::testing {
namespace {

template <class Args>
struct Tester {
  using Shape = typename Args::Shape;
  static constexpr std::uint64_t kSeed = 20240229;

  void Once(const Row<Args>& row, const Shape& shape, Fill fill, std::size_t offset) {
    SCOPED_TRACE(CaseName(row, shape) + " fill " + std::to_string(static_cast<int>(fill)) +
                 " offset " + std::to_string(offset));
    Arena want_arena(kSeed, offset);
    const auto want = Make<Args>(shape, fill, want_arena);
    kernels::Run(Table<Args>::rows[0], want.args);

    Arena arena(kSeed, offset);
    const auto got = Make<Args>(shape, fill, arena);
    Mirror mirror;
    const Args args = mirror.ToDevice(got.args);
    cuda::Run(row, args, queue);
    queue.Wait();
    mirror.ToHost();
    ASSERT_TRUE(mirror.GuardsIntact());
    const std::vector<std::byte> bits = arena.Outputs();
    if (got.outputs.empty() || row.numerics == Numerics::kExact) {
      ASSERT_EQ(bits, want_arena.Outputs());
    }
    double relative_l2 = 0;
    CompareOutputs(got, want, &relative_l2);
    if (fill == Fill::kUniform) {
      largest_l2 = std::max(largest_l2, relative_l2);
    }
    cuda::Run(row, args, queue);
    queue.Wait();
    mirror.ToHost();
    ASSERT_EQ(bits, arena.Outputs()) << "second run differs";
    ++checked;
  }

  void All(const Row<Args>& row, Shape shape, const std::vector<Fill>& fills,
           std::initializer_list<std::size_t> offsets) {
    for (const DType dtype : {DType::kF32, DType::kBf16, DType::kF16, DType::kF8E4M3, DType::kU8}) {
      shape.dtype = dtype;
      if (!Unsupported(row, shape).empty() || !Unsupported(Table<Args>::rows[0], shape).empty()) {
        continue;
      }
      for (const Fill fill : fills) {
        for (const std::size_t offset : offsets) {
          Once(row, shape, fill, offset);
          if (::testing::Test::HasFatalFailure()) {
            return;
          }
        }
      }
    }
  }

  // try_shapes(row): All() on what the test is about.
  template <class TryShapes>
  void EachRow(TryShapes try_shapes) {
    for (const Row<Args>& row : cuda::AllRows<Args>()) {
      if (gpu.limits().sm < row.min_sm) {
        std::printf("%-18s %-10s needs sm %d\n", Table<Args>::op.data(), row.impl.data(),
                    row.min_sm);
        continue;
      }
      checked = 0;
      largest_l2 = 0;
      try_shapes(row);
      if (::testing::Test::HasFatalFailure()) {
        return;
      }
      EXPECT_GT(checked, 0) << Table<Args>::op << " " << row.impl;
      std::printf("%-18s %-10s %6d runs, relative L2 %.1e\n", Table<Args>::op.data(),
                  row.impl.data(), checked, largest_l2);
    }
  }

  void EveryPath() {
    EachRow([this](const Row<Args>& row) {
      for (const Shape& shape : Shapes<Args>()) {
        All(row, shape, {Fill::kUniform}, {0U, 1U});
      }
      for (const Shape& shape : LargeShapes<Args>()) {
        All(row, shape, {Fill::kUniform}, {0U});
      }
    });
  }

  void OtherInputs() {
    EachRow([this](const Row<Args>& row) {
      for (const Shape& shape : Shapes<Args>()) {
        All(row, shape, Fills<Args>(), {0U, 1U, 3U});
      }
    });
  }

  cuda::Gpu gpu;
  cuda::Queue queue{gpu};
  double largest_l2 = 0;
  int checked = 0;
};

template <class Args>
class EveryPath : public ::testing::Test {
  void TestBody() override { Tester<Args>().EveryPath(); }
};
template <class Args>
class OtherInputs : public ::testing::Test {
  void TestBody() override { Tester<Args>().OtherInputs(); }
};

const bool kRegistered = [] {
  ForEachOp([]<class Args>() {
    const std::string op(Table<Args>::op);
    ::testing::RegisterTest("CudaConformance", op.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            []() -> ::testing::Test* { return new EveryPath<Args>; });
    ::testing::RegisterTest("CudaConformanceInputs", op.c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, []() -> ::testing::Test* { return new OtherInputs<Args>; });
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
