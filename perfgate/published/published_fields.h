// SPDX-License-Identifier: Apache-2.0
// published_fields.h: one object of a foreign list, read field by field.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "perfgate/base/json/json_reader.h"

namespace perfgate::published {

// An object of a foreign list: fields that nothing reads are noted once and let pass, since lists
// grow columns; fields that something needs must be there.
class Fields {
 public:
  Fields(const JsonCursor& object, std::set<std::string>& unknown)
      : object_(object), unknown_(unknown) {
    object.require_object();
  }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;
  ~Fields() {
    for (const auto& [name, value] : object_.json().items()) {
      if (!asked_.contains(name)) unknown_.insert(name);
    }
  }

  // None where the field is absent or null.
  std::optional<JsonCursor> find(std::string_view name) {
    asked_.insert(std::string(name));
    return object_.find(name);
  }

  // The field must be there; it may be null.
  JsonCursor need(std::string_view name) {
    asked_.insert(std::string(name));
    return object_.at(name);
  }

  template <class T>
  T read(std::string_view name, const FieldRule& rule = {}) {
    T result{};
    json_io::read_value(need(name), result, rule);
    return result;
  }

  template <class T>
  std::optional<T> read_if(std::string_view name, const FieldRule& rule = {}) {
    std::optional<T> result;
    if (const auto value = find(name)) json_io::read_value(*value, result.emplace(), rule);
    return result;
  }

  [[noreturn]] void invalid(std::string_view name, const std::string& problem) const {
    object_.at(name).invalid(problem);
  }

  std::set<std::string>& unknown() const { return unknown_; }

 private:
  JsonCursor object_;
  std::set<std::string>& unknown_;
  std::set<std::string> asked_;
};

}  // namespace perfgate::published
