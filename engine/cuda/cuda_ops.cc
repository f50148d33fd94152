// SPDX-License-Identifier: Apache-2.0
#include "engine/cuda/cuda_ops.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/cuda/kernels.h"
#include "engine/cuda_device.h"
#include "engine/error.h"
#include "engine/step_bucket.h"
#include "kernels/cuda/check_cuda.h"
#include "kernels/cuda/registry.h"
#include "kernels/error.h"

namespace engine {
namespace cuda {
namespace {

using kernels::ByteSize;
using kernels::Context;
using kernels::cuda::DeviceMemory;
using kernels::cuda::Find;

// Up to here MXFP4 rows are multiplied one by one: a tile of bf16 weights is written and read
// again, 2 x 16 bits where MXFP4 has 4.25, so eight rows cost about as much either way.
constexpr std::int64_t kMostMxfp4Rows = 8;
constexpr std::size_t kTileBytes = std::size_t{64} << 20;  // of dequantised weights
constexpr std::int64_t kTileRows = 16;                     // a tile is a multiple of
constexpr std::int64_t kAttentionRows = 1024;              // of one launch
constexpr std::int64_t kReferenceRows = 16;                // float64 scores of each head and slot

constexpr std::size_t kMostDrawn = 1024;  // rows; a batch has at most 256

std::size_t Z(std::int64_t value) { return static_cast<std::size_t>(value); }

Rows Row(Rows x, std::int64_t row) { return {x.data + row * x.cols, 1, x.cols}; }
Rows Piece(Rows x, std::int64_t first, std::int64_t count) {
  return {x.data + first * x.cols, count, x.cols};
}

View Floats(Rows x) { return {x.data, x.count(), DType::kF32}; }

kernels::cuda::RowAttention AttentionOf(const EngineOptions& options) {
  switch (options.attention) {
    case Attention::kReference:
      return kernels::cuda::RowAttention::kReference;
    case Attention::kSplitKv:
      return kernels::cuda::RowAttention::kSplit;
    case Attention::kAuto:
    case Attention::kFused:
      break;
  }
  return kernels::cuda::RowAttention::kLastBlock;
}

[[noreturn]] void ThrowDevice(std::string_view what, const char* why) {
  throw Error(
      ErrorKind::kDevice,
      "device=cuda, " + std::string(what) + ": " + why +
          "; this process cannot use the GPU any more where it names an illegal address or "
          "a launch failure: start again, and look with compute-sanitizer if it comes back");
}

}  // namespace

template <class F>
auto CudaOps::Do(std::string_view what, F&& f) const {
  try {
    return f();
  } catch (const kernels::Error& error) {
    ThrowDevice(what, error.what());
  }
}

template <class F>
auto CudaOps::Do(std::string_view what, F&& f) {
  try {
    return f();
  } catch (const kernels::Error& error) {
    graphs_.Abort();
    ThrowDevice(what, error.what());
  }
}

CudaOps::CudaOps(const EngineOptions& options)
    : options_(options),
      queue_(gpu_),
      transfer_(queue_.stream(), options.preload == Preload::kPinned),
      products_(gpu_.limits().sm),
      graphs_(queue_.stream()),
      probability_(kMostDrawn * sizeof(float)) {
  CheckDeviceCode();
  (void)ContextOf(products_.workspace_bytes());
}

CudaOps::~CudaOps() { (void)cudaStreamSynchronize(queue_.stream()); }

void CudaOps::Reserve(std::size_t bytes) {
  try {
    arena_ = DeviceMemory(bytes);
    taken_ = 0;
  } catch (const kernels::Error& error) {
    throw Error(ErrorKind::kUsage, std::string("device=cuda: weights and cache: ") + error.what() +
                                       "; lower max_seq, batch or chunk, or take another GPU");
  }
}

std::byte* CudaOps::Take(std::size_t bytes) {
  const std::size_t size = (bytes + kAlign - 1) / kAlign * kAlign;
  if (size > arena_.size() - taken_) {
    throw std::logic_error("arena: " + std::to_string(size) + " bytes asked for, " +
                           std::to_string(arena_.size() - taken_) + " left");
  }
  return arena_.data() + std::exchange(taken_, taken_ + size);
}

Context CudaOps::ContextOf(std::size_t workspace_bytes) {
  if (workspace_bytes > workspace_bytes_) {
    if (graphs_.capturing()) {
      throw std::logic_error("a step needs more workspace captured than eager");
    }
    graphs_.Clear();
    workspace_bytes_ = workspace_bytes;
  }
  return queue_.context(workspace_bytes_);
}

std::byte* CudaOps::Grown(DeviceMemory& memory, std::size_t bytes) {
  if (bytes > memory.size()) {
    if (graphs_.capturing()) {
      throw std::logic_error("a step needs more memory captured than eager");
    }
    graphs_.Clear();
    queue_.Wait();
    memory = DeviceMemory();
    memory = DeviceMemory(bytes);
  }
  return memory.data();
}

void CudaOps::Upload(void* device, const void* host, std::size_t bytes) {
  Do("an upload", [&] { transfer_.Upload(device, host, bytes); });
}

void CudaOps::UploadAs(View device, ConstView from) {
  if (options_.convert == Convert::kHost) {
    return Ops::UploadAs(device, from);
  }
  Do("a conversion", [&] {
    const std::size_t bytes = from.count * ByteSize(from.dtype);
    std::byte* const raw = Grown(converted_, bytes);
    transfer_.Upload(raw, from.data, bytes);
    const kernels::ConvertShape shape{static_cast<std::int64_t>(from.count), from.dtype,
                                      device.dtype};
    kernels::cuda::Run(*Find<kernels::ConvertArgs>("vector"),
                       kernels::ConvertArgs{shape, {raw, from.count, from.dtype}, device}, queue_);
  });
}

void CudaOps::Download(void* host, const void* device, std::size_t bytes) {
  Do("a download", [&] { transfer_.Download(host, device, bytes); });
}

void CudaOps::Sync() {
  Do("a wait", [&] { queue_.Wait(); });
}

nlohmann::ordered_json CudaOps::Describe() const {
  constexpr std::string_view kGemv[] = {"own", "own", "reference", "cublaslt"};
  constexpr std::string_view kAttention[] = {"reference", "split_kv", "fused"};
  const bool own = options_.gemv == Gemv::kAuto || options_.gemv == Gemv::kOwn;
  int driver = 0, runtime = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  return {{"device", "cuda"},
          {"gpu", gpu_.limits().name},
          {"sm", gpu_.limits().sm},
          {"driver_cuda", driver},
          {"runtime_cuda", runtime},
          {"linear", kGemv[static_cast<std::size_t>(options_.gemv)]},
          {"gemm", options_.gemm == Gemm::kOwn ? "own" : "cublaslt"},
          {"gemm_plans", products_.plans()},
          {"mxfp4", options_.gemv == Gemv::kReference ? "mxfp4 reference" : "mxfp4 vector"},
          {"attention", kAttention[static_cast<std::size_t>(AttentionOf(options_))]},
          {"fused_norm", own && options_.fuse_norm != Toggle::kOff},
          {"graphs", graphs_.graphs()},
          {"graph_replays", graphs_.replays()},
          {"eager_steps", graphs_.eager()}};
}

bool CudaOps::BeginStep(const StepKey& key) {
  graphs_.Abort();  // of a step that threw
  half_of_ = nullptr;
  // Of a prompt, only a last piece of one row looks like a step, and then is one.
  if (!options_.cuda_graph || key.rows > options_.batch || key.logit_rows != key.rows) {
    return true;
  }
  return Do("a step", [&] {
    return graphs_.Begin({key.rows, key.logit_rows, StepBucket(key.length)});
  });
}

void CudaOps::EndStep() {
  Do("a step", [&] { graphs_.End(); });
}

void CudaOps::Embed(const Weight& table, const RowInfo& info, Rows x) {
  half_of_ = nullptr;
  Do("embedding", [&] { EmbedRows(table, info.tokens, x, ContextOf(0)); });
}

void CudaOps::RmsNorm(Rows x, ConstView weight, float eps, Rows y) {
  half_of_ = nullptr;
  Do("norm", [&] {
    kernels::cuda::RmsNormVector({{x.rows, x.cols, DType::kF32}, eps, Floats(x), weight, Floats(y)},
                                 ContextOf(0));
  });
}

CudaOps::Way CudaOps::WayOf(const Weight& weight, std::int64_t rows) {
  const bool mxfp4 = weight.data.dtype == DType::kU8;
  const bool product = rows == 1 ? options_.gemv == Gemv::kCublasLt && !mxfp4
                                 : options_.gemm != Gemm::kOwn && (!mxfp4 || rows > kMostMxfp4Rows);
  if (product) {
    return Way::kProduct;
  }
  return options_.gemv != Gemv::kReference && TakesGemv(weight, ContextOf(0)) ? Way::kGemv
                                                                              : Way::kRows;
}

bool CudaOps::AllGo(std::span<const Weight> parts, std::int64_t rows, Way way) {
  return std::ranges::all_of(parts, [&](const Weight& part) { return WayOf(part, rows) == way; });
}

const Bf16* CudaOps::HalfOf(Rows x) {
  auto* const half = reinterpret_cast<Bf16*>(Grown(halves_, x.count() * sizeof(Bf16)));
  if (half_of_ != x.data || half_count_ != x.count()) {
    const kernels::ConvertShape shape{static_cast<std::int64_t>(x.count()), DType::kF32,
                                      DType::kBf16};
    kernels::cuda::Run(*Find<kernels::ConvertArgs>("vector"),
                       kernels::ConvertArgs{shape, Floats(x), {half, x.count(), DType::kBf16}},
                       queue_);
    half_of_ = x.data;
    half_count_ = x.count();
  }
  return half;
}

// Each row by itself, without what gemv.h would fuse.
void CudaOps::MultiplyRows(Rows x, const Weight& weight, const Target& to) {
  const bool reference = options_.gemv == Gemv::kReference;
  for (std::int64_t row = 0; row < x.rows; ++row) {
    const ConstView in = Floats(Row(x, row));
    float* const end = to.data + row * to.row;
    float* out = end;
    if (to.add) {
      out = reinterpret_cast<float*>(Grown(tile_, Z(weight.n) * sizeof(float)));
    }
    const View y{out, Z(weight.n), DType::kF32};
    if (weight.data.dtype == DType::kU8) {
      kernels::cuda::Run(
          *Find<kernels::GemvMxfp4Args>(reference ? "reference" : "vector"),
          kernels::GemvMxfp4Args{{weight.n, weight.k}, weight.data, weight.scales, in, y}, queue_);
    } else {
      kernels::cuda::Run(
          *Find<kernels::GemvArgs>(reference ? "reference" : "vector"),
          kernels::GemvArgs{{weight.n, weight.k, weight.data.dtype}, weight.data, in, y}, queue_);
    }
    if (weight.bias.count != 0) {
      AddBias(weight.bias, out, 1, weight.n, ContextOf(0));
    }
    if (to.add) {
      AddRows({out, 1, weight.n}, {end, 1, weight.n}, ContextOf(0));
    }
  }
}

bool CudaOps::MultiplyMxfp4(Rows x, const Bf16* half, const Weight& weight, const Target& to) {
  const std::int64_t fit = static_cast<std::int64_t>(kTileBytes / sizeof(Bf16)) / weight.k;
  const std::int64_t most = std::max(kTileRows, fit / kTileRows * kTileRows);
  const std::int64_t tile_rows = std::min(weight.n, most);
  auto* const tile = reinterpret_cast<Bf16*>(Grown(tile_, Z(tile_rows * weight.k) * sizeof(Bf16)));
  const Context context = ContextOf(products_.workspace_bytes());
  for (std::int64_t first = 0; first < weight.n; first += tile_rows) {
    const std::int64_t rows = std::min(tile_rows, weight.n - first);
    DequantizeRows(weight, first, rows, tile, context);
    const Product product{half,     {tile, Z(rows * weight.k), DType::kBf16},
                          x.rows,   rows,
                          weight.k, to.data + first,
                          to.row,   to.add};
    // The first tile is as the others, or none is done.
    if (!products_.Run(product, context)) {
      if (first == 0) {
        return false;
      }
      throw kernels::Error("cuBLASLt has no algorithm for the last rows of a weight");
    }
  }
  return true;
}

bool CudaOps::MultiplyTogether(Rows x, const Bf16* half, const Weight& weight, const Target& to) {
  bool done = false;
  if (weight.data.dtype == DType::kU8) {
    done = MultiplyMxfp4(x, half, weight, to);
  } else {
    const void* const a =
        weight.data.dtype == DType::kF32 ? static_cast<const void*>(x.data) : half;
    done = products_.Run({a, weight.data, x.rows, weight.n, weight.k, to.data, to.row, to.add},
                         ContextOf(products_.workspace_bytes()));
  }
  if (done && weight.bias.count != 0) {
    AddBias(weight.bias, to.data, x.rows, to.row, ContextOf(0));
  }
  return done;
}

void CudaOps::Multiply(Rows x, const Weight& weight, const Target& to) {
  switch (WayOf(weight, x.rows)) {
    case Way::kProduct: {
      const Bf16* const half = weight.data.dtype == DType::kF32 ? nullptr : HalfOf(x);
      if (MultiplyTogether(x, half, weight, to)) {
        return;
      }
      break;
    }
    case Way::kGemv:
      for (std::int64_t row = 0; row < x.rows; ++row) {
        RunGemv({.weight = &weight,
                 .x = x.data + row * x.cols,
                 .y = to.data + row * to.row,
                 .end = to.add ? GemvEnd::kAdd : GemvEnd::kStore},
                ContextOf(0));
      }
      return;
    case Way::kRows:
      break;
  }
  MultiplyRows(x, weight, to);
}

void CudaOps::Linear(Rows x, std::span<const Weight> parts, Rows y) {
  half_of_ = nullptr;
  Do("a product", [&] {
    float* out = y.data;
    for (const Weight& part : parts) {
      Multiply(x, part, {out, y.cols, false});
      out += part.n;
    }
  });
  half_of_ = nullptr;  // x may be uploaded anew
}

void CudaOps::NormLinear(Rows x, ConstView weight, float eps, std::span<const Weight> parts,
                         Rows norm, Rows y) {
  half_of_ = nullptr;
  const bool bf16 = std::ranges::all_of(
      parts, [](const Weight& part) { return part.data.dtype == DType::kBf16; });
  if (options_.fuse_norm != Toggle::kOff && AllGo(parts, x.rows, Way::kGemv)) {
    Do("norm and product", [&] {
      for (std::int64_t row = 0; row < x.rows; ++row) {
        float* out = y.data + row * y.cols;
        for (const Weight& part : parts) {
          RunGemv({.weight = &part,
                   .x = x.data + row * x.cols,
                   .norm = static_cast<const float*>(weight.data),
                   .eps = eps,
                   .y = out},
                  ContextOf(0));
          out += part.n;
        }
      }
    });
    return;
  }
  if (bf16 && AllGo(parts, x.rows, Way::kProduct)) {
    const bool done = Do("norm and product", [&] {
      auto* const half = reinterpret_cast<Bf16*>(Grown(halves_, x.count() * sizeof(Bf16)));
      NormToBf16(x, weight, eps, half, ContextOf(0));
      float* out = y.data;
      for (const Weight& part : parts) {
        if (!MultiplyTogether(x, half, part, {out, y.cols, false})) {
          return false;
        }
        out += part.n;
      }
      return true;
    });
    if (done) {
      return;
    }
  }
  Ops::NormLinear(x, weight, eps, parts, norm, y);
}

void CudaOps::NormGateUpSilu(Rows x, ConstView weight, float eps, std::span<const Weight> parts,
                             Rows norm, Rows gate_up, Rows y) {
  half_of_ = nullptr;
  if (parts.size() == 1 && parts[0].bias.count == 0 && AllGo(parts, x.rows, Way::kGemv)) {
    const bool fuse = options_.fuse_norm != Toggle::kOff;
    if (!fuse) {
      RmsNorm(x, weight, eps, norm);
    }
    Do("gate and up", [&] {
      const Rows from = fuse ? x : norm;
      for (std::int64_t row = 0; row < x.rows; ++row) {
        RunGemv({.weight = &parts[0],
                 .x = from.data + row * from.cols,
                 .norm = fuse ? static_cast<const float*>(weight.data) : nullptr,
                 .eps = eps,
                 .y = y.data + row * y.cols,
                 .end = GemvEnd::kSilu},
                ContextOf(0));
      }
    });
    return;
  }
  NormLinear(x, weight, eps, parts, norm, gate_up);
  Do("silu", [&] {
    // What follows is a product of y in bf16, unless the weights are f32.
    const bool half = AllGo(parts, x.rows, Way::kProduct) && parts[0].data.dtype != DType::kF32;
    auto* const to =
        half ? reinterpret_cast<Bf16*>(Grown(halves_, y.count() * sizeof(Bf16))) : nullptr;
    SiluMulRows(gate_up, y, to, ContextOf(0));
    half_of_ = half ? y.data : nullptr;
    half_count_ = y.count();
  });
}

void CudaOps::LinearResidual(Rows x, const Weight& weight, Rows, Rows sum) {
  Do("product and sum", [&] { Multiply(x, weight, {sum.data, sum.cols, true}); });
  half_of_ = nullptr;
}

void CudaOps::RopeAppendKv(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                           Rows qkv, const KvLayer& cache) {
  half_of_ = nullptr;
  Do("rope", [&] { RopeAppend(shape, table, info, qkv, cache, ContextOf(0)); });
}

void CudaOps::Attend(const AttentionShape& shape, const RowInfo& info, Rows qkv,
                     const KvLayer& cache, std::int64_t length, Rows out) {
  half_of_ = nullptr;
  Do("attention", [&] {
    const kernels::cuda::RowAttention impl = AttentionOf(options_);
    const std::int64_t slots = std::min(StepBucket(length), shape.capacity);
    const std::int64_t most =
        impl == kernels::cuda::RowAttention::kReference ? kReferenceRows : kAttentionRows;
    for (std::int64_t first = 0; first < qkv.rows; first += most) {
      const std::int64_t rows = std::min(most, qkv.rows - first);
      const kernels::DecodeAttentionArgs args{
          {slots, shape.heads, shape.kv_heads, shape.dim, cache.k.dtype, rows, slots},
          shape.scale,
          Floats(Piece(qkv, first, rows)),
          cache.k,
          cache.v,
          Floats(Piece(out, first, rows))};
      if (const auto why = kernels::cuda::CudaAttentionSupports(args.shape); !why.empty()) {
        throw kernels::Error(std::string(why));
      }
      const kernels::cuda::AttentionRows places{info.positions + first, info.sequences + first,
                                                qkv.cols, shape.capacity};
      const std::size_t bytes = kernels::cuda::AttendRowsWorkspace(impl, args.shape, ContextOf(0));
      kernels::cuda::AttendRows(impl, args, places, ContextOf(bytes));
    }
  });
}

void CudaOps::SiluMul(Rows gate_up, Rows y) {
  half_of_ = nullptr;
  Do("silu", [&] { SiluMulRows(gate_up, y, nullptr, ContextOf(0)); });
}

void CudaOps::Add(Rows x, Rows sum) {
  half_of_ = nullptr;
  Do("a sum", [&] { AddRows(x, sum, ContextOf(0)); });
}

void CudaOps::Argmax(Rows logits, std::int32_t* ids, std::uint8_t* ok) {
  half_of_ = nullptr;
  Do("argmax", [&] {
    kernels::cuda::ArgmaxVector(
        {{logits.rows, logits.cols}, Floats(logits), {ids, Z(logits.rows)}, {ok, Z(logits.rows)}},
        ContextOf(0));
  });
}

void CudaOps::Sample(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok) {
  half_of_ = nullptr;
  Do("sampling", [&] {
    if (Z(logits.rows) > kMostDrawn) {
      throw std::logic_error("sampling of " + std::to_string(logits.rows) + " rows");
    }
    auto* const probability = reinterpret_cast<float*>(probability_.data());
    DrawRows(logits, how, ids, ok, probability, ContextOf(DrawWorkspace(logits, ContextOf(0))));
  });
}

void CudaOps::MeasureUncertainty(Rows logits, const std::int32_t* ids, Uncertainty* out) {
  half_of_ = nullptr;
  Do("uncertainty", [&] { MeasureRows(logits, ids, out, ContextOf(0)); });
}

}  // namespace cuda

std::unique_ptr<Ops> MakeCudaOps(const EngineOptions& options) {
  std::string why;
  if (kernels::cuda::GpuCount(&why) == 0) {
    throw Error(ErrorKind::kUsage, "device=cuda: no GPU: " + why +
                                       "; device=cpu needs none. This build is for CUDA " +
                                       std::to_string(CUDART_VERSION / 1000) +
                                       " and wants a driver of that version or newer");
  }
  try {
    return std::make_unique<cuda::CudaOps>(options);
  } catch (const kernels::Error& error) {
    throw Error(ErrorKind::kUsage,
                std::string("device=cuda: ") + error.what() +
                    "; the GPU may be in use by others, or be none of CMAKE_CUDA_ARCHITECTURES");
  }
}

}  // namespace engine
