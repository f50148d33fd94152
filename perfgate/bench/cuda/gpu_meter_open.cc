// SPDX-License-Identifier: Apache-2.0
// gpu_meter_open.cc: what a meter learns of its device before the first case.
#include <algorithm>
#include <string>
#include <vector>

#include "perfgate/bench/cuda/gpu_meter.h"
#include "perfgate/bench/cuda/gpu_status.h"

namespace perfgate::bench {
namespace {

constexpr int kHonestSamples = 64;
// Twice the cache is read to replace its contents: lines are not evicted in the order of use.
constexpr std::size_t kEmptyingFactor = 2;

double Attribute(cudaDeviceAttr attribute, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess ? value : 0;
}

}  // namespace

void GpuMeter::CheckModels() const {
  int count = 0;
  CheckGpu(cudaGetDeviceCount(&count), "looking for GPUs");
  if (count == 0) throw GpuError("gpu_no_device", "the driver shows no device");
  if (options_.device >= count) {
    throw GpuError("gpu_no_device", "device " + std::to_string(options_.device) + " of " +
                                        std::to_string(count) + " was asked for");
  }
  if (options_.device >= 0) return;
  std::vector<std::string> names;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    CheckGpu(cudaGetDeviceProperties(&properties, device), "asking for a GPU's name");
    names.emplace_back(properties.name);
  }
  RequireOneModel(names);
}

void GpuMeter::Open() {
  CheckModels();
  const int device = std::max(0, options_.device);
  char bus_id[32] = {};
  CheckGpu(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, device), "asking for a GPU's bus");
  nvml_ = std::make_unique<Nvml>(bus_id);
  // Before the context takes its share; the other arm's share is gone already if it runs.
  const std::optional<double> free_before = nvml_->FreeMib();
  // Spinning makes the host's clock around a region tight. Refused where the context exists
  // already, which only makes it looser.
  if (cudaInitDevice(device, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid) != cudaSuccess) {
    cudaGetLastError();
  }
  CheckGpu(cudaSetDevice(device), "choosing the GPU");
  CheckGpu(cudaFree(nullptr), "creating a context");
  std::size_t free = 0;
  std::size_t total = 0;
  CheckGpu(cudaMemGetInfo(&free, &total), "asking for free memory");
  free_memory_mib_ = free_before.value_or(static_cast<double>(free) / 1048576.0);
  LearnPeaks();
  other_processes_ = nvml_->OtherProcesses().value_or(-1);

  CheckGpu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  CheckGpu(cudaEventCreate(&start_), "creating an event");
  CheckGpu(cudaEventCreate(&stop_), "creating an event");
  CheckGpu(cudaHostAlloc(reinterpret_cast<void**>(&flags_), sizeof *flags_, cudaHostAllocMapped),
           "allocating pinned memory");
  *flags_ = {};
  CheckGpu(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_flags_), flags_, 0),
           "mapping pinned memory");
  CheckGpu(cudaHostAlloc(reinterpret_cast<void**>(&readings_), 2 * sizeof *readings_,
                         cudaHostAllocMapped),
           "allocating pinned memory");
  readings_[0] = readings_[1] = {};
  scratch_bytes_ = kEmptyingFactor * static_cast<std::size_t>(peaks_.cache_bytes);
  scratch_ = AllocateDevice(std::max<std::size_t>(scratch_bytes_, 256));
  sink_ = AllocateDevice(256);
  CheckGpu(cudaMemset(scratch_.get(), 0, scratch_bytes_), "clearing memory");
  CheckGpu(cudaMemset(sink_.get(), 0, 256), "clearing memory");
  memory_ = std::make_unique<GpuMemory>(stream_, multiprocessors_);
  if (cudaDeviceGetLimit(&persisting_limit_, cudaLimitPersistingL2CacheSize) != cudaSuccess) {
    cudaGetLastError();
  }
  LearnOverhead();
}

void GpuMeter::LearnPeaks() {
  const int device = std::max(0, options_.device);
  multiprocessors_ =
      std::max(1, static_cast<int>(Attribute(cudaDevAttrMultiProcessorCount, device)));
  const double clock_hz = 1e3 * Attribute(cudaDevAttrClockRate, device);
  // Two transfers per clock of the memory.
  peaks_.memory_bytes_per_s = 2 * 1e3 * Attribute(cudaDevAttrMemoryClockRate, device) *
                              Attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8;
  peaks_.cache_bytes = Attribute(cudaDevAttrL2CacheSize, device);
  // No SM takes in more than a cache line per clock.
  peaks_.cache_bytes_per_s = multiprocessors_ * clock_hz * 128;
  // Dense low-precision matrix operations per SM and clock; other kinds are slower.
  const int major = static_cast<int>(Attribute(cudaDevAttrComputeCapabilityMajor, device));
  const double per_clock = major >= 10 ? 32768 : major == 9 ? 8192 : 4096;
  peaks_.flops_per_s = multiprocessors_ * clock_hz * per_clock;
}

// Also loads every kernel that runs while a stream is held: loading one waits for the device.
void GpuMeter::LearnOverhead() {
  memory_->Randomize({{sink_.get(), 256, Content::kBytes, 0}}, 1);
  memory_->Fingerprints({{sink_.get(), 256, Content::kBytes, 0}}, 1);
  CheckGpu(cudaMemset(sink_.get(), 0, 256), "clearing memory");
  EmptyCache();
  QueueClockProbe(0);
  LaunchEmpty(1, 32, stream_);
  CheckGpu(cudaDeviceSynchronize(), "first work on the GPU");
  std::vector<TimedSample> held;
  std::vector<TimedSample> unheld;
  for (int i = 0; i < kHonestSamples; ++i) {
    held.push_back(Time([&] { LaunchEmpty(1, 32, stream_); }).time);
    unheld.push_back(TimeUnheld([&] { LaunchEmpty(1, 32, stream_); }).time);
  }
  held_clocks_ = TwoClocks({held.begin() + kHonestSamples / 4, held.end()});
  unheld_clocks_ = TwoClocks({unheld.begin() + kHonestSamples / 4, unheld.end()});
}

}  // namespace perfgate::bench
