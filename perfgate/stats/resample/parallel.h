// SPDX-License-Identifier: Apache-2.0
// parallel.h: a loop over independent chunks on several threads.
//
// Results must not depend on the number of threads: a chunk writes to its own output and draws from
// a stream of its own (splitmix64 with a seed made from the chunk's index), never from a shared
// one.
#pragma once

#include <cstddef>
#include <functional>

namespace perfgate::stats {

// The number itself, or for 0 the processors that this process may use, at least 1.
std::size_t thread_count(std::size_t threads);

// Calls body(i) once for every i in [0, count), in any order, on up to `threads` threads including
// the calling one (0: see thread_count). Chunks are handed out one
// by one, so unequal chunks balance. The first exception stops the handing out and is rethrown here
// after all threads have ended. Where no thread can be started, the calling thread does the rest.
void parallel_for(std::size_t count, std::size_t threads,
                  const std::function<void(std::size_t)>& body);

}  // namespace perfgate::stats
