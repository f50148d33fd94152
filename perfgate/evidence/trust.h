// SPDX-License-Identifier: Apache-2.0
// trust.h: who may have written the candidate for a verdict to hold.
#pragma once

#include <string>
#include <vector>

#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline evidence {

//   open            yourself: accidents are found
//   isolated        a stranger: the candidate reaches neither the other arm nor the gate
//   reviewed_suite  a stranger, and the benchmark's sources come from a trusted revision
enum class TrustLevel { kOpen, kIsolated, kReviewedSuite };

constexpr EnumWords<3> enum_words(TrustLevel) {
  return {"trust", {{"open", "isolated", "reviewed_suite"}}};
}

struct TrustRecord {
  TrustLevel level = TrustLevel::kOpen;
  std::string means;                   // how arms were isolated; empty: they were not
  std::vector<std::string> lacking{};  // what was asked for and is not here
  std::string suite_commit{};          // of the benchmark's sources; empty: the candidate's own

  bool operator==(const TrustRecord&) const = default;
};

}  // namespace perfgate::inline evidence
