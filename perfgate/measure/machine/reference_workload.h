// SPDX-License-Identifier: Apache-2.0
// reference_workload.h: fixed work of known kind, timed beside a suite so that a machine's drift
// between sessions can be told from a change of the code.
//
// It is compiled into perfgate and never changes with the suite: what moves it is the machine. Its
// components move with the core's clock, with the caches and with the memory.
#pragma once

#include <string>
#include <vector>

namespace perfgate::measure {

// "compute", "cache", "memory".
std::vector<std::string> reference_names();

// Seconds of each component: the median of 5 repeats of 1 to 4 ms on the first of these cores (any
// core when empty). The first call of a process also builds the data.
std::vector<double> time_reference(const std::vector<int>& cpus);

}  // namespace perfgate::measure
