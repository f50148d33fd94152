// SPDX-License-Identifier: Apache-2.0
// command_options.h: options of a gate on two command lines.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "perfgate/gate/request.h"

namespace perfgate::cli {

// --command and what goes with it; `lines` are the two commands behind "--".
void AddCommandOptions(CLI::App& app, gate::CommandRequest& request,
                       std::vector<std::string>& lines);

// The lines as the arms of the request. Error(kUsage) where there are not two, or some and no
// --command.
void TakeCommandLines(const std::vector<std::string>& lines, gate::GateRequest& request);

}  // namespace perfgate::cli
