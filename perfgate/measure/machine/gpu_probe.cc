// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/machine/gpu_probe.h"

#include <dlfcn.h>

#include <array>
#include <memory>
#include <string>

namespace perfgate::measure {
namespace {

// The few types of nvml.h that are used, by their documented binary interface: the header comes
// with the CUDA toolkit, which machines without one do not have.
using Device = struct OpaqueDevice*;
struct MemoryInfo {
  unsigned long long total, free, used;
};
constexpr int kSuccess = 0;
constexpr unsigned kSmClock = 1;
constexpr unsigned kMemoryClock = 2;

struct CloseLibrary {
  void operator()(void* library) const { ::dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

template <class... Arguments>
using Function = int (*)(Arguments...);

// A call of a function that this version of the library may not have.
template <class... Arguments>
bool call(const Library& library, const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<Function<Arguments...>>(::dlsym(library.get(), name));
  return function != nullptr && function(arguments...) == kSuccess;
}

using Text = std::array<char, 96>;

Gpu describe_device(const Library& nvml, Device device, const Gpu& common) {
  Gpu gpu = common;
  Text name{};
  if (call(nvml, "nvmlDeviceGetName", device, name.data(), static_cast<unsigned>(name.size()))) {
    gpu.model = name.data();
  }
  MemoryInfo memory{};
  if (call(nvml, "nvmlDeviceGetMemoryInfo", device, &memory)) {
    gpu.memory_gib = static_cast<double>(memory.total) / 1073741824.0;
  }
  unsigned milliwatt = 0;
  if (call(nvml, "nvmlDeviceGetEnforcedPowerLimit", device, &milliwatt)) {
    gpu.power_limit_w = milliwatt / 1000.0;
  }
  unsigned mhz = 0;
  if (call(nvml, "nvmlDeviceGetMaxClockInfo", device, kSmClock, &mhz)) {
    gpu.sm_clock_max_mhz = static_cast<int>(mhz);
  }
  if (call(nvml, "nvmlDeviceGetMaxClockInfo", device, kMemoryClock, &mhz)) {
    gpu.memory_clock_max_mhz = static_cast<int>(mhz);
  }
  unsigned current = 0;
  unsigned pending = 0;
  if (call(nvml, "nvmlDeviceGetMigMode", device, &current, &pending)) {
    gpu.mig = current != 0 ? "on" : "off";
  }
  unsigned persistence = 0;
  if (call(nvml, "nvmlDeviceGetPersistenceMode", device, &persistence)) {
    gpu.persistence = persistence != 0;
  }
  return gpu;
}

}  // namespace

std::vector<Gpu> probe_gpus() {
  const Library nvml(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
  std::vector<Gpu> gpus;
  if (!nvml || !call(nvml, "nvmlInit_v2")) return gpus;
  Gpu common;
  Text driver{};
  if (call(nvml, "nvmlSystemGetDriverVersion", driver.data(),
           static_cast<unsigned>(driver.size()))) {
    common.driver = driver.data();
  }
  int cuda = 0;  // 1000 x major + 10 x minor
  if (call(nvml, "nvmlSystemGetCudaDriverVersion_v2", &cuda)) {
    common.cuda = std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
  }
  unsigned count = 0;
  call(nvml, "nvmlDeviceGetCount_v2", &count);
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    if (call(nvml, "nvmlDeviceGetHandleByIndex_v2", i, &device)) {
      gpus.push_back(describe_device(nvml, device, common));
    }
  }
  call(nvml, "nvmlShutdown");
  return gpus;
}

}  // namespace perfgate::measure
