// SPDX-License-Identifier: Apache-2.0
// terminal.h: options that say how results look, and what standard output is.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "perfgate/report/parts/console_options.h"

namespace perfgate::cli {

struct DisplayOptions {
  std::string color = "auto";
  bool all = false;
  bool verbose = false;
};

// --color[=auto|always|never], --no-color
void AddColorOption(CLI::App& app, DisplayOptions& options);

// --all and --verbose, for commands that print a verdict.
void AddDetailOptions(CLI::App& app, DisplayOptions& options);

// For text that goes to standard output, or to a file: then without colours unless they were asked
// for, and without a width.
report::ConsoleOptions ConsoleOptionsOf(const DisplayOptions& options, bool to_file = false);

}  // namespace perfgate::cli
