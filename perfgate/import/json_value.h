// SPDX-License-Identifier: Apache-2.0
// json_value.h: a value of a foreign JSON file together with where it stands.
//
// Every refusal is Error(kData) and reads "<file>: <JSON pointer>: expected <this>, found <that>".
// Fields that nothing asks for are left alone: foreign formats grow.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/error.h"

namespace perfgate::import {

// Refers to the document and to the file's name; both must outlive it.
class JsonValue {
 public:
  JsonValue(const nlohmann::json& json, const std::string& file) : json_(&json), file_(&file) {}

  const nlohmann::json& json() const { return *json_; }
  bool has(std::string_view key) const { return json_->is_object() && json_->contains(key); }

  JsonValue at(std::string_view key) const;                   // refuses where there is none
  std::optional<JsonValue> find(std::string_view key) const;  // null counts as none
  std::size_t size() const;                                   // of a list
  JsonValue operator[](std::size_t index) const;              // of a list

  void require_object() const;
  const std::string& text() const;
  bool boolean() const;
  std::int64_t integer() const;
  double number() const;  // NaN and infinite where the file has such a word
  std::vector<double> numbers() const;

  // "<file>: <pointer>"
  std::string place() const;
  [[noreturn]] void refuse(const std::string& expected) const;
  // Parseable, but not to be trusted: Error(kInvalid).
  [[noreturn]] void distrust(const std::string& problem) const;

 private:
  JsonValue(const nlohmann::json& json, const std::string& file, std::string pointer)
      : json_(&json), file_(&file), pointer_(std::move(pointer)) {}

  const nlohmann::json* json_;
  const std::string* file_;
  std::string pointer_;
};

}  // namespace perfgate::import
