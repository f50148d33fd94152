// SPDX-License-Identifier: Apache-2.0
// registry.h: every op, so that tests and suites reach each implementation without naming it.
//
// A new implementation is a row in its op's table. A new op is a header here with its source in
// cpu/ops/, a line in the list below, its problem in tests/kernels/problems/ and its cases in
// suites/kernel_cases; README.md of this folder leads through them.
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

template <class... Args>
struct OpList {};

// In the order in which suites run them.
using Ops = OpList<CopyArgs, SumArgs, RmsNormArgs, ResidualRmsNormArgs, SoftmaxArgs, SiluMulArgs,
                   RopeArgs, RopeAppendArgs, ConvertArgs, GemvArgs, GemvMxfp4Args, LogitsArgmaxArgs,
                   DecodeAttentionArgs, ArgmaxArgs, TopKArgs, SampleArgs, GemmArgs>;

// Calls visit.template operator()<Args>() for each op.
template <class Visit>
void ForEachOp(Visit&& visit) {
  [&]<class... Args>(OpList<Args...>) { (visit.template operator()<Args>(), ...); }(Ops());
}

}  // namespace kernels
