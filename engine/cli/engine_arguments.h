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
  struct Typed {
    CLI::Option* option = nullptr;
    std::string value;
  };
  std::string config_;
  CLI::Option* config_option_ = nullptr;
  std::map<std::string, Typed, std::less<>> typed_;  // by option
};

// "72,105,33". Throws Error(kUsage) naming `option`.
std::vector<std::int32_t> ParseIds(const std::string& text, const std::string& option);

}  // namespace engine::cli
