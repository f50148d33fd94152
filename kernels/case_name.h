// SPDX-License-Identifier: Apache-2.0
// case_name.h: how a shape of an implementation is written in test output and benchmark names
//
//   rmsnorm/device:cpu/impl:vector/rows:256/cols:4096/dtype:f32
//
// Every part but the op is key:value, so that names can be grouped by any key.
#pragma once

#include <string>

#include "kernels/row.h"

namespace kernels {

template <class Args>
std::string CaseName(const Row<Args>& row, const typename Args::Shape& shape) {
  return std::string(Table<Args>::op) + "/device:" + std::string(Name(row.device)) +
         "/impl:" + std::string(row.impl) + "/" + Describe(shape);
}

}  // namespace kernels
