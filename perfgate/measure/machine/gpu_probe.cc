// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/machine/gpu_probe.h"

#include <array>
#include <string>

#include "perfgate/base/nvml.h"

namespace perfgate::measure {
namespace {

using Device = NvmlLibrary::Device;
using Text = std::array<char, 96>;

Gpu describe_device(const NvmlLibrary& nvml, Device device, const Gpu& common) {
  Gpu gpu = common;
  Text name{};
  if (nvml.Works("nvmlDeviceGetName", device, name.data(), static_cast<unsigned>(name.size()))) {
    gpu.model = name.data();
  }
  NvmlLibrary::Memory memory{};
  if (nvml.Works("nvmlDeviceGetMemoryInfo", device, &memory)) {
    gpu.memory_gib = static_cast<double>(memory.total) / 1073741824.0;
  }
  unsigned milliwatt = 0;
  if (nvml.Works("nvmlDeviceGetEnforcedPowerLimit", device, &milliwatt)) {
    gpu.power_limit_w = milliwatt / 1000.0;
  }
  unsigned mhz = 0;
  if (nvml.Works("nvmlDeviceGetMaxClockInfo", device, NvmlLibrary::kSmClock, &mhz)) {
    gpu.sm_clock_max_mhz = static_cast<int>(mhz);
  }
  if (nvml.Works("nvmlDeviceGetMaxClockInfo", device, NvmlLibrary::kMemoryClock, &mhz)) {
    gpu.memory_clock_max_mhz = static_cast<int>(mhz);
  }
  unsigned current = 0;
  unsigned pending = 0;
  if (nvml.Works("nvmlDeviceGetMigMode", device, &current, &pending)) {
    gpu.mig = current != 0 ? "on" : "off";
  }
  unsigned persistence = 0;
  if (nvml.Works("nvmlDeviceGetPersistenceMode", device, &persistence)) {
    gpu.persistence = persistence != 0;
  }
  return gpu;
}

}  // namespace

std::vector<Gpu> probe_gpus() {
  const NvmlLibrary nvml;
  std::vector<Gpu> gpus;
  Gpu common;
  Text driver{};
  if (nvml.Works("nvmlSystemGetDriverVersion", driver.data(),
                 static_cast<unsigned>(driver.size()))) {
    common.driver = driver.data();
  }
  int cuda = 0;  // 1000 x major + 10 x minor
  if (nvml.Works("nvmlSystemGetCudaDriverVersion_v2", &cuda)) {
    common.cuda = std::to_string(cuda / 1000) + "." + std::to_string(cuda % 1000 / 10);
  }
  unsigned count = 0;
  nvml.Works("nvmlDeviceGetCount_v2", &count);
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    if (nvml.Works("nvmlDeviceGetHandleByIndex_v2", i, &device)) {
      gpus.push_back(describe_device(nvml, device, common));
    }
  }
  return gpus;
}

}  // namespace perfgate::measure
