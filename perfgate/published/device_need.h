// SPDX-License-Identifier: Apache-2.0
// device_need.h: which devices an item needs, and whether a machine can verify it, before any time
// is spent there.
//
// Several lists state needs, and they may disagree: the largest number of devices and the largest
// memory count, and every disagreement is named. Where they state nothing, the size in the model's
// name gives a range (review/model_size.h).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/published/published_parity.h"
#include "perfgate/published/review/device_estimate.h"

namespace perfgate::published {

struct DeviceNeed {
  std::optional<int> devices;         // the largest number that a list states
  bool at_least = false;              // that number is a lower bound
  std::optional<int> device_class;    // 1, 2, 4 or 8, the smallest that holds it; absent above 8
  std::optional<double> vram_gb;      // of all devices together, 10^9 bytes
  std::optional<std::string> vendor;  // "nvidia", "amd"; absent: not stated, or in contradiction
  bool vendors_disagree = false;
  std::vector<std::string> obstacles;  // causes that no machine removes
  bool too_large = false;              // a list says that the model does not fit its machine
  std::vector<std::string> conflicts;  // "capacity: 1 device, failures: at least 2"
  std::optional<DeviceEstimate> estimate = {};  // from the model's name
};

DeviceNeed need_of(const PublishedItem& item, double device_gb = kUsualDeviceGb);

// The machine that is to verify.
struct Devices {
  int count = 1;
  std::optional<double> vram_gib = {};     // of each, 2^30 bytes
  std::optional<std::string> vendor = {};  // "nvidia", "amd", "intel"
};

// What stands between an item and that machine, the first that applies. Exactly one each.
enum class Readiness {
  kNoMachine,  // feature missing in the baseline, model not supported, not buildable
  kOtherVendor,
  kTooFewDevices,
  kTooLittleMemory,
  kVendorUnclear,  // the lists name several
  kNotStated,      // no list says how many devices it needs, and the estimate does not decide
  kReady,
};
inline constexpr std::array<std::string_view, 7> kReadinessWords = {
    "no_machine", "other_vendor", "too_few_devices", "too_little_memory", "vendor_unclear",
    "not_stated", "ready"};
constexpr std::string_view word_of(Readiness v) {
  return kReadinessWords[static_cast<std::size_t>(v)];
}

// Where no list states a number and the memory of the devices is known, the estimate decides if its
// whole range fits, or none of it.
Readiness preflight(const DeviceNeed& need, const Devices& devices);

// Memory of each device in GB of 10^9 bytes; 80 where it is not given.
double DeviceGb(const std::optional<Devices>& devices);

// "nvidia" for H100, A100, L4, RTX...; "amd" for MI300; absent for names that nobody knows.
std::optional<std::string> vendor_of(std::string_view gpu);

}  // namespace perfgate::published
