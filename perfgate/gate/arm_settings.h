// SPDX-License-Identifier: Apache-2.0
// arm_settings.h: what an arm is run with, and which of its cases are compared: so that one program
// can be compared with itself under another flag, another variable, or in other cases.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/plan.h"

namespace perfgate::gate {

// As typed.
struct ArmSettings {
  std::string arguments;                 // words as a shell splits them; empty: none
  std::vector<std::string> environment;  // "NAME=VALUE"

  bool operator==(const ArmSettings&) const = default;
};

// Which cases of two arms are compared. baseline: a regular expression (ECMAScript) that must match
// the whole name of a case. candidate: the name of the case that it is compared with, in which \0
// is the baseline's name and \1 to \9 are its groups. Both are empty, or neither.
struct CasePairs {
  std::string baseline;
  std::string candidate;

  bool empty() const { return baseline.empty() && candidate.empty(); }
};

// The name of the candidate's case, or "" where the baseline's is not compared.
class CaseRenaming {
 public:
  // Error(kUsage) where one of the two is missing, the expression is none, or a group is named
  // that it does not have.
  explicit CaseRenaming(const CasePairs& pairs);

  // What each of the names is compared with: empty for those that are not. Error(kUsage) where none
  // is, or two are compared with the same case.
  std::vector<std::string> CandidatesOf(const std::vector<std::string>& names) const;

 private:
  CasePairs pairs_;
};

// Enters them into the arms. Error(kUsage) for quotes that are not closed, a variable without a
// name, one that perfgate or the loader of programs uses, and an argument that perfgate itself
// passes.
void ApplySettings(const ArmSettings& settings, measure::ArmPlan& arm);
void ApplyCasePairs(const CasePairs& pairs, measure::ArmPlan& baseline,
                    measure::ArmPlan& candidate);

// What tells an arm from others of the same executable, for digests: empty where nothing is set.
std::string SettingsText(const measure::ArmPlan& arm);

}  // namespace perfgate::gate
