// SPDX-License-Identifier: Apache-2.0
// find_abilities.h: tries which means of isolation work here.
#pragma once

#include <string>
#include <vector>

#include "perfgate/measure/isolation/abilities.h"

namespace perfgate::measure {

// Tries the tools with a program that does nothing; about 20 ms. folders: where the tools are
// looked for, in this order.
Abilities FindAbilities(const std::vector<std::string>& folders = {"/usr/bin", "/bin",
                                                                   "/usr/local/bin"});

// Those of the usual folders, tried once in a process: a study measures a thousand times.
const Abilities& KnownAbilities();

}  // namespace perfgate::measure
