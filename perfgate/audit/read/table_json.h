// SPDX-License-Identifier: Apache-2.0
// table_json.h: tables out of JSON: the format "perfgate-table/1", and plain lists of records.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perfgate/audit/read/finding.h"
#include "perfgate/audit/read/table.h"

namespace perfgate::audit {

// {"format": "perfgate-table/1", "columns": [...], "rows": [...], "derived": [...], "claims":
// [...]} Error(kData) with the JSON pointer where the structure is another. Cells whose text and
// value disagree become findings: a reader sees one, a program the other.
Table read_table_json(const nlohmann::json& document, const std::string& file,
                      std::vector<Finding>& findings);

// A list of flat objects, as programs dump results; the columns are their keys, in sorted order.
bool is_record_list(const nlohmann::json& document);
Table read_record_list(const nlohmann::json& document, const std::string& file);

// Any JSON value as a claim would print it: numbers and text bare, others dumped.
std::string json_text(const nlohmann::json& value);

}  // namespace perfgate::audit
