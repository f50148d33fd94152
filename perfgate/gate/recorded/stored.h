// SPDX-License-Identifier: Apache-2.0
// stored.h: a gate against the accepted state that a store records.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "perfgate/evidence/policy.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/gate/request.h"
#include "perfgate/store/baseline_store.h"

namespace perfgate::gate {

// Every reason that GateRequest::allow can override.
std::vector<std::string> OverridableReasons();

// Error(kUsage) where a request against a store contradicts itself.
void RequireStoreRequest(const GateRequest& request);

// What the store says of this machine: the baseline, the policy that judges, and the executable of
// the accepted state where the cache has it (its digest checked against the baseline's).
struct StoreBase {
  store::Baseline baseline;
  Policy policy;
  std::optional<std::string> executable;
  std::string why_not;  // when there is no executable: what to do to get one
};

// With request.store.trusted, store and policy come from that revision, and the request may only
// tighten: Error(kUsage) where it would accept more.
StoreBase OpenStore(const GateRequest& request);

// Whether the file is the executable of the accepted state, by its digest.
bool IsAcceptedState(const std::string& executable, const StoreBase& base);

// Measures the candidate in sessions that it has for itself and compares the numbers.
SuiteVerdict GateOnNumbers(const StoreBase& base, const GateRequest& request, GateDisplay& display);

}  // namespace perfgate::gate
