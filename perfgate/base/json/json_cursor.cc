// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/json/json_cursor.h"

#include <limits>

#include "perfgate/base/json/json_text.h"

namespace perfgate::inline base {

using json_io::pointer_step;

std::string JsonCursor::place() const {
  return *file_ + ": " + (pointer_.empty() ? "the document" : pointer_);
}

void JsonCursor::fail(const std::string& problem) const {
  throw Error(Exit::kData, place() + ": " + problem);
}

void JsonCursor::refuse(const std::string& expected) const {
  fail("expected " + expected + ", found " + json_io::shown(*json_));
}

void JsonCursor::invalid(const std::string& problem) const {
  throw Error(Exit::kInvalid, place() + ": " + problem);
}

void JsonCursor::require_object() const {
  if (!json_->is_object()) refuse("an object");
}

std::optional<JsonCursor> JsonCursor::find(std::string_view key) const {
  require_object();
  const auto found = json_->find(key);
  if (found == json_->end() || found->is_null()) return std::nullopt;
  return JsonCursor(*found, *file_, pointer_ + "/" + pointer_step(key));
}

JsonCursor JsonCursor::at(std::string_view key, std::string_view hint) const {
  require_object();
  const auto found = json_->find(key);
  JsonCursor member(found == json_->end() ? *json_ : *found, *file_,
                    pointer_ + "/" + pointer_step(key));
  if (found == json_->end()) member.fail("this field is missing; " + std::string(hint));
  return member;
}

std::size_t JsonCursor::size() const {
  if (!json_->is_array()) refuse("a list");
  return json_->size();
}

JsonCursor JsonCursor::operator[](std::size_t index) const {
  return {(*json_)[index], *file_, pointer_ + "/" + std::to_string(index)};
}

std::vector<JsonCursor> JsonCursor::elements() const {
  std::vector<JsonCursor> list;
  list.reserve(size());
  for (std::size_t i = 0; i < json_->size(); ++i) list.push_back((*this)[i]);
  return list;
}

const std::string& JsonCursor::text() const {
  if (!json_->is_string()) refuse("text");
  return json_->get_ref<const std::string&>();
}

bool JsonCursor::boolean() const {
  if (!json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

std::int64_t JsonCursor::integer() const {
  const bool fits =
      json_->is_number_integer() &&
      (!json_->is_number_unsigned() ||
       json_->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  if (!fits) refuse("an integer");
  return json_->get<std::int64_t>();
}

std::int64_t JsonCursor::count() const {
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  if (!json_->is_number_integer() || *json_ < 0 || *json_ > kMost) {
    refuse("a count (an integer of at least 0)");
  }
  return json_->get<std::int64_t>();
}

double JsonCursor::number() const {
  if (!json_->is_number()) refuse("a number");
  return json_->get<double>();
}

std::vector<double> JsonCursor::numbers() const {
  std::vector<double> values(size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Lists of samples are long: only a wrong element needs its place.
    const nlohmann::json& element = (*json_)[i];
    values[i] = element.is_number() ? element.get<double>() : (*this)[i].number();
  }
  return values;
}

}  // namespace perfgate::inline base
