// SPDX-License-Identifier: Apache-2.0
// parity_study.h: `perfgate parity --repo` and `--tasks`: from repositories to verdicts.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/cli/options/options.h"

namespace perfgate::cli {

struct StudyOptions {
  std::string tasks;
  std::string repo, base, human, build, test, bench, output;
  std::string build_limit, test_limit, bench_limit;
  std::optional<double> memory_mib;
  std::optional<int> jobs;
  bool keep = false;

  bool given() const { return !tasks.empty() || !repo.empty(); }
};

void AddStudyOptions(CLI::App& app, StudyOptions& options);

// agents: what --agent named. margin: as typed.
Exit ParityStudy(const StudyOptions& options, const std::vector<std::string>& agents,
                 const std::string& human, const std::string& margin,
                 const MeasureOptions& measure);

}  // namespace perfgate::cli
