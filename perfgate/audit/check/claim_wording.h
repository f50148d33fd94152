// SPDX-License-Identifier: Apache-2.0
// claim_wording.h: words such as "stable", "improved" and "dominant" against what the table shows.
#pragma once

#include <vector>

#include "perfgate/audit/read/finding.h"

namespace perfgate::audit {

// Whether there was wording to check. Findings go to `result`.
bool check_claim_wording(const Table& table, const Claim& claim, const std::vector<Table>& tables,
                         AuditResult& result);

// {"metric": "winner", "value": "a"}: a must be the better row or column by every metric whose
// direction is known; a winner by one metric may be the loser by another.
bool check_winner_claim(const Table& table, const Claim& claim, AuditResult& result);

// Whether any cell has a standard deviation or an interval.
bool has_dispersion(const Table& table);

}  // namespace perfgate::audit
