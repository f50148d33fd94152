// SPDX-License-Identifier: Apache-2.0
// affinity.h: which cores threads may use.
#pragma once

#include <span>
#include <vector>

namespace perfgate::inline base {

// Cores that the calling thread may use now, ascending.
std::vector<int> current_affinity();

// True when the kernel accepted it: at least one core exists and is allowed. tid 0: this thread.
bool set_affinity(int tid, std::span<const int> cpus);

// Every thread of a process. Threads that start meanwhile may be missed only when they are started
// by one that had not been moved yet; the pass is repeated until no thread is new.
bool set_affinity_of_process(int pid, std::span<const int> cpus);

}  // namespace perfgate::inline base
