// SPDX-License-Identifier: Apache-2.0
// parity_studies.h: `perfgate parity --from FOLDER`: studies of agents, and the population file.
#pragma once

#include <string>
#include <vector>

#include "perfgate/cli/options/options.h"
#include "perfgate/cli/parity_published.h"

namespace perfgate::cli {

struct StudyOptions {
  std::string population;
  std::string inventory;
  std::vector<std::string> change_logs;

  bool AnyOutput() const {
    return !population.empty() || !inventory.empty() || !change_logs.empty();
  }
};

void add_study_options(CLI::App& app, StudyOptions& options);

// A single file without the outputs of studies is read as it stands.
bool ReadsStudies(const std::vector<std::string>& from, const StudyOptions& options);

Exit parity_studies(const std::vector<std::string>& from, const StudyOptions& options,
                    PublishedOptions published);

}  // namespace perfgate::cli
