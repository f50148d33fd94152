// SPDX-License-Identifier: Apache-2.0
// roots.h: what a verdict rests on beside the measurement: change, ledger, revision and key.
#pragma once

#include <string>

#include "perfgate/evidence/verdict.h"
#include "perfgate/gate/display.h"
#include "perfgate/gate/request.h"
#include "perfgate/store/ledger.h"

namespace perfgate::gate {

// Names the repository where a change is named without it, and resolves the trusted revision to a
// full commit id; says which commit a name that can move stood for. Error(kUsage) where the request
// contradicts itself or nobody can say which repository it is.
void ResolveRoots(GateRequest& request, GateDisplay& display);

// What the gate decides by, and the accepted executables, are out of every arm's sight.
GateRequest WithHiddenFiles(GateRequest request);

// How the ledger knows what is judged; stage: as in store::Pair.
store::Pair LedgerPair(const GateRequest& request, const std::string& suite,
                       const std::string& baseline, const std::string& candidate,
                       const std::string& stage = "");

store::LedgerTrust LedgerTrustOf(const GateRequest& request);

// Enters change, trusted commit and the digest of the written session file.
void EnterRoots(const GateRequest& request, SuiteVerdict& verdict);

// The verdict as a file: signed where there is a key.
std::string VerdictText(const SuiteVerdict& verdict, const SecretKey* key);

}  // namespace perfgate::gate
