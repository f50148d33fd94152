// SPDX-License-Identifier: Apache-2.0
// thread_watch.h: threads of this process as the operating system counts them.
#pragma once

namespace perfgate::bench {

// Threads of this process; 0 where the system does not say. Counts those of every runtime, whatever
// language made them, and for a moment those that have ended: a thread is joined before the kernel
// has taken it off its list (34 of 20,000 joins, more where cores are busy).
int OsThreads();

// Those of OsThreads() that can still run code: none that the kernel is already taking apart.
// Slower by one small file per thread.
int LiveThreads();

// Whether threads of a call outlived it: more were alive when it had returned than there were
// before, and some of them were gone when everything had come to rest. A pool that a call creates
// and keeps is none of this; neither is a thread that ends before the call returns. `at_return` and
// `at_rest` are LiveThreads(); `before` can be OsThreads(), which is at most too many.
struct ThreadCounts {
  int before = 0;
  int at_return = 0;
  int at_rest = 0;
  bool Late() const { return at_return > before && at_rest < at_return; }
};

}  // namespace perfgate::bench
