// SPDX-License-Identifier: Apache-2.0
// manual.h: man pages, written from the commands and options.
#pragma once

#include <string>
#include <vector>

#include "perfgate/cli/help/command_tree.h"

namespace perfgate::cli {

// "perfgate-gate" of "gate", "perfgate" of an empty path.
std::string ManualName(const std::string& path);

// The page of one command, or of perfgate for an empty path, as troff.
std::string ManualPage(const std::vector<CommandText>& commands, const CommandText& command,
                       const std::string& version);

}  // namespace perfgate::cli
