// SPDX-License-Identifier: Apache-2.0
// rows.h: where an op's header puts its device:cuda rows.
#pragma once

#include "kernels/row.h"

namespace kernels::cuda {

template <class Args>
struct Rows;  // { static constexpr std::array rows; }

}  // namespace kernels::cuda
