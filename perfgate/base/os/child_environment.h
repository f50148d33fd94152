// SPDX-License-Identifier: Apache-2.0
// child_environment.h: the environment of a program that is started.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/os/spawn_options.h"

namespace perfgate::inline base {

// "NAME=value" of each variable: of ours what the options keep, less what process.h leaves out,
// what the options set, and the launch's own.
std::vector<std::string> ChildEnvironment(const SpawnOptions& options,
                                          const std::string& launch_id);

// What a program is started with to load `library` before those that the user preloads.
std::vector<std::pair<std::string, std::string>> PreloadVariables(const std::string& library);

}  // namespace perfgate::inline base
