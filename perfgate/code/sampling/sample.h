// SPDX-License-Identifier: Apache-2.0
// sample.h: where a program spends its time, and who called what runs there.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/os/spawn.h"
#include "perfgate/code/hot_code.h"

namespace perfgate::code {

// How program counters and stacks are taken.
//   kKernel   perf_event_open: any program, where the system permits it
//   kPreload  a library in the program, with ITIMER_PROF: programs that are linked dynamically
enum class SamplingMeans { kKernel, kPreload };

struct SampleRequest {
  std::string executable;
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> variables;  // set in its environment
  std::vector<int> cpus;                                       // pinned to these; empty: not pinned
  double limit_s = 60;  // of wall time; then the program is killed, and what it left counts
  std::function<void(SpawnOptions&)> isolate{};  // changes how it is started, last of all
};

// Runs the program once, untimed, and adds the places and stacks it was found at to `samples`.
// Every thread of it counts, by its CPU time; the kernel's own code does not. Returns why it could
// not be sampled; empty: it was. Error(kData) when the program cannot be started; Interrupted.
std::string SampleProgram(const SampleRequest& request, SamplingMeans means,
                          ProgramSamples& samples);

// Whether the kernel samples programs of this user.
bool KernelSamples();

}  // namespace perfgate::code
