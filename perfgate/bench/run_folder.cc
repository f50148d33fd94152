// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/run_folder.h"

#include <utility>

namespace perfgate::bench {
namespace {

// Google Benchmark hands a case its State and nothing else, so what the gate told must lie here.
std::string& TheFolder() {
  static std::string folder;
  return folder;
}

}  // namespace

const std::string& RunFolder() { return TheFolder(); }

void SetRunFolder(std::string folder) { TheFolder() = std::move(folder); }

}  // namespace perfgate::bench
