// SPDX-License-Identifier: Apache-2.0
// groups.h: order in long helps: options under headings, commands by what they are for.
#pragma once

#include <CLI/CLI.hpp>

namespace perfgate::cli {

// Puts every option that has no heading of its own under one, and adds two examples to the help of
// each command.
void ArrangeHelp(CLI::App& root);

}  // namespace perfgate::cli
