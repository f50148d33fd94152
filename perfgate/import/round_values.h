// SPDX-License-Identifier: Apache-2.0
// round_values.h: the values of one round, as records bring them one by one.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "perfgate/evidence/session.h"

namespace perfgate::import {

struct RoundValues {
  std::vector<std::size_t> order;  // cases, as in the file
  std::map<std::size_t, std::map<std::size_t, std::vector<double>>> values;  // [case][metric]

  std::map<std::size_t, std::vector<double>>& of(std::size_t case_index) {
    const auto [entry, added] = values.try_emplace(case_index);
    if (added) order.push_back(case_index);
    return entry->second;
  }
};

// The round of a session with `metrics` metrics and one arm; what a case lacks is NaN.
RoundInfo round_info(const RoundValues& round, std::size_t index, std::size_t metrics);

}  // namespace perfgate::import
