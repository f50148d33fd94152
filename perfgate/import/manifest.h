// SPDX-License-Identifier: Apache-2.0
// manifest.h: what the person or script that started a run knows of it and result files do not say.
//
// A vanished benchmark leaves no trace in a result file, serving tools do not write down their
// seeds, and some let the user overwrite the model's name. The launcher says these things here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::import {

inline constexpr int kManifestVersion = 1;

struct Manifest {
  std::vector<std::string> cases;       // every one must be in every file
  std::vector<NamedValue> workload;     // of every case; files must not say otherwise
  std::vector<NamedValue> environment;  // of every file; files must not say otherwise
  std::vector<NamedValue> required;     // in the environment of every file itself, as a run's nonce
  // Fields that the record must state, "environment.driver_version" or "workload.seed".
  std::vector<std::string> complete;
};

// {"format":"perfgate-manifest","version":1}, and any of the fields above.
Manifest manifest_from_json(std::string_view text, const std::string& where);
Manifest read_manifest(const std::string& path);

}  // namespace perfgate::import
