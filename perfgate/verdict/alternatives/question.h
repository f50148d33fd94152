// SPDX-License-Identifier: Apache-2.0
// question.h: what is asked of a session of alternatives.
#pragma once

#include <cstddef>
#include <string>

#include "perfgate/evidence/alternatives.h"

namespace perfgate::inline verdict {

struct AlternativesQuestion {
  std::string by{};  // as in AlternativesVerdict
  std::size_t reference = 0;
  bool only_reference = false;
  Family family = Family::kSuite;
  std::string series_key{};  // case_keys.h; empty: no series
  std::string metric = "real_time";
  bool identical_is_meant = false;  // one executable may be several alternatives
};

}  // namespace perfgate::inline verdict
