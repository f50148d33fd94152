// SPDX-License-Identifier: Apache-2.0
// The ops of a GPU against those of the CPU, op by op on the same numbers, and each fused entry
// against its composition. The CPU's are held to float64 by cpu_ops_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>

#include "engine/ops/cpu/cpu_ops.h"
#include "engine/ops/cuda_device.h"
#include "kernels/bf16.h"
#include "kernels/gemv_mxfp4.h"
#include "tests/engine/numbers.h"

namespace engine {
namespace {

EngineOptions OnGpu() {
  EngineOptions options;
  options.device = DeviceKind::kCuda;
  options.threads = 1;
  return options;
}

std::size_t Z(std::int64_t value) { return static_cast<std::size_t>(value); }

// One device's ops with memory of their own; what is put there stays.
class Bench {
 public:
  explicit Bench(std::unique_ptr<Ops> ops) : ops_(std::move(ops)) {
    ops_->Reserve(std::size_t{128} << 20);
  }
  Ops& ops() { return *ops_; }

  template <class T>
  T* Put(const std::vector<T>& values) {
    auto* const data = reinterpret_cast<T*>(ops_->Take(values.size() * sizeof(T)));
    ops_->Upload(data, values.data(), values.size() * sizeof(T));
    return data;
  }
  ConstView Floats(const std::vector<float>& values) {
    return {Put(values), values.size(), DType::kF32};
  }
  // Filled with NaN.
  Rows Sheet(std::int64_t rows, std::int64_t cols) {
    return {Put(std::vector<float>(Z(rows * cols), std::nanf(""))), rows, cols};
  }
  Rows Sheet(std::int64_t rows, std::int64_t cols, unsigned seed) {
    return {Put(Random(Z(rows * cols), seed)), rows, cols};
  }
  template <class T>
  std::vector<T> Get(const T* data, std::size_t count) {
    std::vector<T> values(count);
    ops_->Download(values.data(), data, count * sizeof(T));
    return values;
  }
  std::vector<float> Get(Rows rows) { return Get(rows.data, rows.count()); }

  // Uniform weights of [n, k], of any type.
  Weight Matrix(std::int64_t n, std::int64_t k, DType type, unsigned seed, bool bias = false) {
    Weight weight{n, k, {}, {}, {}};
    const std::vector<float> values = Random(Z(n * k), seed);
    if (type == DType::kF32) {
      weight.data = Floats(values);
    } else if (type == DType::kBf16) {
      weight.data = {Put(Halves(values)), values.size(), type};
    } else {
      std::mt19937 random(seed);
      std::vector<std::uint8_t> codes(Z(n * k / 2)), scales(Z(n * k / 32));
      for (std::uint8_t& code : codes) {
        code = static_cast<std::uint8_t>(random());
      }
      for (std::uint8_t& scale : scales) {
        scale = static_cast<std::uint8_t>(118 + random() % 10);
      }
      weight.data = {Put(codes), codes.size(), type};
      weight.scales = {Put(scales), scales.size(), type};
    }
    if (bias) {
      weight.bias = Floats(Random(Z(n), seed + 1));
    }
    return weight;
  }

