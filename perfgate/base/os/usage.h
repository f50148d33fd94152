// SPDX-License-Identifier: Apache-2.0
// usage.h: what processes used of the machine.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace perfgate::inline base {

// CPU seconds of a living process, all its threads, in nanosecond resolution; 0 when it is gone.
double CpuSecondsOf(int pid);

// CPU seconds, of the user and of the system.
double CpuSeconds(const rusage& usage);

// Whether the largest process came near its limit of memory; 0: it has none. At the limit a process
// gets no memory and ends in whatever way it then does.
bool PeakReached(std::uint64_t limit_bytes, const rusage& usage);

// Adds what another process used: seconds and switches; of peak memory the larger stays.
void AddUsage(const rusage& more, rusage& sum);

}  // namespace perfgate::inline base
