// SPDX-License-Identifier: Apache-2.0
// command_options.h: options of a gate on two command lines, or of a comparison of several.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "perfgate/gate/request.h"

namespace perfgate::cli {

// --command and what goes with it.
void AddCommandOptions(CLI::App& app, gate::CommandRequest& request);

// Error(kUsage) for a line without a word.
void RequireWords(const std::vector<std::string>& lines);

// The lines as the arms of the request. Error(kUsage) where there are not two, or some and no
// --command.
void TakeCommandLines(const std::vector<std::string>& lines, gate::GateRequest& request);

}  // namespace perfgate::cli
