// SPDX-License-Identifier: Apache-2.0
// cuda_device.h: the ops of an NVIDIA GPU, where the build has them.
#pragma once

#include <memory>

#include "engine/ops/ops.h"
#include "engine/options.h"

namespace engine {

// On the first GPU that the driver shows; options as Validate() accepts them, device=cuda. Throws
// Error(kUsage) where this build has no CUDA, or there is no driver, no GPU, or none that the build
// was made for; DeviceError for what fails later, from any op.
std::unique_ptr<Ops> MakeCudaOps(const EngineOptions& options);

}  // namespace engine
