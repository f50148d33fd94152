// SPDX-License-Identifier: Apache-2.0
// nvml.h: the management library of NVIDIA's driver: clocks, heat and neighbours of GPUs.
//
// It is loaded at run time, so that nothing needs CUDA to build. Reads only: nothing here changes a
// setting. Values that the driver does not give are absent.
#pragma once

#include <optional>
#include <string>

namespace perfgate::inline base {

// The library itself, and the few types of its header by their documented binary interface: the
// header comes with the CUDA toolkit, which machines without one do not have.
class NvmlLibrary {
 public:
  using Device = struct OpaqueDevice*;
  static constexpr unsigned kSmClock = 1;
  static constexpr unsigned kMemoryClock = 2;
  struct Memory {
    unsigned long long total, free, used;  // bytes
  };
  static constexpr int kSuccess = 0;

  NvmlLibrary();
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;
  ~NvmlLibrary();

  // The status of a function, or -1 where this version of the library has none of that name.
  template <class... Arguments>
  int Call(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<int (*)(Arguments...)>(Symbol(name));
    return function == nullptr ? -1 : function(arguments...);
  }

  template <class... Arguments>
  bool Works(const char* name, Arguments... arguments) const {
    return Call(name, arguments...) == kSuccess;
  }

 private:
  void* Symbol(const char* name) const;  // null where there is no driver

  void* handle_ = nullptr;
};

struct GpuConditions {
  std::optional<double> sm_mhz;
  std::optional<double> mem_mhz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<unsigned long long> throttle;  // bit mask of NVML's clocks-event reasons
};

// One GPU.
class Nvml {
 public:
  // `pci_bus_id` as CUDA writes it, "0000:1B:00.0". Without a driver everything is absent.
  explicit Nvml(const std::string& pci_bus_id);

  GpuConditions Read() const;

  // Memory of the device that nobody has taken.
  std::optional<double> FreeMib() const;

  // Compute processes on the device beside this one, whoever's they are: the other arm of a
  // comparison is one of them.
  std::optional<int> OtherProcesses() const;

 private:
  NvmlLibrary library_;
  NvmlLibrary::Device device_ = nullptr;
};

}  // namespace perfgate::inline base
