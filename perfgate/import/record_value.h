// SPDX-License-Identifier: Apache-2.0
// record_value.h: what readers share when they fill records.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

// Enters `value`, which is in the metric's canonical unit, or rejects the record where no such
// value can be: NaN, infinite, and for times and rates 0 or less.
void set_value(Record& record, double value);

// Appends the record with a time or rate, or rejected where it cannot be `value`. Equal samples
// have no spread to speak of: one of 0 is left out.
void append_value(Document& document, Record record, double value);

// Appends the aggregates of a tool that `object` has under their plain names: mean, stddev, median,
// min and max of the base's metric.
void append_statistics(const JsonCursor& object, const Record& base, Document& document);

// Makes the record a failure of the given kind, without a value.
void fail(Record& record, Status status, std::string detail);

// Enters `json` under `name`, members of objects as "name.member"; null is absent, lists are
// entered as JSON text.
void add_fields(Fields& fields, const std::string& name, const nlohmann::json& json);

// A document without records: format, name and digest.
Document new_document(std::string_view format, const std::string& name, std::string_view bytes);

}  // namespace perfgate::import
