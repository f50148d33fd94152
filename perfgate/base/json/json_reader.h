// SPDX-License-Identifier: Apache-2.0
// json_reader.h: fields of a described struct out of a JSON object, checked one by one.
//
// The struct's describe() lists its fields (field_rule.h). Unlike json_cursor.h, on which it
// stands, a reader refuses fields that the struct does not have.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/json/field_rule.h"
#include "perfgate/base/json/json_cursor.h"
#include "perfgate/base/json/strict_json.h"
#include "perfgate/base/text/enum_words.h"

// clang-tidy 14 does not see the inline one.
// NOLINTNEXTLINE(modernize-concat-nested-namespaces)
namespace perfgate::inline base::json_io {

// People may leave fields out and write fractions as text ("2%"); programs may not.
enum class Author { kProgram, kPerson };

class ObjectReader {
 public:
  ObjectReader(const JsonCursor& object, Author author);

  template <class T>
  void operator()(std::string_view name, T& member, std::string_view meaning,
                  const FieldRule& rule = {});

  // The field's value; none where it is left out and may be.
  std::optional<JsonCursor> find(std::string_view name, const FieldRule& rule = {});

  // A field that people must write, too.
  JsonCursor require(std::string_view name, std::string_view hint);

  // Refuses fields that nothing asked for, naming the nearest known one.
  void finish() const;

 private:
  // A fraction, or a number in the unit of the metric that the field beside it names.
  FieldRule applied(FieldRule rule) const;

  JsonCursor object_;
  Author author_;
  std::vector<std::string_view> known_;
};

double read_double(const JsonCursor& value, const FieldRule& rule, Author author);
std::int64_t read_integer(const JsonCursor& value, const FieldRule& rule, std::int64_t min,
                          std::int64_t max);
std::uint64_t read_unsigned(const JsonCursor& value);
std::string read_text(const JsonCursor& value, const FieldRule& rule);
Exit read_exit(const JsonCursor& value);

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
void read_value(const JsonCursor& value, T& member, const FieldRule& rule = {},
                Author author = Author::kProgram) {
  if constexpr (kIsOptional<T>) {
    member.reset();
    if (!value.json().is_null()) read_value(value, member.emplace(), rule, author);
  } else if constexpr (kIsVector<T>) {
    member.clear();
    member.resize(value.size());
    for (std::size_t i = 0; i < member.size(); ++i) read_value(value[i], member[i], rule, author);
  } else if constexpr (std::same_as<T, bool>) {
    member = value.boolean();
  } else if constexpr (std::same_as<T, Exit>) {
    member = read_exit(value);
  } else if constexpr (std::is_enum_v<T>) {
    const std::string word = read_text(value, rule);
    try {
      member = parse_enum<T>(word);
    } catch (const Error& error) {
      value.fail(error.what());
    }
  } else if constexpr (std::same_as<T, std::string>) {
    member = read_text(value, rule);
  } else if constexpr (std::floating_point<T>) {
    member = read_double(value, rule, author);
  } else if constexpr (std::unsigned_integral<T>) {
    member = read_unsigned(value);
  } else if constexpr (std::integral<T>) {
    member = static_cast<T>(
        read_integer(value, rule, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  } else {
    ObjectReader reader(value, author);
    describe(reader, member);
    reader.finish();
  }
}

template <class T>
void ObjectReader::operator()(std::string_view name, T& member, std::string_view,
                              const FieldRule& rule) {
  if (const auto value = find(name, rule)) read_value(*value, member, applied(rule), author_);
}

// Checks {"format": ..., "version": ...} of a file and takes note of both.
void read_header(ObjectReader& reader, std::string_view format, int version);

// A whole file: header and the fields of T.
template <class T>
T read_file_object(const JsonCursor& root, std::string_view format, int version,
                   Author author = Author::kProgram) {
  ObjectReader reader(root, author);
  read_header(reader, format, version);
  T result;
  describe(reader, result);
  reader.finish();
  return result;
}

template <class T>
T read_file_object(std::string_view text, const std::string& where, std::string_view format,
                   int version, Author author = Author::kProgram) {
  const nlohmann::json document = parse_strict_json(text, where);
  return read_file_object<T>(JsonCursor(document, where), format, version, author);
}

}  // namespace perfgate::inline base::json_io
