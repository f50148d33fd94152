// SPDX-License-Identifier: Apache-2.0
// dwarf_build.h: how an executable was compiled, as far as its debug information says.
//
// g++ writes its switches into each compilation unit (DW_AT_producer: "GNU C++17 12.2.0 -O2
// -march=x86-64"), clang its version alone. Nothing else tells an unmodified executable's level of
// optimisation.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::measure {

// From the units of these files, an executable and its own libraries:
//   compiler   "GNU 12.2.0"; several are separated by commas
//   codegen    the switches that change generated code, "O2 march=x86-64-v3", of each different set
//   optimized  false where no unit is
//   known      switches were found. Assertions are not among them: `assertions` stays false
// None where the files have no debug information (stripped, built without -g) or it is elsewhere.
std::optional<BuildInfo> BuildFromDwarf(const std::vector<std::string>& files);

// The same from the producers of the units, one text each.
std::optional<BuildInfo> BuildFromProducers(const std::vector<std::string>& producers);

}  // namespace perfgate::measure
