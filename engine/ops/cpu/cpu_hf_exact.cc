// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cpu/cpu_hf_exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/bf16.h"

namespace engine {
namespace {

float Round(float value) { return kernels::ToFloat(kernels::ToBf16(value)); }
float Round(double value) { return kernels::ToFloat(kernels::ToBf16(static_cast<float>(value))); }

// Attention sees bf16 caches only.
float FloatAt(View view, std::int64_t i) {
  return kernels::ToFloat(static_cast<const kernels::Bf16*>(view.data)[i]);
}

}  // namespace

nlohmann::ordered_json CpuHfExactOps::Describe() const {
  nlohmann::ordered_json text = CpuOps::Describe();
  text["attention"] = "hf_exact";
  return text;
}

void CpuHfExactOps::RmsNorm(Rows x, ConstView weight, float eps, Rows y) {
  pool().For(x.rows, [&](std::int64_t row) {
    const float* const in = x.data + row * x.cols;
    const float* const w = static_cast<const float*>(weight.data);
    double squares = 0;
    for (std::int64_t i = 0; i < x.cols; ++i) {
      squares += static_cast<double>(in[i]) * static_cast<double>(in[i]);
    }
    const auto mean = static_cast<float>(squares / static_cast<double>(x.cols));
    const float scale = 1.0F / std::sqrt(mean + eps);
    for (std::int64_t i = 0; i < x.cols; ++i) {
      y.data[row * y.cols + i] = Round(w[i] * Round(in[i] * scale));
    }
  });
}

void CpuHfExactOps::FinishProduct(std::span<float> y) const {
  for (float& value : y) {
    value = Round(value);
  }
}

void CpuHfExactOps::RotateRow(const AttentionShape& shape, const RopeTable& table,
                              std::int32_t position, float* qk) const {
  const std::int64_t half = shape.dim / 2;
  const float* const cos = static_cast<const float*>(table.cos.data) + position * half;
  const float* const sin = static_cast<const float*>(table.sin.data) + position * half;
  for (std::int64_t head = 0; head < shape.heads + shape.kv_heads; ++head) {
    float* const x = qk + head * shape.dim;
    for (std::int64_t i = 0; i < half; ++i) {
      const float c = Round(cos[i]), s = Round(sin[i]);
      const float a = x[i], b = x[i + half];
      x[i] = Round(Round(a * c) + Round(-b * s));
      x[i + half] = Round(Round(b * c) + Round(a * s));
    }
  }
}

void CpuHfExactOps::AttendHead(const AttentionShape& shape, const HeadTask& task) const {
  const std::int64_t dim = shape.dim;
  std::vector<float> weight(static_cast<std::size_t>(task.length));
  std::vector<double> sums(static_cast<std::size_t>(dim));
  for (std::int64_t head = 0; head < shape.heads / shape.kv_heads; ++head) {
    const float* const q = task.q + head * dim;
    float max = -std::numeric_limits<float>::infinity();
    for (std::int64_t t = 0; t < task.length; ++t) {
      double score = 0;
      for (std::int64_t i = 0; i < dim; ++i) {
        score += static_cast<double>(q[i]) * static_cast<double>(FloatAt(task.k, t * dim + i));
      }
      float& w = weight[static_cast<std::size_t>(t)];
      w = Round(Round(score) * shape.scale);
      max = std::max(max, w);
    }
    double total = 0;
    for (float& w : weight) {
      w = std::exp(w - max);
      total += static_cast<double>(w);
    }
    std::fill(sums.begin(), sums.end(), 0);
    for (std::int64_t t = 0; t < task.length; ++t) {
      const float w = Round(static_cast<double>(weight[static_cast<std::size_t>(t)]) / total);
      for (std::int64_t i = 0; i < dim; ++i) {
        sums[static_cast<std::size_t>(i)] +=
            static_cast<double>(w) * static_cast<double>(FloatAt(task.v, t * dim + i));
      }
    }
    for (std::int64_t i = 0; i < dim; ++i) {
      task.out[head * dim + i] = Round(sums[static_cast<std::size_t>(i)]);
    }
  }
}

void CpuHfExactOps::SiluMul(Rows gate_up, Rows y) {
  pool().For(y.rows, [&](std::int64_t row) {
    const float* const gate = gate_up.data + row * gate_up.cols;
    for (std::int64_t i = 0; i < y.cols; ++i) {
      const float silu = Round(gate[i] / (1.0F + std::exp(-gate[i])));
      y.data[row * y.cols + i] = Round(silu * gate[y.cols + i]);
    }
  });
}

void CpuHfExactOps::Add(Rows x, Rows sum) {
  CpuOps::Add(x, sum);
  FinishProduct({sum.data, sum.count()});
}

}  // namespace engine
