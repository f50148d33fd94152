// SPDX-License-Identifier: Apache-2.0
// matched_cases.h: the cases of a session: those of every arm, matched by name.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/listing.h"

namespace perfgate::measure {

// [case][arm]: the arm's own case id, none where the arm lacks the case.
using CaseIds = std::vector<std::vector<std::optional<std::size_t>>>;

struct MatchedCases {
  std::vector<CaseInfo> cases;
  CaseIds ids;
  std::vector<Metric> metrics;  // real_time first
  // Metric and arm where the arm declares the metric in another unit, or as another kind, than the
  // first arm that knows it. Such values mean something else and are left out.
  std::set<std::pair<std::size_t, int>> redeclared;
  std::vector<Fault> absences;  // kAbsent, one per missing case and arm
  // kOtherWorkload, where an arm states another workload than the first arm that has the case.
  std::vector<Fault> other_workloads;
  // The same, where an arm does not promise the result that the first arm promises.
  std::vector<Fault> dropped_promises{};
  std::vector<std::string> warnings;
};

// Cases in the order of the first arm, then those that only later arms have, then expected names
// that nobody has. Of names that repeat inside one arm the second is called "name#2", the third
// "name#3", in every arm alike. `policy` brings the filter (ECMAScript, searched in the name),
// expected names and metrics gated by policy. Throws Error(kUsage) for a filter that is no regular
// expression. only: names that are left; absent: all.
MatchedCases MatchCases(std::span<const Listing> listings, const Policy& policy,
                        const std::optional<std::vector<std::string>>& only = {});

}  // namespace perfgate::measure
