// SPDX-License-Identifier: Apache-2.0
#include "perfgate/import/json_value.h"

#include <limits>

#include "perfgate/base/json/json_text.h"

namespace perfgate::import {

using json_io::pointer_step;

std::string JsonValue::place() const {
  return *file_ + ": " + (pointer_.empty() ? "the document" : pointer_);
}

void JsonValue::refuse(const std::string& expected) const {
  throw Error(Exit::kData,
              place() + ": expected " + expected + ", found " + json_io::shown(*json_));
}

void JsonValue::distrust(const std::string& problem) const {
  throw Error(Exit::kInvalid, place() + ": " + problem);
}

void JsonValue::require_object() const {
  if (!json_->is_object()) refuse("an object");
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  require_object();
  const auto found = json_->find(key);
  if (found == json_->end() || found->is_null()) return std::nullopt;
  return JsonValue(*found, *file_, pointer_ + "/" + pointer_step(key));
}

JsonValue JsonValue::at(std::string_view key) const {
  require_object();
  const auto found = json_->find(key);
  if (found == json_->end()) {
    throw Error(Exit::kData, *file_ + ": " + pointer_ + "/" + pointer_step(key) +
                                 ": this field is missing; the file was cut, edited or written by "
                                 "another version of the tool");
  }
  return JsonValue(*found, *file_, pointer_ + "/" + pointer_step(key));
}

std::size_t JsonValue::size() const {
  if (!json_->is_array()) refuse("a list");
  return json_->size();
}

JsonValue JsonValue::operator[](std::size_t index) const {
  return JsonValue((*json_)[index], *file_, pointer_ + "/" + std::to_string(index));
}

const std::string& JsonValue::text() const {
  if (!json_->is_string()) refuse("text");
  return json_->get_ref<const std::string&>();
}

bool JsonValue::boolean() const {
  if (!json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

std::int64_t JsonValue::integer() const {
  const bool fits =
      json_->is_number_integer() &&
      (!json_->is_number_unsigned() ||
       json_->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  if (!fits) refuse("an integer");
  return json_->get<std::int64_t>();
}

double JsonValue::number() const {
  if (!json_->is_number()) refuse("a number");
  return json_->get<double>();
}

std::vector<double> JsonValue::numbers() const {
  std::vector<double> values(size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const nlohmann::json& element = (*json_)[i];
    values[i] = element.is_number() ? element.get<double>() : (*this)[i].number();
  }
  return values;
}

}  // namespace perfgate::import
