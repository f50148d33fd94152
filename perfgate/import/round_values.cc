// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/round_values.h"

#include <algorithm>
#include <limits>

namespace perfgate::import {

RoundInfo round_info(const RoundValues& round, std::size_t index, std::size_t metrics) {
  constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  RoundInfo info;
  info.index = static_cast<int>(index);
  for (const std::size_t c : round.order) {
    const auto& by_metric = round.values.at(c);
    std::size_t slices = 0;
    for (const auto& [metric, values] : by_metric) slices = std::max(slices, values.size());
    CaseRound measured{.case_index = c, .values = {}};
    measured.values.assign(metrics, {std::vector<double>(slices, kAbsent)});
    for (const auto& [metric, values] : by_metric) {
      std::copy(values.begin(), values.end(), measured.values[metric][0].begin());
    }
    if (slices > 0) info.cases.push_back(std::move(measured));
  }
  return info;
}

}  // namespace perfgate::import
