// SPDX-License-Identifier: Apache-2.0
// case_name.h: how a shape is written in test output and benchmark names, and what a call costs
//
//   rmsnorm/device:cpu/impl:vector/rows:256/cols:4096/dtype:f32
//
// Every part but the op is key:value, so that names can be grouped by any key.
#pragma once

#include <string>

#include "kernels/registry.h"

namespace kernels {

// The work that the op must do, whatever the implementation.
struct Cost {
  double bytes = 0;  // read and written once each, by the model in the op's header
  double flops = 0;  // additions, products, quotients and exponentials, one each
};

std::string Describe(const CopyShape& shape);
std::string Describe(const SumShape& shape);
std::string Describe(const RmsNormShape& shape);
std::string Describe(const SoftmaxShape& shape);
std::string Describe(const SiluMulShape& shape);
std::string Describe(const RopeShape& shape);
std::string Describe(const RopeAppendShape& shape);
std::string Describe(const ConvertShape& shape);
std::string Describe(const GemvShape& shape);
std::string Describe(const GemvMxfp4Shape& shape);
std::string Describe(const LogitsArgmaxShape& shape);
std::string Describe(const DecodeAttentionShape& shape);
std::string Describe(const ArgmaxShape& shape);
std::string Describe(const TopKShape& shape);
std::string Describe(const SampleShape& shape);
std::string Describe(const GemmShape& shape);

Cost CostOf(const CopyShape& shape);
Cost CostOf(const SumShape& shape);
Cost CostOf(const RmsNormShape& shape);
Cost CostOf(const ResidualRmsNormShape& shape);
Cost CostOf(const SoftmaxShape& shape);
Cost CostOf(const SiluMulShape& shape);
Cost CostOf(const RopeShape& shape);
Cost CostOf(const RopeAppendShape& shape);
Cost CostOf(const ConvertShape& shape);
Cost CostOf(const GemvShape& shape);
Cost CostOf(const GemvMxfp4Shape& shape);
Cost CostOf(const LogitsArgmaxShape& shape);
Cost CostOf(const DecodeAttentionShape& shape);
Cost CostOf(const ArgmaxShape& shape);
Cost CostOf(const TopKShape& shape);
Cost CostOf(const SampleShape& shape);
Cost CostOf(const GemmShape& shape);

template <class Args>
std::string CaseName(const Row<Args>& row, const typename Args::Shape& shape) {
  return std::string(Table<Args>::op) + "/device:" + std::string(Name(row.device)) +
         "/impl:" + std::string(row.impl) + "/" + Describe(shape);
}

}  // namespace kernels
