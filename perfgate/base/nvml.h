// SPDX-License-Identifier: Apache-2.0
// nvml.h: clocks, heat and neighbours of one GPU, asked through the driver's management library.
//
// Reads only: nothing here changes a setting. Values that the driver does not give are absent.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace perfgate::inline base {

struct GpuConditions {
  std::optional<double> sm_mhz;
  std::optional<double> mem_mhz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<unsigned long long> throttle;  // bit mask of NVML's clocks-event reasons
};

class Nvml {
 public:
  // `pci_bus_id` as CUDA writes it, "0000:1B:00.0". Without a driver everything is absent.
  explicit Nvml(const std::string& pci_bus_id);
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  GpuConditions Read() const;

  // Memory of the device that nobody has taken.
  std::optional<double> FreeMib() const;

  // Compute processes on the device beside this one, whoever's they are: the other arm of a
  // comparison is one of them.
  std::optional<int> OtherProcesses() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace perfgate::inline base
