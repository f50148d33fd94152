// SPDX-License-Identifier: Apache-2.0
// commands.h: the subcommands of `engine`. Each adds its options and returns what runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace engine::cli {

using Command = std::function<void()>;  // throws Error

Command AddSynth(CLI::App& app);
Command AddInspect(CLI::App& app);
Command AddQuantize(CLI::App& app);
Command AddRun(CLI::App& app);
Command AddLogits(CLI::App& app);
Command AddServe(CLI::App& app);

}  // namespace engine::cli
