// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cpu/cpu_ops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>
#include <string>

#include "engine/error.h"
#include "engine/index.h"
#include "engine/ops/cpu/views.h"
#include "engine/ops/uncertainty.h"
#include "kernels/argmax.h"
#include "kernels/bf16.h"
#include "kernels/convert.h"
#include "kernels/rmsnorm.h"
#include "kernels/rope.h"
#include "kernels/sample.h"
#include "kernels/silu_mul.h"
#include "kernels/top_k.h"

namespace engine {
namespace {

using kernels::Find;
using kernels::Run;

const char* LinearImpl(const EngineOptions& options) {
  return options.gemv == Gemv::kReference ? "reference" : "vector";
}

// Elements of one row per task: a few microseconds of work.
constexpr std::int64_t kSlice = 1 << 14;

template <class Task>
void ForSlices(ThreadPool& pool, std::int64_t count, const Task& task) {
  pool.For((count + kSlice - 1) / kSlice,
           [&](std::int64_t i) { task(i * kSlice, std::min(kSlice, count - i * kSlice)); });
}

template <class Args>
void RunVector(const Args& args, const kernels::Context& context) {
  kernels::Run(*Find<Args>("vector"), args, context);
}

// The sequence's part of a cache and, in it, the head's.
View HeadCache(const AttentionShape& shape, View cache, std::int32_t sequence, std::int64_t head) {
  const std::int64_t size = shape.capacity * shape.dim;
  return Part(cache, (sequence * shape.kv_heads + head) * size, size);
}

}  // namespace

CpuOps::CpuOps(const EngineOptions& options)
    : pool_(options.threads == 0 ? AvailableCpus() : static_cast<int>(options.threads)),
      context_{.isa = IsaOf(options)},
      gemv_(*Find<kernels::GemvArgs>(LinearImpl(options))),
      gemv_mxfp4_(*Find<kernels::GemvMxfp4Args>(LinearImpl(options))),
      attention_(*Find<kernels::DecodeAttentionArgs>(
          options.attention == Attention::kReference ? "reference" : "vector")) {}

void CpuOps::Reserve(std::size_t bytes) {
  try {
    // Uninitialised: untouched pages cost nothing.
    block_.reset(new std::byte[bytes + kAlign]);
  } catch (const std::bad_alloc&) {
    throw Error(Exit::kUsage, "no memory for " + std::to_string(bytes >> 20) +
                                  " MiB of weights and cache; lower max_seq or batch");
  }
  void* start = block_.get();
  left_ = bytes + kAlign;
  arena_ = static_cast<std::byte*>(std::align(kAlign, bytes, start, left_));
}

std::byte* CpuOps::Take(std::size_t bytes) {
  const std::size_t size = (bytes + kAlign - 1) / kAlign * kAlign;
  if (size > left_) {
    throw std::logic_error("arena: " + std::to_string(size) + " bytes asked for, " +
                           std::to_string(left_) + " left");
  }
  left_ -= size;
  return std::exchange(arena_, arena_ + size);
}

void CpuOps::Upload(void* device, const void* host, std::size_t bytes) {
  std::memcpy(device, host, bytes);
}

void CpuOps::Download(void* host, const void* device, std::size_t bytes) {
  std::memcpy(host, device, bytes);
}

nlohmann::ordered_json CpuOps::Describe() const {
  return {{"device", "cpu"},
          {"threads", pool_.threads()},
          {"isa", Name(context_.isa)},
          {"linear", gemv_.impl},
          {"attention", attention_.impl}};
}

void CpuOps::Embed(const Weight& table, const RowInfo& info, Rows x) {
  pool_.For(x.rows, [&](std::int64_t row) {
    const ConstView from = Part(table.data, info.tokens[row] * table.k, table.k);
    float* const to = x.data + row * x.cols;
    if (from.dtype == DType::kF32) {
      std::memcpy(to, from.data, Index(x.cols) * sizeof(float));
    } else {
      RunVector(kernels::ConvertArgs{{x.cols, DType::kBf16}, from, Floats(to, x.cols)}, context_);
    }
  });
}

void CpuOps::RmsNorm(Rows x, ConstView weight, float eps, Rows y) {
  pool_.For(x.rows, [&](std::int64_t row) {
    RunVector(kernels::RmsNormArgs{{1, x.cols, DType::kF32},
                                   eps,
                                   Floats(x.data + row * x.cols, x.cols),
                                   weight,
                                   Floats(y.data + row * y.cols, y.cols)},
              context_);
  });
}

void CpuOps::RotateRow(const AttentionShape& shape, const RopeTable& table, std::int32_t position,
                       float* qk) const {
  const std::int64_t heads = shape.heads + shape.kv_heads;
  RunVector(kernels::RopeArgs{{1, heads, shape.dim, DType::kF32},
                              Floats(static_cast<const float*>(qk), heads * shape.dim),
                              table.cos,
                              table.sin,
                              {&position, 1},
                              Floats(qk, heads * shape.dim)},
            context_);
}

void CpuOps::RopeAppendKv(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                          Rows qkv, const KvLayer& cache) {
  pool_.For(qkv.rows, [&](std::int64_t row) {
    float* const q = qkv.data + row * qkv.cols;
    RotateRow(shape, table, info.positions[row], q);
    for (std::int64_t head = 0; head < shape.kv_heads; ++head) {
      const float* const k = q + (shape.heads + head) * shape.dim;
      for (const auto& [from, to] :
           {std::pair{k, cache.k}, std::pair{k + shape.kv_heads * shape.dim, cache.v}}) {
        const View slot = Part(HeadCache(shape, to, info.sequences[row], head),
                               info.positions[row] * shape.dim, shape.dim);
        if (slot.dtype == DType::kF32) {
          std::memcpy(slot.data, from, Index(shape.dim) * sizeof(float));
        } else {
          RunVector(kernels::ConvertArgs{{shape.dim, DType::kF32}, Floats(from, shape.dim), slot},
                    context_);
        }
      }
    }
  });
}

void CpuOps::AttendHead(const AttentionShape& shape, const HeadTask& task) const {
  const std::int64_t group = shape.heads / shape.kv_heads;
  Run(attention_,
      kernels::DecodeAttentionArgs{{task.length, group, 1, shape.dim, task.k.dtype},
                                   shape.scale,
                                   Floats(task.q, group * shape.dim),
                                   task.k,
                                   task.v,
                                   Floats(task.out, group * shape.dim)},
      context_);
}

void CpuOps::Attend(const AttentionShape& shape, const RowInfo& info, Rows qkv,
                    const KvLayer& cache, std::int64_t, Rows out) {
  const std::int64_t group = shape.heads / shape.kv_heads;
  pool_.For(qkv.rows * shape.kv_heads, [&](std::int64_t task) {
    const std::int64_t row = task / shape.kv_heads;
    const std::int64_t head = task % shape.kv_heads;
    const std::int64_t length = info.positions[row] + 1;
    const auto seen = [&](View layer) {
      return Part(HeadCache(shape, layer, info.sequences[row], head), 0, length * shape.dim);
    };
    const std::int64_t q = head * group * shape.dim;
    AttendHead(shape, {qkv.data + row * qkv.cols + q, seen(cache.k), seen(cache.v), length,
                       out.data + row * out.cols + q});
  });
}

void CpuOps::SiluMul(Rows gate_up, Rows y) {
  const std::int64_t slices = (y.cols + kSlice - 1) / kSlice;
  pool_.For(y.rows * slices, [&](std::int64_t task) {
    const std::int64_t row = task / slices;
    const std::int64_t first = task % slices * kSlice;
    const std::int64_t count = std::min(kSlice, y.cols - first);
    const float* const gate = gate_up.data + row * gate_up.cols + first;
    RunVector(kernels::SiluMulArgs{{1, count, DType::kF32},
                                   Floats(gate, count),
                                   Floats(gate + y.cols, count),
                                   Floats(y.data + row * y.cols + first, count)},
              context_);
  });
}

void CpuOps::Add(Rows x, Rows sum) {
  ForSlices(pool_, x.rows * x.cols, [&](std::int64_t first, std::int64_t count) {
    for (std::int64_t i = first; i < first + count; ++i) {
      sum.data[i] += x.data[i];
    }
  });
}

void CpuOps::ArgmaxOfRow(ConstView logits, std::int32_t* id, std::uint8_t* ok) const {
  RunVector(
      kernels::ArgmaxArgs{{1, static_cast<std::int64_t>(logits.count)}, logits, {id, 1}, {ok, 1}},
      context_);
}

void CpuOps::Argmax(Rows logits, std::int32_t* ids, std::uint8_t* ok) {
  pool_.For(logits.rows, [&](std::int64_t row) {
    ArgmaxOfRow(Floats(logits.data + row * logits.cols, logits.cols), ids + row, ok + row);
  });
}

void CpuOps::Sample(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok) {
  const std::int64_t most = std::min(kernels::kMaxTopK, logits.cols);
  pool_.For(logits.rows, [&](std::int64_t row) {
    const Sampling& one = how[row];
    const ConstView alone = Floats(logits.data + row * logits.cols, logits.cols);
    if (one.temperature == 0) {
      ArgmaxOfRow(alone, ids + row, ok + row);
      return;
    }
    // A row at a time, as row 0: what a request draws does not depend on its place in the batch.
    float probability = 0;
    const std::int64_t k = one.top_k == 0 ? most : std::min<std::int64_t>(one.top_k, most);
    RunVector(kernels::SampleArgs{{1, logits.cols, k},
                                  one.temperature,
                                  one.top_p,
                                  one.seed,
                                  one.step,
                                  alone,
                                  {ids + row, 1},
                                  {&probability, 1}},
              context_);
    ok[row] = std::isnan(probability) ? 0 : 1;
  });
}

void CpuOps::MeasureUncertainty(Rows logits, const std::int32_t* ids, Uncertainty* out) {
  pool_.For(logits.rows, [&](std::int64_t row) {
    out[row] =
        UncertaintyOf({logits.data + row * logits.cols, Index(logits.cols)}, Index(ids[row]));
  });
}

}  // namespace engine
