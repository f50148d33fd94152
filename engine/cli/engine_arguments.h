// SPDX-License-Identifier: Apache-2.0
// engine_arguments.h: the options of an engine, and its token ids, on a command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/options.h"

namespace engine::cli {

// What was typed. --config FILE comes first, single options change what it says.
class EngineArguments {
 public:
  void AddTo(CLI::App& app);

  // Throws Error(kUsage) with every bad value, unknown key and contradiction at once.
  EngineOptions Options() const;

 private:
  std::string config_;
  std::map<std::string, std::string, std::less<>> typed_;  // by option; empty: not given
};

// "72,105,33". Throws Error(kUsage) naming `option`.
std::vector<std::int32_t> ParseIds(const std::string& text, const std::string& option);

}  // namespace engine::cli
