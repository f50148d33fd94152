// SPDX-License-Identifier: Apache-2.0
// thread_watch.h: threads of this process as the operating system lists them, those of every
// runtime, whatever language made them.
//
// Threads of a call outlived it where some that it started were alive when it had returned and were
// gone when everything had come to rest:
//
//   const ThreadIds before = Threads();
//   call();
//   const ThreadIds started = NewThreads(before);
//   ... rest ...
//   if (AnyEnded(started)) ...
//
// A pool that a call creates and keeps is none of this; neither is a thread that ends before the
// call returns, although the system lists it for a moment after it was joined (34 of 20,000 joins,
// more where cores are busy).
#pragma once

#include <vector>

namespace perfgate::bench {

using ThreadIds = std::vector<int>;  // ascending

// All that are listed; none where the system does not say.
ThreadIds Threads();

// Those that are not among `before` and can still run code: none that the kernel is already taking
// apart. Costs one small file per new thread.
ThreadIds NewThreads(const ThreadIds& before);

// Whether one of these can run no more code.
bool AnyEnded(const ThreadIds& threads);

}  // namespace perfgate::bench
