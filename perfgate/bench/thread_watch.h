// SPDX-License-Identifier: Apache-2.0
// thread_watch.h: threads of this process as the operating system counts them.
#pragma once

namespace perfgate::bench {

// Threads of this process; 0 where the system does not say. Counts those of every runtime, whatever
// language made them.
int OsThreads();

// Whether threads of a call outlived it: more were there when it had returned than before, and some
// of them were gone when everything had come to rest. A pool that a call creates and keeps is none
// of this; neither is a thread that ends before the call returns.
struct ThreadCounts {
  int before = 0;
  int at_return = 0;
  int at_rest = 0;
  bool Late() const { return at_return > before && at_rest < at_return; }
};

}  // namespace perfgate::bench
