// SPDX-License-Identifier: Apache-2.0
// change_log.h: what an update changed in a population file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace perfgate::published {

struct PopulationChange {
  std::string commit;
  std::string field;  // "separate throughput_tok_s [tok/s] agent", "status agent"
  nlohmann::json old_value;
  nlohmann::json new_value;
  std::string why;
};

// Every commit whose record differs has at least one change.
std::vector<PopulationChange> ComparePopulations(const nlohmann::json& old_population,
                                                 const nlohmann::json& new_population);

std::string ChangesJson(const std::vector<PopulationChange>& changes);
// One line of a list per change.
std::string ChangesMarkdown(const std::vector<PopulationChange>& changes);

}  // namespace perfgate::published
