// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/completeness.h"

#include <algorithm>
#include <array>

namespace perfgate::import {
namespace {

constexpr std::array<std::string_view, 8> kPlaceholders = {
    "<pending>", "pending", "PENDING",    "<todo>",
    "TODO",      "TBD",     "YYYY-MM-DD", "YYYY-MM-DD HH:MM:SS"};

// A dash stands for nothing, except where it is an argument of a command.
bool is_open(const std::string& name, const std::string& value) {
  if (is_pending(value)) return true;
  return value == "-" && name != "command" && !name.starts_with("parameter");
}

void take(const std::string& section, Fields& fields, Fields& unstated) {
  std::erase_if(fields, [&](const auto& field) {
    if (!is_open(field.first, field.second)) return false;
    unstated[section + field.first] = kPending;
    return true;
  });
}

}  // namespace

bool is_pending(std::string_view value) {
  return std::find(kPlaceholders.begin(), kPlaceholders.end(), value) != kPlaceholders.end();
}

void take_pending(Document& document) {
  take("environment.", document.environment, document.unstated);
  for (auto& [name, fields] : document.workload) take("workload.", fields, document.unstated);
}

void add_missing(const std::vector<std::string>& complete, const Fields& environment,
                 const std::map<std::string, Fields>& workload, Fields& unstated) {
  constexpr std::string_view kEnvironment = "environment.";
  constexpr std::string_view kWorkload = "workload.";
  for (const std::string& field : complete) {
    bool stated = true;
    if (field.starts_with(kEnvironment)) {
      stated = environment.contains(field.substr(kEnvironment.size()));
    } else {
      const std::string name = field.substr(kWorkload.size());
      stated =
          !workload.empty() && std::all_of(workload.begin(), workload.end(),
                                           [&](const auto& w) { return w.second.contains(name); });
    }
    // A pending field is absent too, and the better word is already there.
    if (!stated) unstated.try_emplace(field, kMissing);
  }
}

}  // namespace perfgate::import
