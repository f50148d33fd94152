// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/record_value.h"

#include <fmt/format.h>

#include <cmath>

#include "perfgate/base/sha256.h"
#include "perfgate/base/text/format_number.h"

namespace perfgate::import {

void fail(Record& record, Status status, std::string detail) {
  record.value = std::numeric_limits<double>::quiet_NaN();
  record.status = status;
  record.detail = std::move(detail);
}

void set_value(Record& record, double value) {
  const std::string& name = record.metric.name;
  if (std::isnan(value)) {
    fail(record, Status::kRejected, name + " is NaN");
  } else if (std::isinf(value)) {
    fail(record, Status::kRejected, name + " is infinite");
  } else if (is_relative(record.metric.kind) && value <= 0) {
    fail(record, Status::kRejected,
         name + " is " + format_number(value) + "; a " +
             std::string(to_string(record.metric.kind)) + " is above 0");
  } else {
    record.value = value;
    record.status = Status::kOk;
  }
}

void append_value(Document& document, Record record, double value) {
  if ((record.statistic == "stddev" || record.statistic == "cv") && value == 0) return;
  if (std::isfinite(value) && value > 0) {
    record.value = value;
  } else {
    record.status = Status::kRejected;
    record.detail = std::isfinite(value)
                        ? "a value of " + format_number(value) + " " + record.metric.unit
                        : "not a finite number";
  }
  document.records.push_back(std::move(record));
}

void append_statistics(const JsonCursor& object, const Record& base, Document& document) {
  for (const std::string_view key : {"mean", "stddev", "median", "min", "max"}) {
    const auto value = object.find(key, &JsonCursor::number);
    if (!value) continue;
    Record record = base;
    record.kind = RecordKind::kAggregate;
    record.statistic = key;
    if (key == "stddev") record.metric.kind = Kind::kScore;
    set_value(record, *value);
    document.records.push_back(std::move(record));
  }
}

void add_fields(Fields& fields, const std::string& name, const nlohmann::json& json) {
  if (json.is_null()) return;
  if (json.is_string()) {
    fields[name] = json.get<std::string>();
  } else if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      add_fields(fields, fmt::format("{}.{}", name, key), value);
    }
  } else {
    fields[name] = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

Document new_document(std::string_view format, const std::string& name, std::string_view bytes) {
  Document document;
  document.format = format;
  document.name = name;
  document.digest = sha256_digest(bytes);
  return document;
}

}  // namespace perfgate::import
