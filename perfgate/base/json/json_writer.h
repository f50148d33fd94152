// SPDX-License-Identifier: Apache-2.0
// json_writer.h: described structs as JSON that diffs well: one line per top-level field, and one
// per element of the top-level lists.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "perfgate/base/json/field_rule.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/base/text/format_number.h"

// clang-tidy 14 does not see the inline one.
// NOLINTNEXTLINE(modernize-concat-nested-namespaces)
namespace perfgate::inline base::json_io {

// Quoted; control characters escaped; bytes that are not UTF-8 replaced by U+FFFD.
void append_text(std::string& out, std::string_view text);

// Throws std::logic_error where a number is not finite and the rule does not let it be absent.
void append_number(std::string& out, double value, const FieldRule& rule, std::string_view name);

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsNullable = false;
template <class T>
inline constexpr bool kIsNullable<std::optional<T>> = true;

class ObjectWriter {
 public:
  // depth 0 is the file's own object.
  ObjectWriter(std::string& out, int depth) : out_(out), depth_(depth) { out_ += '{'; }

  template <class T>
  void operator()(std::string_view name, const T& member, std::string_view,
                  const FieldRule& rule = {}) {
    begin_field(name);
    append_value(member, rule, name, depth_ + 1);
  }

  void finish() { out_ += depth_ == 0 ? "\n}\n" : "}"; }

 private:
  void begin_field(std::string_view name) {
    if (!first_) out_ += ',';
    if (depth_ == 0) out_ += "\n  ";
    first_ = false;
    append_text(out_, name);
    out_ += depth_ == 0 ? ": " : ":";
  }

  template <class T>
  void append_list(const std::vector<T>& list, const FieldRule& rule, std::string_view name,
                   int depth) {
    const bool lines = depth == 1 && !std::is_arithmetic_v<T> && !list.empty();
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += ',';
      if (lines) out_ += "\n    ";
      append_value(list[i], rule, name, depth + 1);
    }
    out_ += lines ? "\n  ]" : "]";
  }

  template <class T>
  void append_value(const T& value, const FieldRule& rule, std::string_view name, int depth) {
    if constexpr (kIsNullable<T>) {
      if (value) {
        append_value(*value, rule, name, depth);
      } else {
        out_ += "null";
      }
    } else if constexpr (kIsList<T>) {
      append_list(value, rule, name, depth);
    } else if constexpr (std::same_as<T, bool>) {
      out_ += value ? "true" : "false";
    } else if constexpr (std::same_as<T, Exit>) {
      out_ += std::to_string(static_cast<int>(value));
    } else if constexpr (std::is_enum_v<T>) {
      append_text(out_, to_string(value));
    } else if constexpr (std::convertible_to<T, std::string_view>) {
      append_text(out_, value);
    } else if constexpr (std::floating_point<T>) {
      append_number(out_, value, rule, name);
    } else if constexpr (std::integral<T>) {
      out_ += std::to_string(value);
    } else {
      ObjectWriter object(out_, depth);
      describe(object, value);
      object.finish();
    }
  }

  std::string& out_;
  int depth_;
  bool first_ = true;
};

// A whole file: header and the fields of `value`.
template <class T>
std::string write_file_object(const T& value, std::string_view format, int version) {
  std::string out;
  ObjectWriter writer(out, 0);
  writer("format", format, "");
  writer("version", version, "");
  describe(writer, value);
  writer.finish();
  return out;
}

}  // namespace perfgate::inline base::json_io
