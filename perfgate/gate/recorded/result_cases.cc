// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/recorded/result_cases.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/base/error.h"

namespace perfgate::gate {
namespace {

// Old name to new name.
using Names = std::map<std::string, std::string>;

void Rename(const Names& names, Session& session) {
  std::vector<std::optional<std::size_t>> places(session.cases.size());
  std::vector<CaseInfo> kept;
  for (std::size_t c = 0; c < session.cases.size(); ++c) {
    const auto found = names.find(session.cases[c].name);
    if (found == names.end()) continue;
    places[c] = kept.size();
    kept.push_back(session.cases[c]);
    // "run_name" and the command of a case are its name once more.
    std::erase_if(kept.back().workload,
                  [&](const NamedValue& field) { return field.value == found->first; });
    kept.back().name = found->second;
  }
  session.cases = std::move(kept);
  for (RoundInfo& round : session.rounds) {
    std::erase_if(round.cases,
                  [&](const CaseRound& measured) { return !places[measured.case_index]; });
    for (CaseRound& measured : round.cases) measured.case_index = *places[measured.case_index];
  }
  std::erase_if(session.faults, [&](const Fault& fault) { return !places[fault.case_index]; });
  for (Fault& fault : session.faults) fault.case_index = *places[fault.case_index];
}

}  // namespace

void SelectCases(const CasePairs& pairs, bool same, Session& baseline, Session& candidate) {
  std::vector<std::string> names;
  for (const CaseInfo& info : baseline.cases) names.push_back(info.name);
  const std::vector<std::string> candidates = CaseRenaming(pairs).CandidatesOf(names);
  Names of_baseline;
  Names of_candidate;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (candidates[c].empty()) continue;
    if (same && candidates[c] == names[c]) {
      throw Error(Exit::kUsage,
                  "--candidate-filter: " + names[c] + " of one file would be compared with itself");
    }
    of_baseline.emplace(names[c], names[c]);
    of_candidate.emplace(candidates[c], names[c]);
  }
  Rename(of_baseline, baseline);
  Rename(of_candidate, candidate);
  baseline.arms.front().compared_cases = pairs.baseline;
  candidate.arms.front().compared_cases = pairs.candidate;
}

}  // namespace perfgate::gate
