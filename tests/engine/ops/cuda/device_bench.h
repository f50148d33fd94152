// SPDX-License-Identifier: Apache-2.0
// device_bench.h: the ops of a device with memory of their own, for tests that hold a GPU against
// the CPU op by op on the same numbers. The CPU's ops are held to float64 by cpu_ops_test.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "engine/index.h"
#include "engine/ops/cpu/cpu_ops.h"
#include "engine/ops/cuda_device.h"
#include "tests/engine/numbers.h"

namespace engine {

inline EngineOptions OnGpu() {
  EngineOptions options;
  options.device = DeviceKind::kCuda;
  options.threads = 1;
  return options;
}

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
    return {Put(std::vector<float>(Index(rows * cols), std::nanf(""))), rows, cols};
  }
  Rows Sheet(std::int64_t rows, std::int64_t cols, unsigned seed) {
    return {Put(Random(Index(rows * cols), seed)), rows, cols};
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
    const std::vector<float> values = Random(Index(n * k), seed);
    if (type == DType::kF32) {
      weight.data = Floats(values);
    } else if (type == DType::kBf16) {
      weight.data = {Put(Halves(values)), values.size(), type};
    } else {
      std::mt19937 random(seed);
      std::vector<std::uint8_t> codes(Index(n * k / 2)), scales(Index(n * k / 32));
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
      weight.bias = Floats(Random(Index(n), seed + 1));
    }
    return weight;
  }

 private:
  std::unique_ptr<Ops> ops_;
};

inline Bench Cpu() {
  EngineOptions options;
  options.threads = 1;
  return Bench(std::make_unique<CpuOps>(options));
}
inline Bench Gpu(const EngineOptions& options = OnGpu()) { return Bench(MakeCudaOps(options)); }

}  // namespace engine
