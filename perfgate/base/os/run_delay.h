// SPDX-License-Identifier: Apache-2.0
// run_delay.h: how long this thread waited for a core after what it slept for had happened.
//
// The kernel counts the time for which a thread was ready and had no core. Only what comes between
// the event and the thread's return lies behind the event. So a wait counts where the thread really
// slept, nothing took its core away on the way to sleep, and one event alone woke it: a process
// that is waited for cannot make the gate ready early and keep it from a core until it has ended.
#pragma once

namespace perfgate::inline base {

// wait_ready() (waiting.h) calls them around each sleep. is_sure: one descriptor was ready, and the
// time had not run out.
void NoteSleep();
void NoteWake(bool is_sure);

// Seconds, of the last sleep of this thread; 0 where they are not known.
double DelayOfLastWakeS();

}  // namespace perfgate::inline base
