// SPDX-License-Identifier: Apache-2.0
// json_reader.h: fields of a described struct out of a JSON object, checked one by one.
//
// Every refusal is Error(kData) and reads "<file>: <JSON pointer>: expected <this>, found <that>".
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
#include "perfgate/base/text/enum_words.h"

namespace perfgate::inline base::json_io {

// Where a value stands, as a chain through the callers' frames: rendered only when something is
// wrong. A step is a key, or an index where `key` has no data.
struct Path {
  const Path* parent = nullptr;
  std::string_view key;
  std::size_t index = 0;
};

// RFC 6901.
std::string json_pointer(const Path& path);

// Policy files may leave fields out and write fractions as text; evidence files may not.
struct Source {
  std::string where;
  bool written_by_hand = false;
};

[[noreturn]] void refuse(const Source& source, const Path& path, const std::string& expected,
                         const nlohmann::json& found);
[[noreturn]] void refuse(const Source& source, const Path& path, const std::string& problem);

class ObjectReader {
 public:
  ObjectReader(const Source& source, const Path& path, const nlohmann::json& object);

  template <class T>
  void operator()(std::string_view name, T& member, std::string_view meaning,
                  const FieldRule& rule = {});

  // The field's value; null where it is left out and may be.
  const nlohmann::json* find(std::string_view name, const FieldRule& rule = {});

  // Refuses fields that nothing asked for, naming the nearest known one.
  void finish() const;

 private:
  const Source& source_;
  const Path& path_;
  const nlohmann::json& object_;
  std::vector<std::string_view> known_;
};

double read_double(const Source& source, const Path& path, const nlohmann::json& value,
                   const FieldRule& rule);
std::int64_t read_integer(const Source& source, const Path& path, const nlohmann::json& value,
                          const FieldRule& rule, std::int64_t min, std::int64_t max);
std::uint64_t read_unsigned(const Source& source, const Path& path, const nlohmann::json& value);
std::string read_text(const Source& source, const Path& path, const nlohmann::json& value,
                      const FieldRule& rule);
bool read_bool(const Source& source, const Path& path, const nlohmann::json& value);
Exit read_exit(const Source& source, const Path& path, const nlohmann::json& value);

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
void read_value(const Source& source, const Path& path, const nlohmann::json& value, T& member,
                const FieldRule& rule) {
  if constexpr (kIsOptional<T>) {
    member.reset();
    if (!value.is_null()) read_value(source, path, value, member.emplace(), rule);
  } else if constexpr (kIsVector<T>) {
    if (!value.is_array()) refuse(source, path, "a list", value);
    member.clear();
    member.resize(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      read_value(source, Path{&path, {}, i}, value[i], member[i], rule);
    }
  } else if constexpr (std::same_as<T, bool>) {
    member = read_bool(source, path, value);
  } else if constexpr (std::same_as<T, Exit>) {
    member = read_exit(source, path, value);
  } else if constexpr (std::is_enum_v<T>) {
    const std::string word = read_text(source, path, value, rule);
    try {
      member = parse_enum<T>(word);
    } catch (const Error& error) {
      refuse(source, path, error.what());
    }
  } else if constexpr (std::same_as<T, std::string>) {
    member = read_text(source, path, value, rule);
  } else if constexpr (std::floating_point<T>) {
    member = read_double(source, path, value, rule);
  } else if constexpr (std::unsigned_integral<T>) {
    member = read_unsigned(source, path, value);
  } else if constexpr (std::integral<T>) {
    member = static_cast<T>(read_integer(source, path, value, rule, std::numeric_limits<T>::min(),
                                         std::numeric_limits<T>::max()));
  } else {
    ObjectReader reader(source, path, value);
    describe(reader, member);
    reader.finish();
  }
}

template <class T>
void ObjectReader::operator()(std::string_view name, T& member, std::string_view,
                              const FieldRule& rule) {
  if (const nlohmann::json* value = find(name, rule)) {
    read_value(source_, Path{&path_, name, 0}, *value, member, rule);
  }
}

// Checks {"format": ..., "version": ...} of a file and takes note of both.
void read_header(const Source& source, ObjectReader& reader, std::string_view format, int version);

// A whole file: header and the fields of T.
template <class T>
T read_file_object(const Source& source, const nlohmann::json& document, std::string_view format,
                   int version) {
  const Path root;
  ObjectReader reader(source, root, document);
  read_header(source, reader, format, version);
  T result;
  describe(reader, result);
  reader.finish();
  return result;
}

}  // namespace perfgate::inline base::json_io
