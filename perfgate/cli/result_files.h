// SPDX-License-Identifier: Apache-2.0
// result_files.h: what commands share that read results: sessions of perfgate and files of other
// tools.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/evidence/session.h"

namespace perfgate::cli {

// Whether a path names a text file of results rather than an executable: it begins like JSON.
bool names_results(const std::string& path);

// Whether it is a session that perfgate wrote. Error(kData) where it cannot be read.
bool is_session_file(const std::string& path);

// One arm, named `label` where the file is another tool's. A session has its own policy and its own
// metrics; `policy` and `registry` are for files of other tools.
Session read_results(const std::string& path, const std::string& label, const std::string& suite,
                     const Policy& policy, const MetricRegistry& registry);

// --metrics FILE
void add_metrics_option(CLI::App& app, std::string& file);

// Refuses --metrics where no file of another tool is read, since it would do nothing: executables
// and sessions say what their metrics mean.
void require_foreign(const std::string& metrics_file, std::initializer_list<std::string> paths);

}  // namespace perfgate::cli
