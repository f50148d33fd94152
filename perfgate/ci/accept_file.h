// SPDX-License-Identifier: Apache-2.0
// accept_file.h: slowdowns that are intended, as reviewed people wrote them down.
//
//   {"format": "perfgate-accept", "version": 1, "accepted": [
//     {"case": "BM_Sort/*", "bound": "12%", "reason": "stable order, see #71",
//      "expires": "2027-03-31"}]}
//
// The file is read from a trusted revision and never from the change that it would excuse.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "perfgate/evidence/policy.h"

namespace perfgate::ci {

struct Acceptance {
  std::string match{};   // glob on case names
  std::string suite{};   // empty: any
  double bound = 0;      // accepted slowdown, fraction; takes the place of the tolerance
  bool removed = false;  // the case may be gone, and decides nothing
  std::string reason{};
  std::string expires{};  // last day, UTC, "2027-03-31"
};

// Error(kData) with file, place and what is expected there.
std::vector<Acceptance> ReadAcceptances(std::string_view text, const std::string& where);

struct AcceptedCases {
  std::vector<CaseRule> rules{};     // to be put behind those of the policy
  std::vector<std::string> texts{};  // what each rule does and why, for the verdict
  std::vector<std::string> notes{};  // entries that have expired or soon will
};

AcceptedCases RulesOf(const std::vector<Acceptance>& acceptances, const std::string& suite,
                      std::chrono::sys_days today);

}  // namespace perfgate::ci
