// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/cuda/gpu_meter.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "perfgate/base/os/waiting.h"
#include "perfgate/bench/cuda/gpu_status.h"
#include "perfgate/bench/metrics.h"

namespace perfgate::bench {
namespace {

const bool kDeclared = DeclareGpuMetrics();

// A hold that nobody releases: the work waits for its own stream, so the host never comes to it.
constexpr long long kHoldTimeoutNs = 2'000'000'000;
constexpr double kArrivalLimitS = 20;
constexpr int kClockProbeUs = 100;

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

const GpuConditions& GpuMeter::Conditions() {
  constexpr double kFreshS = 0.02;
  if (conditions_at_ == Clock::time_point{} || seconds_since(conditions_at_) > kFreshS) {
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
    if (seconds_since(start) > kArrivalLimitS) {
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
  sample.time.host_s = seconds_since(released);
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
  sample.time.host_s = seconds_since(begin);
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
