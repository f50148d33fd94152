// SPDX-License-Identifier: Apache-2.0
// gpu_probe.h: the NVIDIA devices of this machine, asked through the driver's management library.
#pragma once

#include <vector>

#include "perfgate/evidence/machine.h"

namespace perfgate::measure {

// Loads libnvidia-ml at run time, so that nothing here needs CUDA to build. Empty where there is no
// driver; fields that the driver does not answer stay empty. Never throws and changes no setting.
std::vector<Gpu> probe_gpus();

}  // namespace perfgate::measure
