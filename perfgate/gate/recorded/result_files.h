// SPDX-License-Identifier: Apache-2.0
// result_files.h: what commands share that read results: sessions of perfgate and files of other
// tools.
#pragma once

#include <string>

#include "perfgate/evidence/metrics/metric_registry.h"
#include "perfgate/evidence/session.h"

namespace perfgate::gate {

// Whether a path names a text file of results rather than an executable: it begins like JSON.
bool NamesResults(const std::string& path);

// Whether it is a session that perfgate wrote. Error(kData) where it cannot be read.
bool IsSessionFile(const std::string& path);

// One arm, named `label` where the file is another tool's. A session has its own policy and its own
// metrics; `policy` and `registry` are for files of other tools.
Session ReadResults(const std::string& path, const std::string& label, const std::string& suite,
                    const Policy& policy, const MetricRegistry& registry);

// Refuses --metrics where no file of another tool is read, since it would do nothing: executables
// and sessions say what their metrics mean.
void RequireForeign(const std::string& metrics_file, const std::vector<std::string>& paths);

}  // namespace perfgate::gate
