// SPDX-License-Identifier: Apache-2.0
// mxfp4.h: quantises the projections of a model to MXFP4 (OCP Microscaling Formats 1.0)
//
// A block is 32 consecutive weights of a row: one power of two and 32 codes of 4 bits
// (kernels/gemv_mxfp4.h has the layout). The scale is 2^(floor(log2(largest |w|)) - 2), so that the
// largest weight lies in [4, 8) of it; codes are the nearest of 0, .5, 1, 1.5, 2, 3, 4, 6, ties to
// the even code, and what is above 6 becomes 6. 4.25 bits per weight.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/thread_pool.h"

namespace engine {

// weights: finite, one block of 32; codes: 16 bytes, the low nibble is the even element. Returns
// the scale's exponent + 127. A block of zeros has scale 0.
std::uint8_t QuantizeBlock(std::span<const float> weights, std::span<std::uint8_t> codes);

// Reads a bf16 or f32 model folder and writes another: projections of layers whose width is a
// multiple of 32 become NAME_blocks and NAME_scales, everything else stays; config.json gets
// quantization_config {"quant_method": "perfgate_mxfp4"}. Throws Error(kData), also for a weight
// that is not finite and for a model without such a projection.
void QuantizeModel(const std::string& from, const std::string& to, ThreadPool& pool,
                   bool replace = false);

}  // namespace engine
