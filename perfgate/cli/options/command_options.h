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

// OLD and NEW as they were typed, as the arms of the request: command lines with --command, else
// what --baseline and --candidate take. One is enough with --aa. Error(kUsage) for other numbers,
// and where an arm is named twice.
void TakeArms(const std::vector<std::string>& arms, gate::GateRequest& request);

}  // namespace perfgate::cli
