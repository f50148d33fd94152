// SPDX-License-Identifier: Apache-2.0
// Options as JSON and as names of cases, both ways.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/options.h"

namespace engine {
namespace {

bool IsSwitch(const OptionRow& row) {
  return row.values.size() == 2 && row.values[0] == "off" && row.values[1] == "on";
}

}  // namespace

nlohmann::ordered_json ToJson(const EngineOptions& options) {
  nlohmann::ordered_json root;
  for (const OptionRow& row : OptionTable()) {
    const std::string value = row.get(options);
    const std::string key(row.name);
    if (row.values.empty()) {
      root[key] = std::stoull(value);
    } else if (IsSwitch(row)) {
      root[key] = value == "on";
    } else {
      root[key] = value;
    }
  }
  return root;
}

void FromJson(const nlohmann::json& root, EngineOptions& options,
              std::vector<std::string>& problems) {
  if (!root.is_object()) {
    problems.emplace_back("options are not a JSON object");
    return;
  }
  for (const auto& [key, value] : root.items()) {
    const OptionRow* const row = FindOption(key);
    const bool number = row != nullptr && row->values.empty();
    if (row == nullptr) {
      problems.push_back("unknown option '" + key + "'");
    } else if (number           ? !value.is_number_unsigned()
               : IsSwitch(*row) ? !value.is_boolean()
                                : !value.is_string()) {
      problems.push_back(key + " is " + value.dump() + ": expected " +
                         (number           ? "a number, " + ValuesText(*row)
                          : IsSwitch(*row) ? "true or false"
                                           : "text, " + ValuesText(*row)));
    } else if (value.is_boolean()) {
      SetOption(options, key, value.get<bool>() ? "on" : "off", problems);
    } else {
      SetOption(options, key, value.is_string() ? value.get<std::string>() : value.dump(),
                problems);
    }
  }
}

std::string CaseName(const EngineOptions& options) {
  const EngineOptions defaults;
  std::string name;
  for (const OptionRow& row : OptionTable()) {
    if (const std::string value = row.get(options); row.in_name && value != row.get(defaults)) {
      name += (name.empty() ? "" : "/") + std::string(row.name) + ":" + value;
    }
  }
  return name;
}

EngineOptions FromCaseName(std::string_view name, std::vector<std::string>& problems) {
  EngineOptions options;
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('/'));
    name.remove_prefix(std::min(name.size(), part.size() + 1));
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) {
      problems.push_back("'" + std::string(part) + "' is not option:value");
    } else {
      SetOption(options, part.substr(0, colon), part.substr(colon + 1), problems);
    }
  }
  return options;
}

}  // namespace engine
