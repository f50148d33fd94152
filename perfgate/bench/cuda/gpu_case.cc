// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/cuda/gpu_case.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "perfgate/base/error.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/bench/cuda/gpu_status.h"
#include "perfgate/bench/host_case.h"
#include "perfgate/bench/recorder.h"
#include "perfgate/bench/thread_watch.h"
#include "perfgate/bench/worker/run_mode.h"
#include "perfgate/evidence/metrics/distribution.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"

namespace perfgate::bench {
namespace {

// Clocks rise within this when a process has been idle; later cases of a process find them up.
constexpr double kFirstWarmUpS = 0.2;
constexpr double kWarmUpS = 0.02;
constexpr int kMostGraphs = 4;

// At namespace scope, so that the gate hears of it before any case runs.
Recorder gpu_calls{std::string(kGpuCalls)};

// Waits by looking at the clock: a sleep would be longer than what is waited for.
void SpinFor(double seconds) {
  for (const auto start = Clock::now(); seconds_since(start) < seconds;) {
  }
}

// Changes where a graph that was captured on these buffers must not be used again.
std::uint64_t IdentityOf(const Buffers& buffers, int calls) {
  auto identity = static_cast<std::uint64_t>(calls);
  for (const Rotation& rotation : buffers.rotations) {
    for (const auto* regions : {&rotation.inputs, &rotation.outputs}) {
      for (const Region& region : *regions) {
        identity = Mix(identity + reinterpret_cast<std::uintptr_t>(region.data));
        identity = Mix(identity + region.bytes);
      }
    }
  }
  return identity;
}

// Nothing can run in this process any more. The message reaches the gate as the tail of what the
// arm printed.
[[noreturn]] void EndProcess(const std::string& name, const GpuError& error) {
  std::fprintf(stderr, "case %s: %s\n", name.c_str(), error.what());
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(Exit::kFailed));
}

// False where an error sticks to the context. A machine without a GPU has no context to lose.
bool IsUsable() {
  const cudaError_t error = cudaDeviceSynchronize();
  cudaGetLastError();
  const std::string status = StatusOf(error);
  return error == cudaSuccess || (status != "gpu_device_lost" && status != "gpu_kernel_failed");
}

void Count(benchmark::State& state, std::string_view name, double value) {
  state.counters[std::string(name)] = value;
}

}  // namespace

GpuCase::GpuCase(GpuMeter& meter, benchmark::State& state, GpuSpec spec)
    : meter_(&meter), state_(&state), spec_(std::move(spec)) {
  rotations_ = std::max<int>(1, static_cast<int>(spec_.buffers.rotations.size()));
  calls_ = spec_.calls_per_sample;
  if (calls_ <= 0) {
    calls_ = CallsPerSample(spec_.work, meter.peaks());
    if (IsCold()) calls_ = std::min(calls_, rotations_);
  }
}

bool GpuCase::IsCold() const {
  return spec_.cache == Cache::kCold && !spec_.buffers.rotations.empty();
}

std::string GpuCase::DeclarationError() const {
  std::string error = CacheNameError(spec_.name, spec_.cache);
  if (error.empty() && !spec_.buffers.rotations.empty()) {
    error = ColdnessError(spec_.cache, rotations_, calls_);
  }
  if (error.empty() && calls_ > 1 && !spec_.hold) {
    error = "a call that cannot be queued ahead cannot be captured: set calls_per_sample to 1";
  }
  return error;
}

void GpuCase::Run(const Call& call) {
  if (!meter_->status().empty()) {
    state_->SkipWithError(meter_->status().c_str());
    return;
  }
  const std::string error = DeclarationError();
  if (!error.empty()) {
    state_->SkipWithError(error.c_str());
    return;
  }
  RunGpuCase(*state_, spec_.name, [&] {
    guard_ = &meter_->GuardOf(spec_.name);
    if (CurrentRunMode() == RunMode::kInspect) {
      Inspect(call);
    } else {
      RunLoop(call);
      meter_->ResetPersistingLines();  // the next case and the other arm need the whole cache
    }
  });
}

int GpuCase::FirstRotation(std::int64_t sample) const {
  if (calls_ == 1) return static_cast<int>(sample % rotations_);
  const auto graphs = static_cast<std::int64_t>(std::max<std::size_t>(1, graphs_.size()));
  return static_cast<int>(sample % graphs) * calls_ % rotations_;
}

void GpuCase::Prepare(const Call& call) {
  if (calls_ == 1) return;
  const int graphs = std::clamp(rotations_ / calls_, 1, kMostGraphs);
  graphs_ = meter_->GraphsOf(spec_.name, IdentityOf(spec_.buffers, calls_), graphs, calls_,
                             rotations_, call);
}

void GpuCase::Queue(std::int64_t sample, const Call& call) {
  if (calls_ == 1) {
    call(FirstRotation(sample), meter_->stream());
    return;
  }
  CheckGpu(
      cudaGraphLaunch(graphs_[static_cast<std::size_t>(sample) % graphs_.size()], meter_->stream()),
      "launching the graph of the call");
}

