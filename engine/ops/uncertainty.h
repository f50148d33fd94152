// SPDX-License-Identifier: Apache-2.0
// uncertainty.h: how sure a distribution is, from its logits in one pass.
//
// log_probability = x[id] - max - ln sum, entropy = ln sum - sum_i (x_i - max) e_i / sum, with
// e_i = exp(x_i - max) and sum = sum_i e_i; margin = largest - second largest logit. NaN logits
// make all three NaN.
#pragma once

#include <cstddef>
#include <span>

#include "engine/ops/ops.h"

namespace engine {

// float64 inside, in index order. id < logits.size(), which is at least 2.
Uncertainty UncertaintyOf(std::span<const float> logits, std::size_t id);

}  // namespace engine
