// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace perfgate::inline base {
namespace {

constexpr int kInsufficientSize = 7;
constexpr unsigned kGpuTemperatureSensor = 0;

struct ProcessInfo {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

}  // namespace

NvmlLibrary::NvmlLibrary() : handle_(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr || Works("nvmlInit_v2")) return;
  ::dlclose(handle_);
  handle_ = nullptr;
}

NvmlLibrary::~NvmlLibrary() {
  if (handle_ == nullptr) return;
  Call("nvmlShutdown");
  ::dlclose(handle_);
}

void* NvmlLibrary::Symbol(const char* name) const {
  return handle_ == nullptr ? nullptr : ::dlsym(handle_, name);
}

Nvml::Nvml(const std::string& pci_bus_id) {
  if (!library_.Works("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_)) {
    device_ = nullptr;
  }
}

GpuConditions Nvml::Read() const {
  GpuConditions conditions;
  if (device_ == nullptr) return conditions;
  const auto read = [&](std::optional<double>& value, double scale, const char* name,
                        auto... arguments) {
    unsigned number = 0;
    if (library_.Works(name, device_, arguments..., &number)) value = number * scale;
  };
  read(conditions.sm_mhz, 1, "nvmlDeviceGetClockInfo", NvmlLibrary::kSmClock);
  read(conditions.mem_mhz, 1, "nvmlDeviceGetClockInfo", NvmlLibrary::kMemoryClock);
  read(conditions.temperature_c, 1, "nvmlDeviceGetTemperature", kGpuTemperatureSensor);
  read(conditions.power_w, 1e-3, "nvmlDeviceGetPowerUsage");
  unsigned long long mask = 0;
  // Renamed in 2023; the bits are the same.
  if (library_.Works("nvmlDeviceGetCurrentClocksEventReasons", device_, &mask) ||
      library_.Works("nvmlDeviceGetCurrentClocksThrottleReasons", device_, &mask)) {
    conditions.throttle = mask;
  }
  return conditions;
}

std::optional<double> Nvml::FreeMib() const {
  NvmlLibrary::Memory memory{};
  if (device_ == nullptr || !library_.Works("nvmlDeviceGetMemoryInfo", device_, &memory)) {
    return std::nullopt;
  }
  return static_cast<double>(memory.free) / 1048576.0;
}

std::optional<int> Nvml::OtherProcesses() const {
  if (device_ == nullptr) return std::nullopt;
  std::array<ProcessInfo, 256> processes{};
  unsigned count = processes.size();
  const int status =
      library_.Call("nvmlDeviceGetComputeRunningProcesses_v3", device_, &count, processes.data());
  if (status != NvmlLibrary::kSuccess && status != kInsufficientSize) return std::nullopt;
  return std::max(0, static_cast<int>(count) - 1);
}

}  // namespace perfgate::inline base
