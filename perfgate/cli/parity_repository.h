// SPDX-License-Identifier: Apache-2.0
// parity_repository.h: `perfgate parity --repo` and `--tasks`: from repositories to verdicts.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/cli/options/options.h"

namespace perfgate::cli {

struct RepositoryOptions {
  std::string tasks;
  std::string repo, base, human, build, test, bench, overlay, output;
  std::string build_limit, test_limit, bench_limit;
  std::optional<double> memory_mib;
  std::optional<int> jobs;
  bool keep = false;

  bool given() const { return !tasks.empty() || !repo.empty(); }
};

void AddRepositoryOptions(CLI::App& app, RepositoryOptions& options);

// What else was typed, for these commands as for others.
struct RepositoryArms {
  std::string human;
  std::vector<std::string> agents;
  std::string margin;
  std::string primary;
};

// Error(kUsage) for an option of `measure` that has no effect here.
Exit ParityOfRepository(const RepositoryOptions& options, const RepositoryArms& arms,
                        const MeasureOptions& measure);

}  // namespace perfgate::cli
