// SPDX-License-Identifier: Apache-2.0
// process_driver.h: an unmodified Google Benchmark executable, one process per slice.
//
// Results are read from --benchmark_out, so that the program may print what it likes. Library 1.8
// and newer run exact iteration counts; older ones run by time and report their counts.
#pragma once

#include <memory>

#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/executable.h"
#include "perfgate/measure/listing.h"

namespace perfgate::measure {

// Discovers the cases by one quick run of everything, whose result file has the exact names. When
// that crashes, hangs or ends early, the names printed by --benchmark_list_tests are taken as
// candidates, and each one that was not seen yet is run by itself: it stays when it gives a result
// or breaks, and goes when the program ends in order without knowing it. `limit_s` bounds all of
// it; candidates not reached by then stay. Throws ArmError (arm.h) when no case can be found.
Listing list_processes(const Executable& executable, const Launch& launch, double limit_s);

// Starts nothing yet. `kind` is kProcessPerCase or kProcessPerSuite; both allow both kinds of
// slice.
std::unique_ptr<Driver> launch_processes(const Executable& executable, DriverKind kind,
                                         const Listing& listing, const Launch& launch);

}  // namespace perfgate::measure
