// SPDX-License-Identifier: Apache-2.0
// usage.h: what processes used of the machine.
#pragma once

#include <sys/resource.h>

namespace perfgate::inline base {

// CPU seconds of a living process, all its threads, in nanosecond resolution; 0 when it is gone.
double CpuSecondsOf(int pid);

// CPU seconds, of the user and of the system.
double CpuSeconds(const rusage& usage);

// Adds what another process used: seconds and switches; of peak memory the larger stays.
void AddUsage(const rusage& more, rusage& sum);

}  // namespace perfgate::inline base
