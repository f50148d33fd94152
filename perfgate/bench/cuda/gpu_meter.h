// SPDX-License-Identifier: Apache-2.0
// gpu_meter.h: what all GPU cases of a process share: the device, a stream, and how to time on it.
//
// Made once, before the first case runs, and kept for the life of the process, because a context
// costs a fraction of a second:
//
//   perfgate::bench::GpuMeter& Meter() {
//     static perfgate::bench::GpuMeter meter;
//     return meter;
//   }
//
// A machine without a usable GPU is not the end of the program: status() then says why, and every
// case ends with that. No clock, power limit or mode of the device is ever changed.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/nvml.h"
#include "perfgate/bench/cuda/device_work.h"
#include "perfgate/bench/cuda/gpu_memory.h"
#include "perfgate/bench/guard.h"
#include "perfgate/bench/sample_plan.h"
#include "perfgate/bench/two_clocks.h"

namespace perfgate::bench {

struct GpuMeterOptions {
  int device = -1;  // CUDA's number; -1: device 0, and all visible devices must be of one model
  Defences defences{};
};

// One timed region, however it was started.
struct GpuSample {
  TimedSample time;
  bool hold_timed_out = false;  // the region waited for its own stream
};

class GpuMeter {
 public:
  explicit GpuMeter(const GpuMeterOptions& options = {});
  GpuMeter(const GpuMeter&) = delete;
  GpuMeter& operator=(const GpuMeter&) = delete;
  ~GpuMeter();

  // Empty where the device can be used, else "gpu_no_driver: ..." (gpu_status.h).
  const std::string& status() const { return status_; }

  // All that follows needs an empty status().
  const Peaks& peaks() const { return peaks_; }
  int multiprocessors() const { return multiprocessors_; }
  cudaStream_t stream() const { return stream_; }
  Memory& memory() { return *memory_; }
  // What the driver says, asked at most every 20 ms: it takes milliseconds to answer.
  const GpuConditions& Conditions();
  // Of regions behind a held stream, and of others.
  const TwoClocks& two_clocks(bool held) const { return held ? held_clocks_ : unheld_clocks_; }
  const Defences& defences() const { return options_.defences; }
  // When the process began, before it took any.
  double free_memory_mib() const { return free_memory_mib_; }
  // Most device memory that was taken since then, as far as it was looked at; 0: not known.
  double UsedMib();
  int other_processes() const { return other_processes_; }  // likewise; -1: not known

  // The guard of a case, which lives as long as the process.
  Guard& GuardOf(const std::string& case_name);

  // Replaces what the L2 cache holds by something else, persisting lines included. The stream must
  // be idle but for work that leaves no such lines; what is left to do is queued on it.
  void EmptyCache();

  // Makes persisting lines of the L2 cache ordinary ones, which others may replace. A kernel makes
  // such lines by loads with the hint L2::evict_last, too: of 8 MiB loaded so an H100 still has a
  // third after reading six times its cache. Takes 2.5 us and does not wait for the device.
  void ResetPersistingLines() const;

  // The process's limit of persisting lines where it was raised since the meter was made, else 0.
  std::size_t BytesSetAside() const;

  // Times `work`, queued behind a held stream, so that the device never waits for the host inside
  // the region. `before_work` runs before the work is queued, `while_held` when it is queued and
  // cannot have begun; the work runs whatever they find.
  GpuSample Time(const std::function<void()>& work, const std::function<void()>& before_work = {},
                 const std::function<void()>& while_held = {});
  // The same without holding the stream.
  GpuSample TimeUnheld(const std::function<void()>& work);

  // SM clock from cycles over nanoseconds: queue before, read after the device is idle.
  void QueueClockProbe(int slot);  // 0 or 1
  double ClockMhz(int slot) const;

  // The graphs of a case: `count` graphs of `calls` calls each, graph g starting at rotation
  // g * calls. Captured once per case and set of buffers. Throws GpuError where the call cannot be
  // captured.
  using Call = std::function<void(int rotation, cudaStream_t stream)>;
  const std::vector<cudaGraphExec_t>& GraphsOf(const std::string& case_name, std::uint64_t buffers,
                                               int count, int calls, int rotations,
                                               const Call& call);

  bool warmed_up() const { return warmed_up_; }
  void set_warmed_up() { warmed_up_ = true; }

 private:
  struct Graphs {
    std::uint64_t buffers = 0;
    std::vector<cudaGraphExec_t> executables;
  };
  void Open();
  void CheckModels() const;
  void LearnPeaks();
  void LearnOverhead();
  void Hold();
  void AwaitArrival() const;
  void Release();
  static void Drop(Graphs& graphs);

  GpuMeterOptions options_;
  std::string status_;
  Peaks peaks_;
  int multiprocessors_ = 0;
  double free_memory_mib_ = 0;
  double peak_used_mib_ = 0;
  int other_processes_ = -1;
  std::size_t persisting_limit_ = 0;
  bool warmed_up_ = false;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
  HoldFlags* flags_ = nullptr;         // the host's address
  HoldFlags* device_flags_ = nullptr;  // the device's
  unsigned ticket_ = 0;
  ClockReading* readings_ = nullptr;  // pinned, two slots
  DevicePointer scratch_;
  DevicePointer sink_;
  std::size_t scratch_bytes_ = 0;
  std::unique_ptr<GpuMemory> memory_;
  std::unique_ptr<Nvml> nvml_;
  GpuConditions conditions_;
  std::chrono::steady_clock::time_point conditions_at_{};
  TwoClocks held_clocks_;
  TwoClocks unheld_clocks_;
  std::map<std::string, std::unique_ptr<Guard>> guards_;
  std::map<std::string, Graphs> graphs_;
};

}  // namespace perfgate::bench
