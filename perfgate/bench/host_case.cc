// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/host_case.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "perfgate/bench/invalid.h"
#include "perfgate/bench/recorder.h"
#include "perfgate/bench/thread_watch.h"
#include "perfgate/evidence/metrics/distribution.h"

namespace perfgate::bench {
namespace {

using Clock = std::chrono::steady_clock;

// How long after its return a call is still watched: work that outlives it is about as long as it.
constexpr double kShortestRestS = 1e-3;
constexpr double kLongestRestS = 20e-3;

// Late threads are believed when two samples of a slice show them.
constexpr int kSuspicions = 2;

// At namespace scope, so that the gate hears of it before any case runs.
Recorder host_calls{std::string(kHostCalls)};

}  // namespace

Guard& HostMeter::GuardOf(const std::string& case_name) {
  std::unique_ptr<Guard>& guard = guards_[case_name];
  if (!guard) guard = std::make_unique<Guard>(memory_, Entropy(), defences_);
  return *guard;
}

bool Conclude(benchmark::State& state, const Finding& finding) {
  if (!finding) return false;
  const bool invalid = finding.kind == Finding::Kind::kInvalid;
  state.SkipWithError((invalid ? Invalid(finding.text) : finding.text).c_str());
  return true;
}

HostCase::HostCase(HostMeter& meter, benchmark::State& state, std::string name)
    : meter_(&meter), state_(&state), name_(std::move(name)), guard_(&meter.GuardOf(name_)) {
  first_of_process_ = guard_->slices() == 0;
}

Finding HostCase::Sample(int rotation, const std::function<void(int rotation)>& call) {
  guard_->BeforeSample(rotation, 1);
  const ThreadIds before = meter_->defences().threads ? Threads() : ThreadIds();
  const auto start = Clock::now();
  call(rotation);
  const Clock::duration took = Clock::now() - start;
  const double seconds = std::chrono::duration<double>(took).count();
  const ThreadIds started = before.empty() ? ThreadIds() : NewThreads(before);
  bool rested = false;
  const auto rest = [&] {
    std::this_thread::sleep_for(
        std::chrono::duration<double>(std::clamp(2 * seconds, kShortestRestS, kLongestRestS)));
    rested = true;
  };
  if (Finding finding = guard_->AfterSample(rest)) return finding;
  if (!started.empty()) {
    if (!rested) rest();
    if (AnyEnded(started) && ++suspicions_ >= kSuspicions) {
      return {Finding::Kind::kInvalid,
              "threads that the call started were still running when it had returned"};
    }
  }
  host_calls.Add(took);
  state_->SetIterationTime(seconds);
  return {};
}

void HostCase::Run(Buffers buffers, const std::function<void(int rotation)>& call) {
  const int rotations = static_cast<int>(buffers.rotations.size());
  if (rotations == 0) {
    state_->SkipWithError("a guarded case needs at least one set of buffers");
    return;
  }
  if (!buffers.fresh_every_sample) buffers.fresh_every_sample = true;
  if (Conclude(*state_, guard_->BeginSlice(buffers, state_->max_iterations))) return;
  if (first_of_process_) {
    // Lazily made pools and tables; and a result to hold later ones against.
    guard_->BeforeSample(0, 1);
    call(0);
    if (Conclude(*state_, guard_->AfterSample([] {}))) return;
  }
  int rotation = 0;
  while (state_->KeepRunning()) {
    if (Conclude(*state_, Sample(rotation, call))) return;
    rotation = (rotation + 1) % rotations;
  }
  if (!Conclude(*state_, guard_->EndSlice())) host_calls.Report(*state_);
}

}  // namespace perfgate::bench
