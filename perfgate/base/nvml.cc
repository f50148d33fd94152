// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace perfgate::inline base {
namespace {

// The few types of nvml.h that are used, by their documented binary interface.
using Device = struct OpaqueDevice*;
constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr unsigned kSmClock = 1;
constexpr unsigned kMemoryClock = 2;
constexpr unsigned kGpuTemperatureSensor = 0;

struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

}  // namespace

struct Nvml::Library {
  void* handle = nullptr;
  Device device = nullptr;

  // The status of a function, or -1 where this version of the library has none of that name.
  template <class... Arguments>
  int Call(const char* name, Arguments... arguments) const {
    if (handle == nullptr) return -1;
    const auto function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(handle, name));
    return function == nullptr ? -1 : function(arguments...);
  }

  std::optional<double> Unsigned(const char* name, double scale) const {
    unsigned value = 0;
    if (Call(name, device, &value) != kSuccess) return std::nullopt;
    return value * scale;
  }
};

Nvml::Nvml(const std::string& pci_bus_id) : library_(std::make_unique<Library>()) {
  library_->handle = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_->Call("nvmlInit_v2") != kSuccess) return;
  if (library_->Call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &library_->device) !=
      kSuccess) {
    library_->device = nullptr;
  }
}

Nvml::~Nvml() {
  if (library_->handle == nullptr) return;
  library_->Call("nvmlShutdown");
  ::dlclose(library_->handle);
}

GpuConditions Nvml::Read() const {
  GpuConditions conditions;
  if (library_->device == nullptr) return conditions;
  const Device device = library_->device;
  unsigned mhz = 0;
  if (library_->Call("nvmlDeviceGetClockInfo", device, kSmClock, &mhz) == kSuccess) {
    conditions.sm_mhz = mhz;
  }
  if (library_->Call("nvmlDeviceGetClockInfo", device, kMemoryClock, &mhz) == kSuccess) {
    conditions.mem_mhz = mhz;
  }
  unsigned celsius = 0;
  if (library_->Call("nvmlDeviceGetTemperature", device, kGpuTemperatureSensor, &celsius) ==
      kSuccess) {
    conditions.temperature_c = celsius;
  }
  conditions.power_w = library_->Unsigned("nvmlDeviceGetPowerUsage", 1e-3);
  unsigned long long mask = 0;
  // Renamed in 2023; the bits are the same.
  if (library_->Call("nvmlDeviceGetCurrentClocksEventReasons", device, &mask) == kSuccess ||
      library_->Call("nvmlDeviceGetCurrentClocksThrottleReasons", device, &mask) == kSuccess) {
    conditions.throttle = mask;
  }
  return conditions;
}

std::optional<double> Nvml::FreeMib() const {
  struct {
    unsigned long long total, free, used;
  } memory{};
  if (library_->device == nullptr ||
      library_->Call("nvmlDeviceGetMemoryInfo", library_->device, &memory) != kSuccess) {
    return std::nullopt;
  }
  return static_cast<double>(memory.free) / 1048576.0;
}

std::optional<int> Nvml::OtherProcesses() const {
  if (library_->device == nullptr) return std::nullopt;
  std::array<ProcessInfo, 256> processes{};
  unsigned count = processes.size();
  const int status = library_->Call("nvmlDeviceGetComputeRunningProcesses_v3", library_->device,
                                    &count, processes.data());
  if (status != kSuccess && status != kInsufficientSize) return std::nullopt;
  return std::max(0, static_cast<int>(count) - 1);
}

}  // namespace perfgate::inline base
