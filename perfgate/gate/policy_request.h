// SPDX-License-Identifier: Apache-2.0
// policy_request.h: the policy that a caller asks for: defaults, then a file, then single values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/base/io/key_file.h"
#include "perfgate/evidence/policy.h"

namespace perfgate::gate {

// Rounds of the first look at which a regression can be shown.
inline constexpr int kFewestToFail = 10;

// Values that replace those of the defaults or the file. Units as in Policy.
struct PolicyOverrides {
  std::optional<double> tolerance;   // fraction
  std::optional<double> alpha;       // probability
  std::optional<double> hide_limit;  // fraction
  std::optional<double> budget_s;    // alone it also takes back the file's `rounds`
  std::optional<double> slice_s;
  std::optional<int> rounds;  // at least 1
  std::optional<int> pairs;
  std::string filter;  // empty: as it is
  std::optional<LayoutUse> layouts;
  std::optional<UnchangedCode> unchanged_code;
  bool reuse_layouts = false;
  bool claim_improvements = false;
  bool allow_oversubscription = false;
  std::vector<std::string> count{};  // none: as it is
  std::optional<SecondClock> second_clock{};
  std::optional<Plausibility> plausibility{};
  std::optional<double> unchecked_speedup{};
};

struct PolicyRequest {
  std::string file;  // empty: the defaults
  PolicyOverrides overrides;
  // Rules behind those of the file, each with a sentence for Policy::overrides.
  std::vector<CaseRule> accepted{};
  std::vector<std::string> accepted_texts{};
};

// Checked, with a sentence in Policy::overrides for every value that an override changes.
// Error(kUsage) for a value out of range, Error(kData) for a file that cannot be read.
// With a key the file has to be signed by it: Error(kInvalid).
Policy ResolvePolicy(const PolicyRequest& request, Policy defaults = {},
                     const SecretKey* key = nullptr);

// Replaces one value and enters the sentence, as `parity --margin` does under a name of its own.
void OverrideValue(const char* name, double value, double& field, Policy& policy);

}  // namespace perfgate::gate
