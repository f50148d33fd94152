// SPDX-License-Identifier: Apache-2.0
// short_attention.h: attention over a short bf16 cache, with rope and append where one row of a
// sequence is all there is.
//
// A block takes one row and one KV head with the queries of its group, and holds that head's keys
// and values in shared memory. Few slots are no work for the kernels of
// kernels/cuda/attention/decode_attention.h, and rope and append cost a launch of their own: with
// this kernel Llama-3.2-1B took 6 % less per token on an H100 than with those.
//
// Scores, weights and sums are f32; keys and values are those of the cache, the row's own ones
// rounded like it. The order of sums depends on the row's position alone.
#pragma once

#include <cstdint>

#include "engine/ops/shapes.h"
#include "kernels/row.h"

namespace engine::cuda {

// Whether ShortAttention takes a cache of `slots` positions that rows may see: bf16, heads of 64 or
// 128, at most 8 queries per KV head, and room for keys and values in shared memory.
bool TakesShortAttention(const AttentionShape& shape, const KvLayer& cache, std::int64_t slots,
                         const kernels::Context& context);

// out[m,:] = attention of q, the start of qkv[m,:], over positions 0 .. positions[m] < slots. With
// a table, q and k are rotated on the way and k and v appended to the cache first, qkv staying as
// it is: then no two rows may be of one sequence. `half`: where not null, out in bf16 too. At most
// 65535 rows.
//
// `cache_at_rest`: nothing that is queued and may still run writes the cache or what belongs to the
// rows. Then a launch with a table reads them while the kernel before it runs.
void ShortAttention(const AttentionShape& shape, const RopeTable* table, const RowInfo& info,
                    Rows qkv, const KvLayer& cache, bool cache_at_rest, std::int64_t slots,
                    Rows out, kernels::Bf16* half, const kernels::Context& context);

}  // namespace engine::cuda
