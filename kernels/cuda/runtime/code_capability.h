// SPDX-License-Identifier: Apache-2.0
// code_capability.h: which compute capability the kernels of this library were compiled for.
#pragma once

namespace kernels::cuda {

// Of the code that the current device runs, 90 for 9.0: what __CUDA_ARCH__ / 10 was when it was
// compiled, which is less than the device's own where the build has nothing newer. Throws
// kernels::Error where the build has nothing for this device.
int CodeCapability();

}  // namespace kernels::cuda
