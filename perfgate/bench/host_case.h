// SPDX-License-Identifier: Apache-2.0
// host_case.h: a guarded case on the CPU: one logical call per timed sample.
//
//   static perfgate::bench::HostMeter meter;
//   void Softmax(benchmark::State& state) {
//     static Data data = ...;                                  // once per process
//     perfgate::bench::HostCase c(meter, state, "softmax/rows:256/cols:4096");
//     c.Run(data.buffers(), [&](int rotation) { softmax(data, rotation); });
//   }
//   BENCHMARK(Softmax)->UseManualTime();
//
// For calls of 10 us and more: each is timed by itself, and recorded as `call` (recorder.h), which
// a gate shows and judges where a rule says so. Everything that guard.h watches for ends the case:
// a wrong result as `failed`, a result that was not computed in the timed call as `invalid`.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "perfgate/bench/guard.h"

namespace perfgate::bench {

// What the guarded cases of a process share. One per process, made before the first case runs.
class HostMeter {
 public:
  explicit HostMeter(const Defences& defences = {}) : defences_(defences) {}

  Guard& GuardOf(const std::string& case_name);
  const Defences& defences() const { return defences_; }

 private:
  Defences defences_;
  HostMemory memory_;
  std::map<std::string, std::unique_ptr<Guard>> guards_;
};

// Ends the case as the finding says; false where there is none.
bool Conclude(benchmark::State& state, const Finding& finding);

class HostCase {
 public:
  HostCase(HostMeter& meter, benchmark::State& state, std::string name);

  // Inputs are fresh before every sample unless the buffers say otherwise.
  void Run(Buffers buffers, const std::function<void(int rotation)>& call);

 private:
  Finding Sample(int rotation, const std::function<void(int rotation)>& call);

  HostMeter* meter_;
  benchmark::State* state_;
  std::string name_;
  Guard* guard_;
  bool first_of_process_ = false;
  int suspicions_ = 0;
};

}  // namespace perfgate::bench
