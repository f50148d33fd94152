// SPDX-License-Identifier: Apache-2.0
// serving_json.h: result files of Python tools: one JSON document, or one per line, and the typed
// values inside.
//
// Python writes NaN, Infinity and -Infinity as bare words, and does so in good files: an unlimited
// request rate is Infinity. They are kept; whoever wants a number must reject them. Everything else
// is as strict as strict_json.h.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/import/record.h"

namespace perfgate::import {

struct Located {
  nlohmann::json value;
  std::string where;    // "f.jsonl:3", the line on which it starts
  std::size_t row = 0;  // counted from 1
};

// Every document of a file; each starts on a line of its own. Error(kData) for an empty file, for
// what is not JSON (a line cut short as well); Error(kInvalid) for duplicate keys and for two
// documents on one line.
std::vector<Located> read_documents(std::string_view bytes, const std::string& name);

// The first document of a file, for detection; null where there is none.
nlohmann::json first_document(std::string_view bytes);

// Error(kData), "<where>: <pointer>: expected <this>, found <that>".
[[noreturn]] void refuse_value(const std::string& where, const std::string& pointer,
                               const std::string& expected, const nlohmann::json& found);

// The object itself; Error(kData) where the document is something else.
const nlohmann::json& object_of(const Located& document);

// A field of the document's object, absent where it is left out or null. A number may be NaN or
// infinite. Error(kData) for another type; counts are integers of at least 0.
std::optional<double> number_at(const Located& document, const std::string& key);
std::optional<std::int64_t> count_at(const Located& document, const std::string& key);
std::optional<std::string> text_at(const Located& document, const std::string& key);
std::optional<std::vector<double>> numbers_at(const Located& document, const std::string& key);
std::optional<std::vector<std::int64_t>> counts_at(const Located& document, const std::string& key);
std::optional<std::vector<std::vector<double>>> nested_numbers_at(const Located& document,
                                                                  const std::string& key);
// Null elements are empty texts.
std::optional<std::vector<std::string>> texts_at(const Located& document, const std::string& key);

// A scalar as a fingerprint holds it: text as it is, numbers in their shortest form, true, false.
// Absent for null, lists and objects.
std::optional<std::string> scalar_text(const nlohmann::json& value);

// Adds a field; Error(kInvalid) where it is there with another value, which means that the file
// mixes runs that must be kept apart.
void add_field(Fields* fields, const std::string& key, const std::string& value,
               const std::string& where);

}  // namespace perfgate::import
