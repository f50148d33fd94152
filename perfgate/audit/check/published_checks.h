// SPDX-License-Identifier: Apache-2.0
// published_checks.h: lists against measurements, and both against themselves.
#pragma once

#include <vector>

#include "perfgate/audit/published.h"

namespace perfgate::audit {

// Measurements: arms of one entry that ran different models, values that another list prints
// differently, hardware that two lists state differently, values on a grid.
void check_facts(const FactsFile& facts, AuditResult& result);

// Published percentages and outcomes, recomputed by the rules of published/published_rules.h.
void check_published_results(const ClaimsFile& claims, const std::vector<FactsFile>& facts,
                             AuditResult& result);

// Memberships: every item in exactly one disposition, categories and reasons that its data allow,
// one class for one state, one model.
void check_published_lists(const ClaimsFile& claims, const std::vector<FactsFile>& facts,
                           AuditResult& result);

}  // namespace perfgate::audit