 private:
  std::unique_ptr<Ops> ops_;
};

Bench Cpu() {
  EngineOptions options;
  options.threads = 1;
  return Bench(std::make_unique<CpuOps>(options));
}
Bench Gpu(const EngineOptions& options = OnGpu()) { return Bench(MakeCudaOps(options)); }

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
      const ConstView norm_weight = bench.Floats(Random(Z(c.k), 1));
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
      const ConstView norm_weight = bench.Floats(Random(Z(c.k), 1));
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

struct AttentionCase {
  std::int64_t heads, kv_heads, dim, capacity;
  DType cache;
  std::vector<std::int32_t> positions, sequences;
};

// Appends rows at positions 0, 1, ... of each sequence first, so that every cache slot that is
// seen has been written; the rest is NaN.
std::vector<float> Attended(Bench bench, const AttentionCase& c, bool fused,
                            std::vector<float>* rotated) {
  const AttentionShape shape{c.heads, c.kv_heads, c.dim, 3, c.capacity, 0.3F};
  const std::size_t cache_size = Z(3 * c.capacity * c.kv_heads * c.dim);
  const std::vector<float> poison(cache_size, std::nanf(""));
  const auto cache_of = [&]() -> View {
    if (c.cache == DType::kF32) {
      return {bench.Put(poison), cache_size, c.cache};
    }
    return {bench.Put(Halves(poison)), cache_size, c.cache};
  };
  const KvLayer cache{cache_of(), cache_of()};
  const std::int64_t half = c.dim / 2, cols = (c.heads + 2 * c.kv_heads) * c.dim;
  std::vector<float> cos, sin;
  for (std::int64_t i = 0; i < c.capacity * half; ++i) {
    cos.push_back(std::cos(static_cast<float>(i)));
    sin.push_back(std::sin(static_cast<float>(i)));
  }
  const RopeTable table{bench.Floats(cos), bench.Floats(sin)};
  std::vector<std::int32_t> positions, sequences;
  std::int32_t last = 0;
  for (std::size_t row = 0; row < c.positions.size(); ++row) {
    last = std::max(last, c.positions[row]);
  }
  for (std::int32_t sequence = 0; sequence < 3; ++sequence) {
    for (std::int32_t position = 0; position <= last; ++position) {
      positions.push_back(position);
      sequences.push_back(sequence);
    }
  }
  const auto rows = static_cast<std::int64_t>(positions.size());
  const Rows before = bench.Sheet(rows, cols, 7);
  bench.ops().RopeAppendKv(shape, table, {nullptr, bench.Put(positions), bench.Put(sequences)},
                           before, cache);
  const auto asked = static_cast<std::int64_t>(c.positions.size());
  const Rows qkv = bench.Sheet(asked, cols, 8), out = bench.Sheet(asked, c.heads * c.dim);
  const RowInfo info{nullptr, bench.Put(c.positions), bench.Put(c.sequences)};
  if (fused) {
    bench.ops().RopeAttend(shape, table, info, qkv, cache, last + 1, out);
    // Other queries, of what the cache holds then.
    const Rows others = bench.Sheet(asked, cols, 9), seen = bench.Sheet(asked, c.heads * c.dim);
    bench.ops().Attend(shape, info, others, cache, last + 1, seen);
    std::vector<float> both = bench.Get(out);
    const std::vector<float> more = bench.Get(seen);
    both.insert(both.end(), more.begin(), more.end());
    return both;
  }
  bench.ops().RopeAppendKv(shape, table, info, qkv, cache);
  bench.ops().Attend(shape, info, qkv, cache, last + 1, out);
  *rotated = bench.Get(qkv);
  // k is rotated in place on the CPU alone.
  for (std::size_t row = 0; row < Z(asked); ++row) {
    const auto from =
        rotated->begin() + static_cast<std::ptrdiff_t>(row * Z(cols) + Z(c.heads * c.dim));
    std::fill(from, from + c.kv_heads * c.dim, 0.0F);
  }
  return bench.Get(out);
}

TEST(CudaOps, RopeAndAttentionAreThoseOfTheCpu) {
  const std::vector<AttentionCase> cases = {
      {6, 2, 10, 9, DType::kF32, {0, 1, 2, 8}, {2, 0, 1, 1}},
      {4, 4, 34, 300, DType::kBf16, {299, 3}, {1, 2}},
      {14, 2, 64, 700, DType::kBf16, {650}, {1}},
      {32, 8, 64, 700, DType::kBf16, {10, 11, 12, 13, 14}, {2, 2, 2, 2, 2}},
      {28, 4, 128, 600, DType::kBf16, {599, 0, 255}, {0, 2, 1}},
      {8, 8, 256, 40, DType::kF32, {39, 5}, {0, 1}},
      // Short, with and without room beyond the last slot, first slots, every size of group.
      {32, 8, 64, 700, DType::kBf16, {159}, {1}},
      {32, 8, 64, 300, DType::kBf16, {0, 1, 63, 64, 255, 299}, {0, 1, 2, 0, 1, 2}},
      {14, 2, 64, 40, DType::kBf16, {39}, {2}},
      {14, 2, 64, 40, DType::kBf16, {0}, {0}},
      {28, 4, 128, 600, DType::kBf16, {255}, {2}},
      {28, 4, 128, 600, DType::kBf16, {31, 32, 33}, {2, 2, 2}},
      {4, 4, 128, 64, DType::kBf16, {63}, {0}},
      {10, 5, 64, 512, DType::kBf16, {511}, {1}},
      {10, 5, 64, 37, DType::kBf16, {36}, {2}},
      {4, 4, 64, 301, DType::kBf16, {300}, {0}},
      {4, 4, 128, 150, DType::kBf16, {149}, {1}},
      {10, 5, 64, 512, DType::kBf16, {300}, {0}},
  };
  for (const Attention attention :
       {Attention::kAuto, Attention::kReference, Attention::kSplitKv, Attention::kFused}) {
    EngineOptions options = OnGpu();
    options.attention = attention;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      std::vector<float> gpu_q, cpu_q;
      const auto gpu = Attended(Gpu(options), cases[i], false, &gpu_q);
      const auto cpu = Attended(Cpu(), cases[i], false, &cpu_q);
      EXPECT_LT(RelativeL2(gpu_q, cpu_q), 1e-6) << "case " << i;
      // A key whose f32 bits differ may be rounded to another bf16.
      EXPECT_LT(RelativeL2(gpu, cpu), cases[i].cache == DType::kBf16 ? 1e-4 : 1e-5)
          << "case " << i << ", attention " << static_cast<int>(attention);
      const auto fused_gpu = Attended(Gpu(options), cases[i], true, nullptr);
      const auto fused_cpu = Attended(Cpu(), cases[i], true, nullptr);
      EXPECT_LT(RelativeL2(fused_gpu, fused_cpu), cases[i].cache == DType::kBf16 ? 1e-4 : 1e-5)
          << "case " << i << ", attention " << static_cast<int>(attention);
      EXPECT_EQ(fused_gpu, Attended(Gpu(options), cases[i], true, nullptr));
    }
  }
}

TEST(CudaOps, DrawsWhatTheCpuDraws) {
  for (const std::int64_t cols : {60, 300, 40000}) {
    std::vector<Sampling> how(6);
    for (std::size_t i = 0; i < how.size(); ++i) {
      how[i] = {i == 2 ? 0.0F : 0.5F + 0.3F * static_cast<float>(i), i == 4 ? 0.7F : 1.0F,
                i == 3 ? 5 : (i == 5 ? 70 : 0), 7 + i, 3 * i};
    }
    const auto run = [&](Bench bench) {
      std::vector<float> values = Random(Z(6 * cols), 9, 8);
      std::fill_n(values.begin() + cols, cols, std::nanf(""));
      values[Z(5 * cols) + 7] = std::numeric_limits<float>::infinity();
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
