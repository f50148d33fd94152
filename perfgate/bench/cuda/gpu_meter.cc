// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/cuda/gpu_meter.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "perfgate/bench/cuda/gpu_status.h"
#include "perfgate/bench/metrics.h"

namespace perfgate::bench {
namespace {

using Clock = std::chrono::steady_clock;

const bool kDeclared = DeclareGpuMetrics();

// A hold that nobody releases: the work waits for its own stream, so the host never comes to it.
constexpr long long kHoldTimeoutNs = 2'000'000'000;
constexpr double kArrivalLimitS = 20;
constexpr int kHonestSamples = 64;
constexpr int kClockProbeUs = 100;
// Twice the cache is read to replace its contents: lines are not evicted in the order of use.
constexpr std::size_t kEmptyingFactor = 2;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Attribute(cudaDeviceAttr attribute, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, attribute, device) == cudaSuccess ? value : 0;
}

// The device polls and writes these words while the host does.
unsigned Load(const unsigned& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }
void Store(unsigned& word, unsigned value) { __atomic_store_n(&word, value, __ATOMIC_RELEASE); }

}  // namespace

GpuMeter::GpuMeter(const GpuMeterOptions& options) : options_(options) {
  static_cast<void>(kDeclared);
  try {
    Open();
  } catch (const GpuError& error) {
    status_ = error.what();
  }
}

GpuMeter::~GpuMeter() {
  for (auto& [name, graphs] : graphs_) Drop(graphs);
  memory_.reset();
  if (readings_ != nullptr) cudaFreeHost(readings_);
  if (flags_ != nullptr) cudaFreeHost(flags_);
  if (start_ != nullptr) cudaEventDestroy(start_);
  if (stop_ != nullptr) cudaEventDestroy(stop_);
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

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
  cudaDeviceProp properties{};
  CheckGpu(cudaGetDeviceProperties(&properties, device), "asking for a GPU's name");
  device_name_ = properties.name;
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

const GpuConditions& GpuMeter::Conditions() {
  constexpr double kFreshS = 0.02;
  if (conditions_at_ == Clock::time_point{} || SecondsSince(conditions_at_) > kFreshS) {
    conditions_ = nvml_->Read();
    conditions_at_ = Clock::now();
  }
  return conditions_;
}

double GpuMeter::UsedMib() {
  const std::optional<double> free = nvml_->FreeMib();
  if (!free) return 0;
  // What others free meanwhile can only hide some of it; what they take looks like ours.
  peak_used_mib_ = std::max(peak_used_mib_, free_memory_mib_ - *free);
  return peak_used_mib_;
}

Guard& GpuMeter::GuardOf(const std::string& case_name) {
  std::unique_ptr<Guard>& guard = guards_[case_name];
  if (!guard) guard = std::make_unique<Guard>(*memory_, Entropy(), options_.defences);
  return *guard;
}

void GpuMeter::EmptyCache() {
  ResetPersistingLines();
  LaunchRead(scratch_.get(), scratch_bytes_, static_cast<unsigned*>(sink_.get()), multiprocessors_,
             stream_);
}

void GpuMeter::ResetPersistingLines() const {
  if (!options_.defences.persisting) return;
  // Devices without such lines refuse.
  if (cudaCtxResetPersistingL2Cache() != cudaSuccess) cudaGetLastError();
}

std::size_t GpuMeter::BytesSetAside() const {
  std::size_t limit = 0;
  if (!options_.defences.persisting) return 0;
  if (cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize) != cudaSuccess) {
    cudaGetLastError();  // a device without such lines
    return 0;
  }
  return limit > persisting_limit_ ? limit : 0;
}

void GpuMeter::Hold() {
  ++ticket_;
  LaunchHold(device_flags_, ticket_, kHoldTimeoutNs, stream_);
}

void GpuMeter::AwaitArrival() const {
  const auto start = Clock::now();
  while (Load(flags_->arrived) != ticket_) {
    // A kernel of the case before may have broken the context, and then nobody arrives.
    const cudaError_t state = cudaStreamQuery(stream_);
    if (state != cudaErrorNotReady && state != cudaSuccess) CheckGpu(state, "before a timed call");
    if (SecondsSince(start) > kArrivalLimitS) {
      throw GpuError("gpu_error", "the device did not get to the timed call");
    }
  }
}

