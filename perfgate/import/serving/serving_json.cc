// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/serving/serving_json.h"

#include <algorithm>
#include <cmath>

#include "perfgate/base/error.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/format_number.h"

namespace perfgate::import {
namespace {

using nlohmann::json;

constexpr std::string_view kBlank = " \t\r\n";

// The end of the document that starts at `begin`: behind the bracket that closes it, or at the end
// of the line where it does not start with one.
std::size_t document_end(std::string_view text, std::size_t begin) {
  if (text[begin] != '{' && text[begin] != '[') {
    return std::min(text.find('\n', begin), text.size());
  }
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return i + 1;
  }
  return text.size();
}

json parse_document(std::string_view text, const std::string& name, std::size_t line) {
  try {
    return parse_strict_json(text, name, NonFinite::kKeep);
  } catch (const Error&) {
    // Once more with as many lines before it as there are, so that the message has the right one.
    parse_strict_json(std::string(line - 1, '\n').append(text), name, NonFinite::kKeep);
    throw;
  }
}

std::string pointer_to(const std::string& key) { return "/" + key; }

const json* find(const Located& document, const std::string& key) {
  const json& object = object_of(document);
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

double number_of(const std::string& where, const std::string& pointer, const json& value) {
  if (value.is_number()) return value.get<double>();
  refuse_value(where, pointer, "a number", value);
}

std::int64_t count_of(const std::string& where, const std::string& pointer, const json& value) {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  if (!value.is_number_integer() || value < 0 || value > kMost) {
    refuse_value(where, pointer, "a count (an integer of at least 0)", value);
  }
  return value.get<std::int64_t>();
}

// Applies `convert` to each element of a list.
template <class T, class Convert>
std::vector<T> list_of(const std::string& where, const std::string& pointer, const json& value,
                       const Convert& convert) {
  if (!value.is_array()) refuse_value(where, pointer, "a list", value);
  std::vector<T> list;
  list.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    list.push_back(convert(where, pointer + "/" + std::to_string(i), value[i]));
  }
  return list;
}

template <class T, class Convert>
std::optional<std::vector<T>> list_at(const Located& document, const std::string& key,
                                      const Convert& convert) {
  const json* value = find(document, key);
  if (value == nullptr) return std::nullopt;
  return list_of<T>(document.where, pointer_to(key), *value, convert);
}

}  // namespace

std::vector<Located> read_documents(std::string_view bytes, const std::string& name) {
  std::vector<Located> documents;
  std::size_t line = 1;
  std::size_t counted = 0;  // up to where `line` counts
  std::size_t last_line = 0;
  for (std::size_t at = bytes.find_first_not_of(kBlank); at < bytes.size();
       at = bytes.find_first_not_of(kBlank, at)) {
    line += static_cast<std::size_t>(std::count(bytes.data() + counted, bytes.data() + at, '\n'));
    const std::size_t end = document_end(bytes, at);
    Located document;
    document.row = documents.size() + 1;
    document.where = name + ":" + std::to_string(line);
    if (line == last_line) {
      throw Error(Exit::kInvalid, document.where +
                                      ": something follows the document on its last line; expected "
                                      "one JSON document, or one per line");
    }
    document.value = parse_document(bytes.substr(at, end - at), name, line);
    documents.push_back(std::move(document));
    line += static_cast<std::size_t>(std::count(bytes.data() + at, bytes.data() + end, '\n'));
    last_line = line;
    at = counted = end;
  }
  if (documents.empty()) {
    throw Error(Exit::kData, name + ": the file is empty; expected a JSON document");
  }
  return documents;
}

json first_document(std::string_view bytes) {
  const std::size_t at = bytes.find_first_not_of(kBlank);
  if (at == std::string_view::npos) return nullptr;
  try {
    return parse_document(bytes.substr(at, document_end(bytes, at) - at), "", 1);
  } catch (const Error&) {
    return nullptr;
  }
}

void refuse_value(const std::string& where, const std::string& pointer, const std::string& expected,
                  const json& found) {
  constexpr std::size_t kLongest = 60;
  std::string shown = found.dump(-1, ' ', /*ensure_ascii=*/true, json::error_handler_t::replace);
  if (shown.size() > kLongest) shown = shown.substr(0, kLongest) + "...";
  throw Error(Exit::kData, where + ": " + pointer + ": expected " + expected + ", found " + shown);
}

const json& object_of(const Located& document) {
  if (!document.value.is_object()) refuse_value(document.where, "/", "an object", document.value);
  return document.value;
}

std::optional<double> number_at(const Located& document, const std::string& key) {
  const json* value = find(document, key);
  if (value == nullptr) return std::nullopt;
  return number_of(document.where, pointer_to(key), *value);
}

std::optional<std::int64_t> count_at(const Located& document, const std::string& key) {
  const json* value = find(document, key);
  if (value == nullptr) return std::nullopt;
  return count_of(document.where, pointer_to(key), *value);
}

std::optional<std::string> text_at(const Located& document, const std::string& key) {
  const json* value = find(document, key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) refuse_value(document.where, pointer_to(key), "text", *value);
  return value->get<std::string>();
}

std::optional<std::vector<double>> numbers_at(const Located& document, const std::string& key) {
  return list_at<double>(document, key, number_of);
}

std::optional<std::vector<std::int64_t>> counts_at(const Located& document,
                                                   const std::string& key) {
  return list_at<std::int64_t>(document, key, count_of);
}

std::optional<std::vector<std::vector<double>>> nested_numbers_at(const Located& document,
                                                                  const std::string& key) {
  const auto convert = [](const std::string& where, const std::string& pointer, const json& value) {
    return list_of<double>(where, pointer, value, number_of);
  };
  return list_at<std::vector<double>>(document, key, convert);
}

std::optional<std::vector<std::string>> texts_at(const Located& document, const std::string& key) {
  const auto convert = [](const std::string& where, const std::string& pointer, const json& value) {
    if (value.is_null()) return std::string();
    if (!value.is_string()) refuse_value(where, pointer, "text", value);
    return value.get<std::string>();
  };
  return list_at<std::string>(document, key, convert);
}

std::optional<std::string> scalar_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) {
    const double number = value.get<double>();
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    return format_number(number);
  }
  return std::nullopt;
}

void add_field(Fields* fields, const std::string& key, const std::string& value,
               const std::string& where) {
  const auto [known, added] = fields->emplace(key, value);
  if (added || known->second == value) return;
  throw Error(Exit::kInvalid, where + ": " + key + " is \"" + value + "\" and was \"" +
                                  known->second +
                                  "\" before; keep runs of different set-ups in different files");
}

}  // namespace perfgate::import
