// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/policy_request.h"

#include <cstdio>
#include <type_traits>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/join.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/evidence/policy_check.h"

namespace perfgate::gate {
namespace {

template <typename T>
std::string Shown(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return "'" + value + "'";
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(to_string(value));
  } else {
    return format_number(static_cast<double>(value));
  }
}

template <typename T>
void Override(const char* name, const T& value, T& field, Policy& policy) {
  if (value == field) return;
  policy.overrides.push_back(std::string(name) + " " + Shown(field) + " -> " + Shown(value) +
                             " (command line)");
  field = value;
}

template <typename T>
void Override(const char* name, const std::optional<T>& value, T& field, Policy& policy) {
  if (value) Override(name, *value, field, policy);
}

// Slices that somebody chose are measured as they are.
bool NamesSlices(const Policy& policy) {
  const Policy usual;
  return policy.pairs != usual.pairs || policy.slice_s != usual.slice_s ||
         policy.warmup_slices != usual.warmup_slices;
}

}  // namespace

Policy ResolvePolicy(const PolicyRequest& request, Policy defaults, const SecretKey* key) {
  Policy policy = request.file.empty() ? std::move(defaults) : read_policy(request.file, key);
  const PolicyOverrides& asked = request.overrides;
  if (asked.pairs || asked.slice_s || NamesSlices(policy)) policy.fit = false;
  if (asked.rounds && *asked.rounds < 1) throw Error(Exit::kUsage, "--rounds must be at least 1");
  Override("tolerance", asked.tolerance, policy.tolerance, policy);
  Override("alpha", asked.alpha, policy.alpha, policy);
  Override("hide_limit", asked.hide_limit, policy.hide_limit, policy);
  Override("budget_s", asked.budget_s, policy.budget_s, policy);
  if (asked.budget_s && !asked.rounds) Override("rounds", 0, policy.rounds, policy);
  Override("slice_s", asked.slice_s, policy.slice_s, policy);
  Override("rounds", asked.rounds, policy.rounds, policy);
  Override("pairs", asked.pairs, policy.pairs, policy);
  if (!asked.filter.empty()) Override("filter", asked.filter, policy.filter, policy);
  Override("layouts", asked.layouts, policy.layouts, policy);
  Override("unchanged_code", asked.unchanged_code, policy.unchanged_code, policy);
  Override("second_clock", asked.second_clock, policy.second_clock, policy);
  Override("plausibility", asked.plausibility, policy.plausibility, policy);
  Override("unchecked_speedup", asked.unchecked_speedup, policy.unchecked_speedup, policy);
  if (asked.reuse_layouts) Override("reuse_layouts", true, policy.reuse_layouts, policy);
  if (asked.claim_improvements) {
    Override("claim_improvements", true, policy.claim_improvements, policy);
  }
  if (asked.allow_oversubscription) {
    Override("allow_oversubscription", true, policy.allow_oversubscription, policy);
  }
  if (!asked.count.empty() && asked.count != policy.count) {
    policy.overrides.push_back("count " + Shown(Join(policy.count)) + " -> " +
                               Shown(Join(asked.count)) + " (command line)");
    policy.count = asked.count;
  }
  policy.cases.insert(policy.cases.end(), request.accepted.begin(), request.accepted.end());
  policy.overrides.insert(policy.overrides.end(), request.accepted_texts.begin(),
                          request.accepted_texts.end());
  validate(policy);
  return policy;
}

void OverrideValue(const char* name, double value, double& field, Policy& policy) {
  Override(name, value, field, policy);
}

}  // namespace perfgate::gate
