// SPDX-License-Identifier: Apache-2.0
// isolation_request.h: how far arms are to be isolated.
#pragma once

#include <string>
#include <vector>

namespace perfgate::measure {

// kBest takes what the machine has; kRequire refuses to run with less than all of it.
enum class IsolationUse { kNone, kBest, kRequire };

struct IsolationRequest {
  IsolationUse use = IsolationUse::kNone;
  std::vector<std::string> read{};    // files and folders that arms may read
  std::vector<std::string> hidden{};  // files that no arm may see wherever they lie
  // The revision that the benchmarks of both arms were taken from, a full commit id, as whoever
  // built them says; empty: each arm has its own.
  std::string suite_commit{};
};

}  // namespace perfgate::measure
