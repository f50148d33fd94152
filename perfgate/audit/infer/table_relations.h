// SPDX-License-Identifier: Apache-2.0
// table_relations.h: recomputes the cells of a table from its other cells.
#pragma once

#include <vector>

#include "perfgate/audit/read/finding.h"

namespace perfgate::audit {

// Relations that the table declares, and those that can be inferred for the columns and rows of
// which it declares nothing.
void check_relations(const Table& table, AuditResult& result);

// Columns that follow from another table's columns where both name the same rows. Tables of one id
// (the JSON and the Markdown of one table) must be equal.
void check_across(const std::vector<Table>& tables, AuditResult& result);

}  // namespace perfgate::audit