void GpuMeter::Release() { Store(flags_->released, ticket_); }

GpuSample GpuMeter::Time(const std::function<void()>& work,
                         const std::function<void()>& before_work,
                         const std::function<void()>& while_held) {
  GpuSample sample;
  Hold();
  AwaitArrival();
  try {
    if (before_work) before_work();
    CheckGpu(cudaEventRecord(start_, stream_), "recording an event");
    work();
    CheckGpu(cudaGetLastError(), "launching the timed call");
    CheckGpu(cudaEventRecord(stop_, stream_), "recording an event");
    if (while_held) while_held();
  } catch (...) {
    Release();
    throw;
  }
  const auto released = Clock::now();
  Release();
  CheckGpu(cudaDeviceSynchronize(), "running the timed call");
  sample.time.host_s = SecondsSince(released);
  float milliseconds = 0;
  CheckGpu(cudaEventElapsedTime(&milliseconds, start_, stop_), "reading events");
  sample.time.device_s = 1e-3 * static_cast<double>(milliseconds);
  sample.hold_timed_out = Load(flags_->timed_out) == ticket_;
  return sample;
}

GpuSample GpuMeter::TimeUnheld(const std::function<void()>& work) {
  GpuSample sample;
  CheckGpu(cudaDeviceSynchronize(), "waiting for the device");
  const auto begin = Clock::now();
  CheckGpu(cudaEventRecord(start_, stream_), "recording an event");
  work();
  CheckGpu(cudaGetLastError(), "launching the timed call");
  CheckGpu(cudaEventRecord(stop_, stream_), "recording an event");
  CheckGpu(cudaDeviceSynchronize(), "running the timed call");
  sample.time.host_s = SecondsSince(begin);
  float milliseconds = 0;
  CheckGpu(cudaEventElapsedTime(&milliseconds, start_, stop_), "reading events");
  sample.time.device_s = 1e-3 * static_cast<double>(milliseconds);
  return sample;
}

void GpuMeter::QueueClockProbe(int slot) {
  ClockReading* device = nullptr;
  CheckGpu(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), readings_, 0),
           "mapping pinned memory");
  LaunchClockProbe(device + slot, kClockProbeUs, stream_);
}

double GpuMeter::ClockMhz(int slot) const {
  const ClockReading& reading = readings_[slot];
  return reading.nanoseconds > 0
             ? 1e3 * static_cast<double>(reading.cycles) / static_cast<double>(reading.nanoseconds)
             : 0;
}

void GpuMeter::Drop(Graphs& graphs) {
  for (cudaGraphExec_t executable : graphs.executables) cudaGraphExecDestroy(executable);
  graphs.executables.clear();
}

const std::vector<cudaGraphExec_t>& GpuMeter::GraphsOf(const std::string& case_name,
                                                       std::uint64_t buffers, int count, int calls,
                                                       int rotations, const Call& call) {
  Graphs& graphs = graphs_[case_name];
  if (!graphs.executables.empty() && graphs.buffers == buffers) return graphs.executables;
  Drop(graphs);
  graphs.buffers = buffers;
  for (int g = 0; g < count; ++g) {
    cudaGraph_t graph = nullptr;
    CheckGpu(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal),
             "capturing the call");
    try {
      for (int i = 0; i < calls; ++i) call((g * calls + i) % rotations, stream_);
    } catch (...) {
      cudaStreamEndCapture(stream_, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      cudaGetLastError();
      throw;
    }
    CheckGpu(cudaStreamEndCapture(stream_, &graph),
             "capturing the call (set calls_per_sample to 1 where it cannot be)");
    cudaGraphExec_t executable = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    CheckGpu(error, "instantiating the graph of the call");
    graphs.executables.push_back(executable);
    CheckGpu(cudaGraphUpload(executable, stream_), "uploading the graph of the call");
  }
  CheckGpu(cudaStreamSynchronize(stream_), "uploading the graph of the call");
  return graphs.executables;
}

}  // namespace perfgate::bench
