// SPDX-License-Identifier: Apache-2.0
// schema_builder.h: the JSON schema of a described structure, from the
// description by which it is read and written.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline base {

using SchemaJson = nlohmann::ordered_json;

// The name of a structure that others contain, in its schema.
template <class T>
inline constexpr std::string_view kSchemaName;

// Integral bounds without a fraction, so that a schema reads "1", not "1.0".
inline SchemaJson bound(double value) {
  const double whole = std::nearbyint(value);
  return whole == value ? SchemaJson(static_cast<std::int64_t>(whole)) : SchemaJson(value);
}

inline SchemaJson number_schema(const FieldRule& rule, bool integer) {
  SchemaJson schema = {{"type", integer ? "integer" : "number"}};
  if (std::isfinite(rule.min))
    schema[rule.above ? "exclusiveMinimum" : "minimum"] = bound(rule.min);
  if (std::isfinite(rule.max)) schema["maximum"] = bound(rule.max);
  return schema;
}

inline SchemaJson or_null(SchemaJson schema) {
  if (schema.contains("type")) {
    SchemaJson types =
        schema["type"].is_array() ? schema["type"] : SchemaJson::array({schema["type"]});
    types.push_back("null");
    schema["type"] = std::move(types);
    return schema;
  }
  return {{"anyOf", SchemaJson::array({std::move(schema), {{"type", "null"}}})}};
}

class SchemaBuilder {
 public:
  SchemaBuilder(SchemaJson& definitions, bool by_hand)
      : definitions_(definitions), by_hand_(by_hand) {}

  template <class T>
  void operator()(std::string_view name, const T& member, std::string_view meaning,
                  const FieldRule& rule = {}) {
    SchemaJson field = schema_of(member, rule);
    field["description"] = meaning;
    properties_[std::string(name)] = std::move(field);
    if (!by_hand_ && !rule.added) required_.push_back(name);
  }

  void add_header(std::string_view format, int version) {
    properties_["format"] = {{"const", format}, {"description", "what the file is"}};
    properties_["version"] = {{"const", version}, {"description", "version of the format"}};
    required_.push_back("format");
    required_.push_back("version");
  }

  void add_signature() {
    properties_["signature"] = {
        {"type", "string"},
        {"description",
         "`hmac-sha256:<hex>` of the JSON without this field, keys sorted, no spaces; only where "
         "`--key` was given"}};
  }

  // A field that is no described member.
  void add_required(std::string_view name, SchemaJson field) {
    properties_[std::string(name)] = std::move(field);
    required_.push_back(name);
  }

  SchemaJson take() {
    SchemaJson schema = {{"type", "object"},
                         {"properties", std::move(properties_)},
                         {"required", std::move(required_)},
                         {"additionalProperties", false}};
    if (schema["required"].empty()) schema.erase("required");
    return schema;
  }

 private:
  template <class T>
  SchemaJson schema_of(const T& value, const FieldRule& rule) {
    if constexpr (json_io::kIsOptional<T>) {
      return or_null(schema_of(typename T::value_type{}, rule));
    } else if constexpr (json_io::kIsVector<T>) {
      return {{"type", "array"}, {"items", schema_of(typename T::value_type{}, rule)}};
    } else if constexpr (std::same_as<T, bool>) {
      return {{"type", "boolean"}};
    } else if constexpr (std::same_as<T, Exit>) {
      SchemaJson codes = SchemaJson::array();
      for (const Exit code : kExitCodes) codes.push_back(static_cast<int>(code));
      return {{"enum", std::move(codes)}};
    } else if constexpr (std::is_enum_v<T>) {
      return {{"enum", kEnumWords<T>.words}};
    } else if constexpr (std::same_as<T, std::string>) {
      SchemaJson schema = {{"type", "string"}};
      if (rule.hex > 0) schema["pattern"] = "^[0-9a-f]{" + std::to_string(rule.hex) + "}$";
      return schema;
    } else if constexpr (std::floating_point<T>) {
      SchemaJson schema = number_schema(rule, false);
      if (rule.fraction && by_hand_) {
        schema["type"] = SchemaJson::array({"number", "string"});
        schema["pattern"] =
            R"(^[ \t]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t]*%?[ \t]*$)";
      }
      return rule.absent ? or_null(std::move(schema)) : schema;
    } else if constexpr (std::integral<T>) {
      return number_schema(std::unsigned_integral<T> ? at_least(0) : rule, true);
    } else {
      return reference_to(value);
    }
  }

  template <class T>
  SchemaJson reference_to(const T& value) {
    static_assert(!kSchemaName<T>.empty(), "the structure needs a name");
    const std::string name(kSchemaName<T>);
    if (!definitions_.contains(name)) {
      definitions_[name] = SchemaJson();  // keeps the place: containers before what they contain
      SchemaBuilder nested(definitions_, by_hand_);
      describe(nested, value);
      definitions_[name] = nested.take();
    }
    return {{"$ref", "#/$defs/" + name}};
  }

  SchemaJson& definitions_;
  bool by_hand_;
  SchemaJson properties_ = SchemaJson::object();
  SchemaJson required_ = SchemaJson::array();
};

}  // namespace perfgate::inline base
