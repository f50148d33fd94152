// SPDX-License-Identifier: Apache-2.0
// machine_probe.h: reads the description of this machine that a session records.
#pragma once

#include <string_view>

#include "perfgate/evidence/machine.h"

namespace perfgate::measure {

// Never throws: what the system does not say stays empty.
Machine probe_machine();

// The widest vector extension among the flags of /proc/cpuinfo: "avx512", "avx2", "avx", "sse4.2",
// "sse2", "sve", "neon", or empty.
std::string_view isa_of_flags(std::string_view cpuinfo_flags);

// First value of a "key : value" line of /proc/cpuinfo; empty where there is none.
std::string_view cpuinfo_field(std::string_view cpuinfo, std::string_view key);

}  // namespace perfgate::measure
