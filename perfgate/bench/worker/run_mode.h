// SPDX-License-Identifier: Apache-2.0
// run_mode.h: whether this process measures or is looked into.
//
// A profiler that names the kernels of a call slows the process down even when it has been switched
// off again. So kernels are named in a process of its own, started with --perfgate_inspect, and a
// process that measures never loads the profiler.
#pragma once

namespace perfgate::bench {

enum class RunMode { kMeasure, kInspect };

// Set once by main() before any case runs.
void SetRunMode(RunMode mode);
RunMode CurrentRunMode();

}  // namespace perfgate::bench
