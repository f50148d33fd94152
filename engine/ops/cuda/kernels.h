// SPDX-License-Identifier: Apache-2.0
// kernels.h: the engine's own kernels on NVIDIA GPUs, beside those of kernels/cuda.
//
// They read what changes from step to step in device memory (tokens, positions, sequences, how to
// sample), so that a captured step replays on new values. All pointers are to device memory; a
// launch is queued on context.stream. Sums have a fixed order: no atomics on numbers. Throws
// kernels::Error for a launch that cannot be made.
#pragma once

#include <cstdint>

#include "engine/ops/shapes.h"
#include "kernels/row.h"

namespace engine::cuda {

using kernels::Bf16;
using kernels::Context;

// x[m,:] = table[tokens[m],:]; NaN for a token that is none. Starts when all that was queued before
// is done, unlike other kernels, whose blocks may come up earlier: it is what separates steps.
void EmbedRows(const Weight& table, const std::int32_t* tokens, Rows x, const Context& context);

// y = x / sqrt(mean(x^2) + eps) * weight, f32 inside, rounded once to bf16; weight: f32 [cols].
// Takes columns in fours, aligned to 16 bytes; nothing that is queued writes the weight.
bool TakesNormToBf16(Rows x, ConstView weight);
void NormToBf16(Rows x, ConstView weight, float eps, Bf16* y, const Context& context);

// Ops::RopeAppendKv; the cache is [sequence, position, kv head, dim]. k in qkv stays as it is.
void RopeAppend(const AttentionShape& shape, const RopeTable& table, const RowInfo& info, Rows qkv,
                const KvLayer& cache, const Context& context);

// y = silu(gate) up; gate_up: [rows, 2 cols], gate first. `half`: where not null, y in bf16 too.
void SiluMulRows(Rows gate_up, Rows y, Bf16* half, const Context& context);

void AddRows(Rows x, Rows sum, const Context& context);  // sum += x

// y[m,i] += bias[i], i < bias.count; rows of y are y_row apart.
void AddBias(ConstView bias, float* y, std::int64_t rows, std::int64_t y_row,
             const Context& context);

// MXFP4 rows [first, first + rows) of a weight to bf16, exact but for values below 2^-133.
void DequantizeRows(const Weight& weight, std::int64_t first, std::int64_t rows, Bf16* to,
                    const Context& context);

// ids[m], ok[m] as Ops::Sample says. probability: scratch, [rows]. Needs the context that
// DrawWorkspace() asks for.
void DrawRows(Rows logits, const Sampling* how, std::int32_t* ids, std::uint8_t* ok,
              float* probability, const Context& context);
std::size_t DrawWorkspace(Rows logits, const Context& context);

// Ops::Deliver.
void DeliverRows(const Delivery& delivery, const Context& context);

void MeasureRows(Rows logits, const std::int32_t* ids, Uncertainty* out, const Context& context);

}  // namespace engine::cuda
