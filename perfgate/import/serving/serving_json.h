// SPDX-License-Identifier: Apache-2.0
// serving_json.h: result files of Python tools: one JSON document, or one per line.
//
// Python writes NaN, Infinity and -Infinity as bare words, and does so in good files: an unlimited
// request rate is Infinity. They are kept; whoever wants a number must reject them. Everything else
// is as strict as strict_json.h.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/json/json_cursor.h"
#include "perfgate/import/record.h"

namespace perfgate::import {

struct Located {
  nlohmann::json value;
  std::string where;    // "f.jsonl:3", the line on which it starts
  std::size_t row = 0;  // counted from 1

  JsonCursor cursor() const { return {value, where}; }
};

// Every document of a file; each starts on a line of its own. Error(kData) for an empty file, for
// what is not JSON (a line cut short as well); Error(kInvalid) for duplicate keys and for two
// documents on one line.
std::vector<Located> read_documents(std::string_view bytes, const std::string& name);

// The first document of a file, for detection; null where there is none.
nlohmann::json first_document(std::string_view bytes);

// Null, of which some versions make an absent text, is empty.
std::string text_or_empty(const JsonCursor& value);

// A scalar as a fingerprint holds it: text as it is, numbers in their shortest form, true, false.
// Absent for null, lists and objects.
std::optional<std::string> scalar_text(const nlohmann::json& value);
std::optional<std::string> scalar_at(const JsonCursor& object, std::string_view key);

// Adds a field; Error(kInvalid) where it is there with another value, which means that the file
// mixes runs that must be kept apart.
void add_field(Fields* fields, const std::string& key, const std::string& value,
               const std::string& where);

}  // namespace perfgate::import
