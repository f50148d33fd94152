// SPDX-License-Identifier: Apache-2.0
// Norms, draws and transfers of a GPU against those of the CPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/bf16.h"
#include "kernels/gemv_mxfp4.h"
#include "tests/engine/ops/cuda/device_bench.h"

namespace engine {
namespace {

TEST(CudaOps, NormSiluAddEmbed) {
  const auto run = [](Bench bench) {
    const Rows x = bench.Sheet(5, 37, 1), y = bench.Sheet(5, 37), sum = bench.Sheet(5, 37, 9);
    bench.ops().RmsNorm(x, bench.Floats(Random(37, 2)), 1e-5F, y);
    const Rows gate_up = bench.Sheet(2, 40000, 3), product = bench.Sheet(2, 20000);
    bench.ops().SiluMul(gate_up, product);
    bench.ops().Add(x, sum);
    const Weight table = bench.Matrix(4, 37, DType::kBf16, 4);
    const Rows embedded = bench.Sheet(5, 37);
    bench.ops().Embed(
        table, {bench.Put(std::vector<std::int32_t>{3, 0, 3, 1, 2}), nullptr, nullptr}, embedded);
    return std::vector{bench.Get(y), bench.Get(product), bench.Get(sum), bench.Get(embedded)};
  };
  const auto gpu = run(Gpu()), cpu = run(Cpu());
  EXPECT_LT(RelativeL2(gpu[0], cpu[0]), 1e-6);
  EXPECT_LT(RelativeL2(gpu[1], cpu[1]), 1e-6);
  EXPECT_EQ(gpu[2], cpu[2]);
  EXPECT_EQ(gpu[3], cpu[3]);
}

TEST(CudaOps, DrawsWhatTheCpuDraws) {
  for (const std::int64_t cols : {60, 300, 40000}) {
    std::vector<Sampling> how(6);
    for (std::size_t i = 0; i < how.size(); ++i) {
      how[i] = {i == 2 ? 0.0F : 0.5F + 0.3F * static_cast<float>(i), i == 4 ? 0.7F : 1.0F,
                i == 3 ? 5 : (i == 5 ? 70 : 0), 7 + i, 3 * i};
    }
    const auto run = [&](Bench bench) {
      std::vector<float> values = Random(Index(6 * cols), 9, 8);
      std::fill_n(values.begin() + cols, cols, std::nanf(""));
      values[Index(5 * cols) + 7] = std::numeric_limits<float>::infinity();
      const Rows logits{bench.Put(values), 6, cols};
      auto* const ids = bench.Put(std::vector<std::int32_t>(6, -1));
      auto* const ok = bench.Put(std::vector<std::uint8_t>(6, 9));
      bench.ops().Sample(logits, bench.Put(how), ids, ok);
      auto all = bench.Get(ids, 6);
      const auto fine = bench.Get(ok, 6);
      all.insert(all.end(), fine.begin(), fine.end());
      bench.ops().Argmax(logits, ids, ok);
      const auto best = bench.Get(ids, 6);
      const auto best_ok = bench.Get(ok, 6);
      all.insert(all.end(), best.begin(), best.end());
      all.insert(all.end(), best_ok.begin(), best_ok.end());
      return all;
    };
    EXPECT_EQ(run(Gpu()), run(Cpu())) << cols;
  }
}

TEST(CudaOps, UncertaintyIsThatOfTheCpu) {
  const auto run = [](Bench bench) {
    std::vector<float> values = Random(3 * 5000, 9, 8);
    values[17] = -std::numeric_limits<float>::infinity();
    auto* const out = bench.Put(std::vector<Uncertainty>(3));
    bench.ops().MeasureUncertainty({bench.Put(values), 3, 5000},
                                   bench.Put(std::vector<std::int32_t>{4, 4999, 0}), out);
    std::vector<float> all;
    for (const Uncertainty& u : bench.Get(out, 3)) {
      all.insert(all.end(), {u.log_probability, u.entropy, u.margin});
    }
    return all;
  };
  const auto gpu = run(Gpu()), cpu = run(Cpu());
  for (std::size_t i = 0; i < gpu.size(); ++i) {
    EXPECT_NEAR(gpu[i], cpu[i], 1e-5F * std::max(1.0F, std::abs(cpu[i]))) << i;
  }
}

TEST(CudaOps, TransfersOfAnySize) {
  for (const Preload preload : {Preload::kMmap, Preload::kPinned}) {
    EngineOptions options = OnGpu();
    options.preload = preload;
    Bench bench = Gpu(options);
    for (const std::size_t count : {1, 16384, 16385, 5'000'001}) {
      const std::vector<float> values = Random(count, 1);
      EXPECT_EQ(bench.Get(bench.Put(values), count), values) << count;
    }
  }
  for (const Convert convert : {Convert::kHost, Convert::kDevice}) {
    EngineOptions options = OnGpu();
    options.convert = convert;
    Bench bench = Gpu(options);
    const std::vector<float> values = Random(70001, 2);
    auto* const half = bench.Put(std::vector<kernels::Bf16>(values.size()));
    bench.ops().UploadAs({half, values.size(), DType::kBf16}, std::span<const float>(values));
    const auto got = bench.Get(half, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(got[i].bits, kernels::ToBf16(values[i]).bits) << i;
    }
  }
}

TEST(CudaOps, TheArenaIsAlignedAndFinite) {
  const std::unique_ptr<Ops> ops = MakeCudaOps(OnGpu());
  EXPECT_THROW(ops->Take(1), std::logic_error) << "nothing is reserved";
  ops->Reserve(768);
  for (const std::size_t size : {1, 257}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(ops->Take(size)) % 256, 0U);
  }
  EXPECT_THROW(ops->Take(257), std::logic_error);
}

}  // namespace
}  // namespace engine
