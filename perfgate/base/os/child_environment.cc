// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/os/child_environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "perfgate/base/os/process_tree.h"

namespace perfgate::inline base {
namespace {

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_kept(const SpawnOptions& options, std::string_view entry) {
  if (!options.keep_variables) return true;
  return std::any_of(options.keep_variables->begin(), options.keep_variables->end(),
                     [&](const std::string& name) { return starts_with(entry, name + "="); });
}

// Whether `entry`, "NAME=value", is one of these.
bool is_set_by(const SpawnOptions& options, std::string_view entry) {
  return std::any_of(options.variables.begin(), options.variables.end(), [&](const auto& variable) {
    return starts_with(entry, variable.first + "=");
  });
}

}  // namespace

std::vector<std::string> ChildEnvironment(const SpawnOptions& options,
                                          const std::string& launch_id) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const bool left_out = starts_with(text, "BENCHMARK_") ||
                          starts_with(text, "LD_TRACE_LOADED_OBJECTS=") ||
                          starts_with(text, std::string(kLaunchVariable) + "=") ||
                          is_set_by(options, text) || !is_kept(options, text);
    if (!left_out) variables.emplace_back(text);
  }
  for (const auto& [name, value] : options.variables) {
    variables.push_back(name);
    variables.back().append("=").append(value);
  }
  variables.push_back(std::string(kLaunchVariable) + "=" + launch_id);
  return variables;
}

std::vector<std::pair<std::string, std::string>> PreloadVariables(const std::string& library) {
  const char* const users = std::getenv("LD_PRELOAD");
  const bool has_users = users != nullptr && *users != '\0';
  return {{"LD_PRELOAD", has_users ? library + ":" + users : library}};
}

}  // namespace perfgate::inline base