// Every rotation once without a hold, because the first launch of a kernel loads it and libraries
// choose and allocate then; after that on the path that is timed.
Finding GpuCase::WarmUp(const Call& call) {
  const double seconds = meter_->warmed_up() ? kWarmUpS : kFirstWarmUpS;
  guard_->BeforeSample(0, 1);
  call(0, meter_->stream());
  CheckGpu(cudaGetLastError(), "launching the call");
  CheckGpu(cudaDeviceSynchronize(), "running the call for the first time");
  if (Finding finding = guard_->AfterSample([this] { Settle(); })) return finding;
  for (int rotation = 1; rotation < std::min(rotations_, 8); ++rotation) {
    call(rotation, meter_->stream());
    CheckGpu(cudaGetLastError(), "launching the call");
  }
  CheckGpu(cudaDeviceSynchronize(), "running the call for the first time");
  Prepare(call);
  std::int64_t sample = 0;
  for (const auto start = Clock::now(); seconds_since(start) < seconds; ++sample) {
    Queue(sample, call);
    CheckGpu(cudaStreamSynchronize(meter_->stream()), "warming up");
  }
  meter_->set_warmed_up();
  return {};
}

Finding GpuCase::Sample(std::int64_t sample, const Call& call, GpuSample* timed) {
  guard_->BeforeSample(FirstRotation(sample), calls_);
  if (IsCold()) meter_->EmptyCache();
  const auto work = [&] { Queue(sample, call); };
  Finding held;
  if (spec_.hold && guard_->WantsHeldCheck()) {
    // What does not wait for the stream has twice the call's time to show itself.
    const double predicted = calls_ * PredictedSeconds(spec_.work, meter_->peaks());
    const double patience = std::clamp(2 * predicted, 100e-6, 20e-3);
    *timed = meter_->Time(
        work, [&] { guard_->RememberHeld(); },
        [&] {
          SpinFor(patience);
          held = guard_->CheckHeld();
        });
  } else {
    *timed = spec_.hold ? meter_->Time(work) : meter_->TimeUnheld(work);
  }
  if (held && !timed->hold_timed_out) return held;
  if (Finding finding = JudgeTime(*timed)) return finding;
  return guard_->AfterSample([this] { Settle(); });
}

void GpuCase::RunLoop(const Call& call) {
  const bool first = guard_->slices() == 0;
  if (Conclude(*state_, JudgeSetAside())) return;
  const std::int64_t iterations = state_->max_iterations;
  if (Conclude(*state_, guard_->BeginSlice(spec_.buffers, (iterations + calls_ - 1) / calls_))) {
    return;
  }
  if (first) {
    if (Conclude(*state_, WarmUp(call))) return;
    if (Conclude(*state_, JudgeThreads(call))) return;
  } else {
    Prepare(call);
  }
  const ThreadIds threads = Threads();
  meter_->QueueClockProbe(0);
  double seconds = 0;
  std::int64_t sample = 0;
  while (state_->KeepRunningBatch(calls_)) {
    GpuSample timed;
    if (Conclude(*state_, Sample(sample++, call, &timed))) return;
    samples_.push_back(timed.time);
    seconds += timed.time.device_s;
    if (calls_ == 1) {
      const std::chrono::duration<double> took(timed.time.device_s);
      gpu_calls.Add(std::chrono::duration_cast<std::chrono::nanoseconds>(took));
    }
    state_->SetIterationTime(timed.time.device_s);
  }
  meter_->QueueClockProbe(1);
  if (Conclude(*state_, guard_->EndSlice())) return;
  if (Conclude(*state_, JudgeSetAside())) return;
  if (Conclude(*state_, JudgeClocks(call))) return;
  if (!first && !NewThreads(threads).empty() && Conclude(*state_, JudgeThreads(call))) return;
  Report(seconds / static_cast<double>(std::max<std::int64_t>(1, sample) * calls_));
}

void GpuCase::Report(double seconds_per_call) {
  const double mhz = (meter_->ClockMhz(0) + meter_->ClockMhz(1)) / 2;
  Count(*state_, kGpuCallsPerSample, calls_);
  if (mhz > 0) {
    Count(*state_, kGpuSmMhz, mhz);
    Count(*state_, kGpuCycles, seconds_per_call * mhz * 1e6);
  }
  const GpuConditions& conditions = meter_->Conditions();
  const auto add = [&](std::string_view name, const auto& value) {
    if (value) Count(*state_, name, static_cast<double>(*value));
  };
  if (conditions.mem_mhz && *conditions.mem_mhz > 0) add(kGpuMemMhz, conditions.mem_mhz);
  add(kGpuTemperature, conditions.temperature_c);
  add(kGpuPower, conditions.power_w);
  add(kGpuThrottle, conditions.throttle);
  ReportMemory();
  gpu_calls.Report(*state_);
  if (meter_->other_processes() >= 0) {
    Count(*state_, kGpuOtherProcesses, meter_->other_processes());
  }
}

void GpuCase::ReportMemory() {
  Count(*state_, kGpuFreeMemory, meter_->free_memory_mib());
  if (const double used = meter_->UsedMib(); used > 0) Count(*state_, kGpuPeakMemory, used);
}

void RunGpuCase(benchmark::State& state, const std::string& name,
                const std::function<void()>& body) {
  try {
    body();
  } catch (const GpuError& failure) {
    // What is not fatal leaves the device usable: the next case starts on an idle one.
    if (failure.fatal() || !IsUsable()) EndProcess(name, failure);
    state.SkipWithError(failure.what());
  }
}

}  // namespace perfgate::bench
