// SPDX-License-Identifier: Apache-2.0
// schema_validator.h: the part of JSON Schema that the schemas of perfgate use.
//
// An unknown keyword is a failure, so that no part of a schema goes unchecked.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace perfgate::sample {

class Validator {
 public:
  using Json = nlohmann::ordered_json;

  explicit Validator(const Json& schema) : root_(schema) {}

  // Empty: valid. Otherwise the first thing that is wrong, after the pointer to where.
  std::string problem(const Json& value) const { return problem(value, root_, ""); }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
           (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
           (type == "number" && value.is_number()) || (type == "null" && value.is_null()) ||
           (type == "integer" && value.is_number_integer());
  }

  static bool has_any_type(const Json& value, const Json& types) {
    if (types.is_string()) return has_type(value, types);
    return std::any_of(types.begin(), types.end(),
                       [&](const Json& type) { return has_type(value, type); });
  }

  // Keywords that look at the value itself, not into it.
  static bool holds(const Json& value, const std::string& keyword, const Json& rule) {
    if (keyword == "type") return has_any_type(value, rule);
    if (keyword == "enum") return std::find(rule.begin(), rule.end(), value) != rule.end();
    if (keyword == "const") return value == rule;
    if (keyword == "minimum") return !value.is_number() || value >= rule;
    if (keyword == "exclusiveMinimum") return !value.is_number() || value > rule;
    if (keyword == "maximum") return !value.is_number() || value <= rule;
    if (keyword == "pattern") {
      return !value.is_string() ||
             std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
    }
    if (keyword == "additionalProperties") return rule == false;
    return keyword == "description" || keyword == "$schema" || keyword == "title" ||
           keyword == "$defs";
  }

  std::string problem_with_fields(const Json& value, const Json& fields,
                                  const std::string& at) const {
    for (const auto& [key, member] : value.items()) {
      const std::string inside = std::string(at).append("/").append(key);
      if (!fields.contains(key)) return inside + ": unknown field";
      std::string inner = problem(member, fields[key], inside);
      if (!inner.empty()) return inner;
    }
    return "";
  }

  std::string problem_with_items(const Json& value, const Json& schema,
                                 const std::string& at) const {
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string inner = problem(value[i], schema, at + "/" + std::to_string(i));
      if (!inner.empty()) return inner;
    }
    return "";
  }

  std::string problem(const Json& value, const Json& schema, const std::string& at) const {
    for (const auto& [keyword, rule] : schema.items()) {
      std::string inner;
      if (keyword == "$ref") {
        inner = problem(value, root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), at);
      } else if (keyword == "anyOf") {
        const bool any = std::any_of(rule.begin(), rule.end(), [&](const Json& one) {
          return problem(value, one, at).empty();
        });
        if (!any) inner = std::string(at).append(": fails anyOf");
      } else if (keyword == "properties") {
        if (value.is_object()) inner = problem_with_fields(value, rule, at);
      } else if (keyword == "items") {
        if (value.is_array()) inner = problem_with_items(value, rule, at);
      } else if (keyword == "required") {
        for (const Json& name : rule) {
          if (value.is_object() && !value.contains(name.get<std::string>())) {
            inner = at;
            inner += ": lacks " + name.dump();
          }
        }
      } else if (!holds(value, keyword, rule)) {
        inner = std::string(at).append(": fails ").append(keyword);
      }
      if (!inner.empty()) return inner;
    }
    return "";
  }

  const Json& root_;
};

}  // namespace perfgate::sample
