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
  std::string repo, base, human, build, test, bench, output;
  std::string build_limit, test_limit, bench_limit;
  std::optional<double> memory_mib;
  std::optional<int> jobs;
  bool keep = false;

  bool given() const { return !tasks.empty() || !repo.empty(); }
};

void AddRepositoryOptions(CLI::App& app, RepositoryOptions& options);

// agents: what --agent named. margin: as typed.
Exit ParityOfRepository(const RepositoryOptions& options, const std::vector<std::string>& agents,
                        const std::string& human, const std::string& margin,
                        const MeasureOptions& measure);

}  // namespace perfgate::cli
