// SPDX-License-Identifier: Apache-2.0
// json_cursor.h: a value of a JSON file together with its place.
//
//   const nlohmann::json document = parse_strict_json(text, path);
//   const JsonCursor root(document, path);
//   const double mean = root.at("stats").at("mean").number();
//
// Every refusal is Error(kData) and reads "<file>: <JSON pointer>: expected <this>, found <that>".
// Fields that nothing asks for are left alone, since foreign formats grow; json_reader.h reads the
// described structs of perfgate's own files and refuses such fields.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "perfgate/base/error.h"

namespace perfgate::inline base {

// Refers to the document and to the file's name; both must outlive it.
class JsonCursor {
 public:
  // `pointer`: where `json` stands, when it is a part of the file.
  JsonCursor(const nlohmann::json& json, const std::string& file, std::string pointer = {})
      : json_(&json), file_(&file), pointer_(std::move(pointer)) {}

  const nlohmann::json& json() const { return *json_; }
  const std::string& file() const { return *file_; }
  const std::string& pointer() const { return pointer_; }
  std::string place() const;  // "<file>: <pointer>"

  // Members of an object. at() refuses where there is none and says `hint`; for find() null counts
  // as none.
  bool has(std::string_view key) const { return json_->is_object() && json_->contains(key); }
  JsonCursor at(std::string_view key, std::string_view hint = kCutFile) const;
  std::optional<JsonCursor> find(std::string_view key) const;

  // The member as `read` gives it: find("n", &JsonCursor::integer).
  template <class Read>
  auto find(std::string_view key, Read read) const
      -> std::optional<std::decay_t<std::invoke_result_t<Read, const JsonCursor&>>> {
    const auto value = find(key);
    if (!value) return std::nullopt;
    return std::invoke(read, *value);
  }

  // Elements of a list.
  std::size_t size() const;
  JsonCursor operator[](std::size_t index) const;
  std::vector<JsonCursor> elements() const;

  // Every element as `read` gives it: list(&JsonCursor::integer).
  template <class Read>
  auto list(Read read) const
      -> std::vector<std::decay_t<std::invoke_result_t<Read, const JsonCursor&>>> {
    std::vector<std::decay_t<std::invoke_result_t<Read, const JsonCursor&>>> values(size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::invoke(read, (*this)[i]);
    return values;
  }

  // The value itself; refused where it is of another type.
  void require_object() const;
  const std::string& text() const;
  bool boolean() const;
  std::int64_t integer() const;
  std::int64_t count() const;  // an integer from 0 to 10^15
  double number() const;       // NaN and infinite where the file has such a word
  std::vector<double> numbers() const;
  std::vector<std::int64_t> counts() const { return list(&JsonCursor::count); }

  [[noreturn]] void refuse(const std::string& expected) const;
  // Error(kData) with another text.
  [[noreturn]] void fail(const std::string& problem) const;
  // Error(kInvalid): what stands there is JSON of the right type and contradicts something.
  [[noreturn]] void invalid(const std::string& problem) const;

 private:
  static constexpr std::string_view kCutFile =
      "the file was cut, edited or written by another program or version";

  const nlohmann::json* json_;
  const std::string* file_;
  std::string pointer_;
};

}  // namespace perfgate::inline base
