// SPDX-License-Identifier: Apache-2.0
// worker.h: serves the worker protocol (docs/protocol.md, version 1) on an inherited socket.
//
// The gate owns time, order and pinning; the worker answers one request at a time and owns nothing.
#pragma once

#include <cstddef>
#include <string>

#include "perfgate/bench/worker/build_description.h"

namespace perfgate::bench {

// Serves until `quit`, then returns 0, so that main() ends through normal static destruction. When
// the gate's end of the socket closes, ends the process by _exit(0): nobody is left to read output,
// and destructors of a GPU runtime or a thread pool could keep an orphan alive. Arguments of the
// library are read as by hand; one that nobody knows is reported and gives 1.
// Throws Error (kUsage) if `fd` is no AF_UNIX stream socket.
int ServeWorker(int fd, const BuildDescription& build, int argc, char** argv);

// The same for a preloaded worker (preload/): the program has read its arguments, how it was built
// is not known, and cases that cannot be run with a set count are refused as a whole, because
// perfgate can run them by processes. Returns the number of cases.
std::size_t ServePreloaded(int fd);

// Says on the socket why this process is no worker, and ends it. perfgate then goes on without.
[[noreturn]] void RefuseToServe(int fd, const std::string& why);

}  // namespace perfgate::bench
