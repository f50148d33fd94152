// SPDX-License-Identifier: Apache-2.0
// registry.h: every op, so that tests and suites reach each implementation without naming it.
//
// A new implementation is a row in its op's table; a new op is a line here.
#pragma once

#include "kernels/argmax.h"
#include "kernels/convert.h"
#include "kernels/decode_attention.h"
#include "kernels/gemm.h"
#include "kernels/gemv.h"
#include "kernels/gemv_mxfp4.h"
#include "kernels/logits_argmax.h"
#include "kernels/residual_rmsnorm.h"
#include "kernels/rmsnorm.h"
#include "kernels/rope.h"
#include "kernels/rope_append.h"
#include "kernels/sample.h"
#include "kernels/silu_mul.h"
#include "kernels/softmax.h"
#include "kernels/stream.h"
#include "kernels/top_k.h"

namespace kernels {

// Calls visit.template operator()<Args>() for each op, in the order in which they are listed.
template <class Visit>
void ForEachOp(Visit&& visit) {
  visit.template operator()<CopyArgs>();
  visit.template operator()<SumArgs>();
  visit.template operator()<RmsNormArgs>();
  visit.template operator()<ResidualRmsNormArgs>();
  visit.template operator()<SoftmaxArgs>();
  visit.template operator()<SiluMulArgs>();
  visit.template operator()<RopeArgs>();
  visit.template operator()<RopeAppendArgs>();
  visit.template operator()<ConvertArgs>();
  visit.template operator()<GemvArgs>();
  visit.template operator()<GemvMxfp4Args>();
  visit.template operator()<LogitsArgmaxArgs>();
  visit.template operator()<DecodeAttentionArgs>();
  visit.template operator()<ArgmaxArgs>();
  visit.template operator()<TopKArgs>();
  visit.template operator()<SampleArgs>();
  visit.template operator()<GemmArgs>();
}

}  // namespace kernels
