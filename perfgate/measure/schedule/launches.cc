// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/launches.h"

#include <map>

namespace perfgate::measure {

std::string launch_of(const MeasurePlan& plan, const CaseInfo& info) {
  return plan.launch_of ? plan.launch_of(info.name) : "";
}

std::vector<std::vector<std::size_t>> cases_by_launch(const MeasurePlan& plan,
                                                      const std::vector<CaseInfo>& cases,
                                                      std::span<const std::size_t> order) {
  std::vector<std::vector<std::size_t>> launches;
  std::map<std::string, std::size_t> index;
  for (const std::size_t c : order) {
    const auto [at, is_new] = index.try_emplace(launch_of(plan, cases[c]), launches.size());
    if (is_new) launches.emplace_back();
    launches[at->second].push_back(c);
  }
  return launches;
}

}  // namespace perfgate::measure
