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

std::string text_or_empty(const JsonCursor& value) {
  return value.json().is_null() ? std::string() : value.text();
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

std::optional<std::string> scalar_at(const JsonCursor& object, std::string_view key) {
  const auto value = object.find(key);
  return value ? scalar_text(value->json()) : std::nullopt;
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
