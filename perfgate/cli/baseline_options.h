// SPDX-License-Identifier: Apache-2.0
// baseline_options.h: the options of `perfgate baseline` and the subcommand that records.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

#include "perfgate/base/error.h"
#include "perfgate/cli/options/options.h"

namespace perfgate::cli {

struct BaselineOptions {
  MeasureOptions measure;
  std::string executable;
  std::string store = "baselines";
  std::string cache = ".cache/perfgate/executables";
  std::string commit;
  std::string gap = "30s";
  std::string disagree = "50%";
  int sessions = 1;
  bool allow_dirty = false;
  std::size_t keep = 0;
  std::string key{};
};

// --store; more: what else it may name, for the help.
void AddStoreOption(CLI::App& app, BaselineOptions& options, const char* more);

// `perfgate baseline record`.
void AddRecordOptions(CLI::App& app, BaselineOptions& options);
Exit RecordBaseline(const BaselineOptions& options);

}  // namespace perfgate::cli
