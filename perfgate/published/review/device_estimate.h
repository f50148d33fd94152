// SPDX-License-Identifier: Apache-2.0
// device_estimate.h: the memory and the number of devices that an item's model needs, from its
// name, and where that disagrees with what the lists state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/published/published_parity.h"
#include "perfgate/published/review/model_size.h"

namespace perfgate::published {

inline constexpr double kUsualDeviceGb = 80;  // where no machine is given

struct DeviceEstimate {
  std::string from;  // the name that was read: the model's, or a list's "failures: 671B-MoE"
  ModelSize size;
  MemoryEstimate memory;
  double device_gb = kUsualDeviceGb;
  int devices_lo = 1;  // of that size
  int devices_hi = 1;
  std::vector<std::string> disagreements;  // "capacity: 1 device, estimate: at least 2 of 80 GB"
};

// From the model's name, else from the size that a list states. None where neither has a number of
// parameters.
std::optional<DeviceEstimate> EstimateDevices(const PublishedItem& item,
                                              double device_gb = kUsualDeviceGb);

}  // namespace perfgate::published
