// SPDX-License-Identifier: Apache-2.0
// completion.h: completion scripts for shells, written from the commands and options.
#pragma once

#include <string>
#include <vector>

#include "perfgate/cli/help/command_tree.h"

namespace perfgate::cli {

std::string BashCompletion(const std::vector<CommandText>& commands);
std::string ZshCompletion(const std::vector<CommandText>& commands);
std::string FishCompletion(const std::vector<CommandText>& commands);

}  // namespace perfgate::cli
