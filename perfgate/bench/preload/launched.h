// SPDX-License-Identifier: Apache-2.0
// launched.h: what perfgate tells a program that it starts with a preloaded library.
//
// The program's arguments are its own, so it is told by two variables: LD_PRELOAD, which begins
// with the library, and PERFGATE_WORKER, the number of the inherited socket. Both are for this
// process alone.
#pragma once

namespace perfgate::bench {

// The socket's descriptor, or -1 where this process is no worker. Removes what perfgate added to
// the environment and closes the descriptor at exec, so that no program that this one starts takes
// itself for a worker.
int TakeLaunchVariables();

}  // namespace perfgate::bench
