// SPDX-License-Identifier: Apache-2.0
// claim_checks.h: statements published with a table, against the table's own cells.
#pragma once

#include <vector>

#include "perfgate/audit/read/finding.h"

namespace perfgate::audit {

// Claims of one table. `tables` are all that are audited together: claims may refer to others by
// id.
void check_claims(const Table& table, const std::vector<Table>& tables, AuditResult& result);

// Differences smaller than this are ties where no dispersion is published.
inline constexpr double kTieShare = 0.05;

}  // namespace perfgate::audit
