// SPDX-License-Identifier: Apache-2.0
// In builds without CUDA.
#include "engine/error.h"
#include "engine/ops/cuda_device.h"

namespace engine {

std::unique_ptr<Ops> MakeCudaOps(const EngineOptions&) {
  throw Error(Exit::kUsage,
              "device=cuda: this build has no CUDA; configure with -DPERFGATE_CUDA=ON");
}

}  // namespace engine
