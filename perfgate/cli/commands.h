// SPDX-License-Identifier: Apache-2.0
// commands.h: one function per subcommand. Each adds its options to the parser and returns what to
// do once they are parsed; that returns the exit code and throws Error for everything else.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "perfgate/base/error.h"

namespace perfgate::cli {

using Command = std::function<Exit()>;

Command add_run(CLI::App& app);
Command add_demo(CLI::App& app);
Command add_gate(CLI::App& app);
Command add_ci(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_ablate(CLI::App& app);
Command add_calibrate(CLI::App& app);
Command add_plan(CLI::App& app);
Command add_merge(CLI::App& app);
Command add_baseline(CLI::App& app);
Command add_history(CLI::App& app);
Command add_bisect(CLI::App& app);
Command add_import(CLI::App& app);
Command add_audit(CLI::App& app);
Command add_parity(CLI::App& app);
Command add_relink(CLI::App& app);
Command add_bundle(CLI::App& app);
Command add_report(CLI::App& app);
Command add_doctor(CLI::App& app);
Command add_sign(CLI::App& app);
Command add_help(CLI::App& app);
Command add_completion(CLI::App& app);
Command add_manual(CLI::App& app);

}  // namespace perfgate::cli
