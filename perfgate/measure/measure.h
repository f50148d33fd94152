// SPDX-License-Identifier: Apache-2.0
// measure.h: measures one or several executables in rounds so that what moves them together
// cancels.
//
// Every round launches every arm anew, once or for each of several sets of cases. In a round a coin
// (the seed's) decides which arm takes which role: launch order, first slot, path. Cases come in
// random order; each is warmed up in every arm and then measured in alternated slices (A B B A A B
// B A). All arms share the quietest core; the arms that are not measured are blocked, and a slice
// during which one of them used the core does not count and is repeated. Iterations are calibrated
// once, on the first arm, for all.
//
// What is not decided here: which rounds are looks and which cases need no more rounds. The hooks
// say so, so that the same loop serves `run`, `gate` and simulations.
//
// The room, from Measure() to a slice; each folder has a README.md:
//   plan.h       what to measure, and what is asked of whoever decides
//   measure.cc   the loop over rounds: budget and looks
//   schedule/    preparation, rounds, the slices of a case; launcher.h is its only way to an arm
//   driver/      one launch of an arm: by the worker protocol, or a process per slice
//   cpu/         cores: lease, lock, load
//   machine/     what this machine is and how busy it was
//   executable.h, listing.h   what is known of an arm without and with running it
#pragma once

#include "perfgate/evidence/session.h"
#include "perfgate/measure/plan.h"

namespace perfgate::measure {

// Measures until the hooks say that nothing is open, the budget ends or the user interrupts. An
// interruption returns the session so far with complete = false. Arms' failures are faults in the
// session. Throws Error when there is nothing to measure: unreadable executables, incompatible
// protocol versions, an invalid filter or cores that cannot be had.
Session Measure(const MeasurePlan& plan, const Hooks& hooks);

}  // namespace perfgate::measure
