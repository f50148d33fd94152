// SPDX-License-Identifier: Apache-2.0
// ops.h: the seam between the model and a device: one class per device, no model knowledge in it.
//
// Rows of activations are tokens: of one prompt, or one of each sequence of a batch. Every op takes
// M rows, and what belongs to a row (its token, position, sequence) lies in device memory, so that
// a batch is a shape and not a code path, and a captured step can be replayed on new values.
//
// The fused entries have bodies that compose the simple ones: a device overrides what it fuses, and
// a test holds each override against its composition.
//
// Activations are f32, row-major, without gaps. Views handed to an op point to device memory, which
// on the CPU is host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "engine/ops/op_stage.h"
#include "engine/ops/shapes.h"

namespace engine {

// Hands out memory that nobody gives back; 256-byte aligned.
class Memory {
 public:
  static constexpr std::size_t kAlign = 256;
  virtual ~Memory() = default;
  // Nullptr from a Measure.
  virtual std::byte* Take(std::size_t bytes) = 0;
  // What ops write and the host reads without a transfer.
  virtual std::byte* TakeHost(std::size_t bytes) { return Take(bytes); }
};

// Adds up what will be taken, so that one arena of the right size can be reserved.
class Measure : public Memory {
 public:
  std::byte* Take(std::size_t bytes) override {
    bytes_ += (bytes + kAlign - 1) / kAlign * kAlign;
    return nullptr;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

// How a step ends: with logits, or with a token from each row of them.
enum class Draw : std::uint8_t { kNone, kGreedy, kSampled };

// What a captured step may depend on beside device memory.
struct StepKey {
  std::int64_t rows = 0, logit_rows = 0;
  std::int64_t length = 0;  // no row sees more positions
  Draw draw = Draw::kNone;
  bool measured = false;  // uncertainty
  auto operator<=>(const StepKey&) const = default;
};

class Ops : public Memory {
 public:
  // The one allocation; before it Take() fails. Throws Error(kUsage) when there is not so much.
  virtual void Reserve(std::size_t bytes) = 0;
  // Whether ops can read weights where the file is mapped.
  virtual bool reads_mapped_files() const = 0;
  virtual void Upload(void* device, const void* host, std::size_t bytes) = 0;
  // As another type: f32 as bf16 or the reverse. `from` lies on the host. The body converts there.
  virtual void UploadAs(View device, ConstView from);
  virtual void Download(void* host, const void* device, std::size_t bytes) = 0;
  virtual void Sync() = 0;
  // What runs, for records: device, threads, the implementations behind `auto`.
  virtual nlohmann::ordered_json Describe() const = 0;

  // A step is a sequence of ops that depends on its key and device memory alone. False: the step
  // was captured before under this key and runs again by itself; the caller skips its ops.
  virtual bool BeginStep(const StepKey& key);
  virtual void EndStep();
  // The ops that follow, up to the next stage or the end of the step, are this stage of it. For
  // those who measure: it changes nothing.
  virtual void BeginStage(OpStage) {}

  // Whether ops return before they are done, so that a step can be queued behind one that runs.
  virtual bool queues() const { return false; }
  // After what is queued so far; `mark`: 0 or 1, for two steps at a time.
  virtual void Mark(int mark);
  // Until the mark that was set last under this number is reached.
  virtual void Await(int mark);

  // x[m,:] = table[tokens[m],:]
  virtual void Embed(const Weight& table, const RowInfo& info, Rows x) = 0;
  // y = x / sqrt(mean(x^2) + eps) * weight; weight: f32. y may be x.
  virtual void RmsNorm(Rows x, ConstView weight, float eps, Rows y) = 0;
  // The products with each part, side by side in a row of y.
  virtual void Linear(Rows x, std::span<const Weight> parts, Rows y) = 0;
  // qkv: [rows, heads + 2 kv_heads, dim]. Rotates q in place; rotates k and writes it and v into
  // the cache at the row's sequence and position.
  virtual void RopeAppendKv(const AttentionShape& shape, const RopeTable& table,
                            const RowInfo& info, Rows qkv, const KvLayer& cache) = 0;
  // out[m,:] = attention of q, the start of qkv[m,:], over positions 0 .. positions[m].
  // `length`: no row sees more.
  virtual void Attend(const AttentionShape& shape, const RowInfo& info, Rows qkv,
                      const KvLayer& cache, std::int64_t length, Rows out) = 0;
  // gate_up: [rows, 2 cols of y], gate first.
  virtual void SiluMul(Rows gate_up, Rows y) = 0;
  virtual void Add(Rows x, Rows sum) = 0;  // sum += x
  // ids[m]: the column of the largest logit, the lowest on ties. A row of NaN gives id 0 and
  // ok[m] = 0, others 1. ids and ok: device memory.
  virtual void Argmax(Rows logits, std::int32_t* ids, std::uint8_t* ok) = 0;
  // ids[m] drawn as `how[m]` says, see kernels/sample.h. A row without a distribution, of NaN or
  // -inf alone, gives id 0 and ok[m] = 0. All but logits.rows: device memory.
  virtual void Sample(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok) = 0;
  virtual void MeasureUncertainty(Rows logits, const std::int32_t* ids, Uncertainty* out) = 0;

  // to[turn, m] = what was drawn for row m; then turn = 1 - turn, ++positions[m],
  // ++sampling[m].step: with ids for tokens, the next step of the same sequences needs no upload.
  virtual void Deliver(const Delivery& delivery);

  // Linear(RmsNorm(x)); norm: room for x's shape, which may stay unwritten.
  virtual void NormLinear(Rows x, ConstView weight, float eps, std::span<const Weight> parts,
                          Rows norm, Rows y);
  // SiluMul(Linear(RmsNorm(x))); gate_up: room for [rows, 2 cols of y].
  virtual void NormGateUpSilu(Rows x, ConstView weight, float eps, std::span<const Weight> parts,
                              Rows norm, Rows gate_up, Rows y);
  // Whether RopeAttend is one kernel for so many rows, so that taking it apart would be other work.
  // A caller that learns it is not may call RopeAppendKv and Attend instead.
  virtual bool FusesRopeAttend(const AttentionShape& shape, const KvLayer& cache, std::int64_t rows,
                               std::int64_t length);
  // RopeAppendKv, then Attend; qkv may stay as it is.
  virtual void RopeAttend(const AttentionShape& shape, const RopeTable& table, const RowInfo& info,
                          Rows qkv, const KvLayer& cache, std::int64_t length, Rows out);
  // sum += Linear(x); product: room for sum's shape.
  virtual void LinearResidual(Rows x, const Weight& weight, Rows product, Rows sum);
};

}  // namespace engine
