// SPDX-License-Identifier: Apache-2.0
// command_driver.h: an arm that is a command line (measure/command.h).
//
// A slice is as many runs, one after the other, as it was asked for iterations. A run counts from
// just before its process is made to the moment its end is known. Beside the time it reports
//   user_time, system_time   CPU seconds per run, of the process and those that it waited for
//   peak_rss                 largest resident set of any of them, bytes. The kernel counts from the
//                            fork on, so what is below perfgate's own memory cannot be seen and is
//                            left out
// and, of the events that launch.count names, those of all its processes per run.
#pragma once

#include <memory>

#include "perfgate/measure/driver/driver.h"
#include "perfgate/measure/listing.h"

namespace perfgate::measure {

// Runs the command once, untimed. launch.command is set. Throws ArmError where the run fails, and
// Interrupted. limit_s: of that run.
Listing ListCommand(const Launch& launch, double limit_s);

std::unique_ptr<Driver> LaunchCommand(const Launch& launch);

}  // namespace perfgate::measure
