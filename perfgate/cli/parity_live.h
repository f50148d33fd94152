// SPDX-License-Identifier: Apache-2.0
// parity_live.h: `perfgate parity --baseline --human --agent`: three executables in every round.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/cli/options/options.h"

namespace perfgate::cli {

struct LiveOptions {
  MeasureOptions measure;
  std::string baseline;
  std::string human;
  std::string agent;
  std::string margin;              // "3%"; empty: the policy's tolerance
  std::string metrics;             // files only: file that adds metrics
  std::vector<std::string> allow;  // files only: reasons that the user overrides
  std::string primary;  // metric that decides; empty: by name, see verdict/parity/parity_verdict.h
};

Exit parity_live(const LiveOptions& options);

// The verdict on three files of results, one per arm: never paired.
Exit parity_of_files(const LiveOptions& options);

// The verdict on a recorded session of three arms.
Exit parity_recorded(const LiveOptions& options, const std::string& session_file);

}  // namespace perfgate::cli
