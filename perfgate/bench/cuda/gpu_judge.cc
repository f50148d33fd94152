// SPDX-License-Identifier: Apache-2.0
// gpu_judge.cc: whether the times of a GPU case can be believed.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "perfgate/bench/cuda/gpu_case.h"
#include "perfgate/bench/cuda/gpu_status.h"
#include "perfgate/bench/thread_watch.h"

namespace perfgate::bench {
namespace {

// Work that a call leaves behind shows within this, or when the device is idle, whichever is later.
constexpr auto kRest = std::chrono::microseconds(300);
constexpr auto kThreadRest = std::chrono::milliseconds(2);
// Samples that are taken again where the two clocks disagree.
constexpr int kRepeats = 8;

Finding Invalidly(std::string text) { return {Finding::Kind::kInvalid, std::move(text)}; }
Finding Wrongly(std::string text) { return {Finding::Kind::kWrong, std::move(text)}; }

std::string Microseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f us", 1e6 * seconds);
  return text;
}

}  // namespace

void GpuCase::Settle() const {
  CheckGpu(cudaDeviceSynchronize(), "waiting for the device");
  std::this_thread::sleep_for(kRest);
  CheckGpu(cudaDeviceSynchronize(), "waiting for the device");
}

Finding GpuCase::JudgeTime(const GpuSample& timed) const {
  if (timed.hold_timed_out) {
    return Wrongly(
        "the call waits for its own stream, so it cannot be queued behind a held one; set "
        "GpuSpec::hold to false");
  }
  const double seconds = timed.time.device_s / calls_;
  if (!std::isfinite(seconds) || seconds <= 0) {
    return Invalidly("the events give " + Microseconds(seconds) + ", which is no time");
  }
  const double floor = FloorSeconds(spec_.work, spec_.cache, meter_->peaks());
  if (meter_->defences().floor && seconds < floor) {
    return Invalidly("a call took " + Microseconds(seconds) + ", less than the " +
                     Microseconds(floor) +
                     " that its declared bytes and operations need at the device's peak rates");
  }
  return {};
}

// Suspicion is not enough: the region is repeated once before anything is said.
Finding GpuCase::JudgeClocks(const Call& call) {
  if (!meter_->defences().wall) return {};
  const TwoClocks& clocks = meter_->two_clocks(spec_.hold);
  if (clocks.Unexplained(samples_) <= 0) return {};
  std::vector<TimedSample> again;
  for (int i = 0; i < kRepeats; ++i) {
    GpuSample timed;
    if (Finding finding = Sample(i, call, &timed)) return finding;
    again.push_back(timed.time);
  }
  const double unexplained = clocks.Unexplained(again);
  if (unexplained <= 0) return {};
  return Invalidly("the device was busy " + Microseconds(unexplained) +
                   " longer than the events say: work runs on another stream or thread, or after "
                   "the stop event");
}

Finding GpuCase::JudgeThreads(const Call& call) {
  if (!meter_->defences().threads) return {};
  for (int attempt = 0;; ++attempt) {
    Settle();
    std::this_thread::sleep_for(kThreadRest);
    const ThreadIds before = Threads();
    Queue(0, call);
    CheckGpu(cudaStreamSynchronize(meter_->stream()), "watching the call's threads");
    const ThreadIds started = NewThreads(before);
    if (started.empty()) return {};
    Settle();
    std::this_thread::sleep_for(kThreadRest);
    if (!AnyEnded(started)) return {};
    if (attempt > 0) {
      return Invalidly("threads that the call started were still running when it had returned");
    }
  }
}

// What is set aside keeps data warm that the calls of a sample share, and is lost to everything
// else on the device, the other arm too.
Finding GpuCase::JudgeSetAside() const {
  const std::size_t bytes = meter_->BytesSetAside();
  if (spec_.cache != Cache::kCold || bytes == 0) return {};
  return Invalidly("the case set " + std::to_string(bytes >> 10) +
                   " KiB of the L2 cache aside for persisting lines, which keep warm what calls "
                   "share and are lost to everything else; a cold case must not");
}

}  // namespace perfgate::bench
