// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/json/json_reader.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "perfgate/base/json/json_text.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/fraction.h"

namespace perfgate::inline base {

std::string range_text(const FieldRule& rule) {
  const std::string min = format_number(rule.min);
  const std::string max = format_number(rule.max);
  if (std::isinf(rule.min) && std::isinf(rule.max)) return "";
  if (std::isinf(rule.max)) return (rule.above ? " above " : " of at least ") + min;
  return (rule.above ? " above " + min + " and up to " : " from " + min + " to ") + max;
}

namespace json_io {
namespace {

using nlohmann::json;

// Levenshtein (1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string json_pointer(const Path& path) {
  if (path.parent == nullptr) return "";
  const std::string step =
      path.key.data() == nullptr ? std::to_string(path.index) : pointer_step(path.key);
  return json_pointer(*path.parent) + "/" + step;
}

void refuse(const Source& source, const Path& path, const std::string& problem) {
  const std::string pointer = json_pointer(path);
  throw Error(Exit::kData,
              source.where + ": " + (pointer.empty() ? "the document" : pointer) + ": " + problem);
}

void refuse(const Source& source, const Path& path, const std::string& expected,
            const json& found) {
  refuse(source, path, "expected " + expected + ", found " + shown(found));
}

ObjectReader::ObjectReader(const Source& source, const Path& path, const json& object)
    : source_(source), path_(path), object_(object) {
  if (!object.is_object()) refuse(source, path, "an object", object);
}

const json* ObjectReader::find(std::string_view name, const FieldRule& rule) {
  known_.push_back(name);
  const auto found = object_.find(name);
  if (found != object_.end()) return &*found;
  if (!source_.written_by_hand && !rule.added) {
    refuse(source_, Path{&path_, name, 0},
           "this field is missing; the file was cut, edited or written by another program");
  }
  return nullptr;
}

void ObjectReader::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const auto nearest = std::min_element(known_.begin(), known_.end(),
                                          [&key = key](std::string_view a, std::string_view b) {
                                            return edit_distance(a, key) < edit_distance(b, key);
                                          });
    refuse(source_, Path{&path_, key, 0},
           "unknown field; did you mean \"" + std::string(*nearest) + "\"?");
  }
}

double read_double(const Source& source, const Path& path, const json& value,
                   const FieldRule& rule) {
  if (value.is_null() && rule.absent) return std::numeric_limits<double>::quiet_NaN();
  const bool may_be_text = rule.fraction && source.written_by_hand;
  double number = 0;
  if (value.is_number()) {
    number = value.get<double>();
  } else if (value.is_string() && may_be_text) {
    const std::string pointer = source.where + ": " + json_pointer(path);
    number = parse_fraction(value.get_ref<const std::string&>(), pointer, Exit::kData);
  }
  if (!(value.is_number() || (value.is_string() && may_be_text)) || !within(rule, number)) {
    refuse(source, path,
           "a number" + range_text(rule) + (may_be_text ? " (or text such as \"2%\")" : "") +
               (rule.absent ? " or null" : ""),
           value);
  }
  return number;
}

std::int64_t read_integer(const Source& source, const Path& path, const json& value,
                          const FieldRule& rule, std::int64_t min, std::int64_t max) {
  // 18446744073709551615 would become -1, which some fields hold.
  const bool fits =
      value.is_number_integer() && (!value.is_number_unsigned() ||
                                    value.get<std::uint64_t>() <= static_cast<std::uint64_t>(max));
  const std::int64_t number = fits ? value.get<std::int64_t>() : 0;
  if (!fits || number < min || number > max || !within(rule, static_cast<double>(number))) {
    refuse(source, path, "an integer" + range_text(rule), value);
  }
  return number;
}

std::uint64_t read_unsigned(const Source& source, const Path& path, const json& value) {
  if (!value.is_number_unsigned()) refuse(source, path, "an integer of at least 0", value);
  return value.get<std::uint64_t>();
}

std::string read_text(const Source& source, const Path& path, const json& value,
                      const FieldRule& rule) {
  if (!value.is_string()) refuse(source, path, "text", value);
  const auto& text = value.get_ref<const std::string&>();
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (rule.hex > 0 && (text.size() != static_cast<std::size_t>(rule.hex) ||
                       !std::all_of(text.begin(), text.end(), is_hex))) {
    refuse(source, path, std::to_string(rule.hex) + " lower-case hexadecimal digits", value);
  }
  return text;
}

bool read_bool(const Source& source, const Path& path, const json& value) {
  if (!value.is_boolean()) refuse(source, path, "true or false", value);
  return value.get<bool>();
}

Exit read_exit(const Source& source, const Path& path, const json& value) {
  for (const Exit exit : kExitCodes) {
    if (value.is_number_integer() && value == static_cast<int>(exit)) return exit;
  }
  refuse(source, path, "an exit code of perfgate (0, 10 to 15, 64, 65, 70, 77)", value);
}

void read_header(const Source& source, ObjectReader& reader, std::string_view format, int version) {
  const Path root;
  const auto header = [&](std::string_view name) -> const json& {
    const json* value = reader.find(name);
    if (value == nullptr) {
      refuse(source, Path{&root, name, 0},
             R"(this field is missing; expected "format":")" + std::string(format) +
                 R"(","version":)" + std::to_string(version));
    }
    return *value;
  };
  const json& found_format = header("format");
  if (found_format != format) {
    refuse(source, Path{&root, "format", 0}, "\"" + std::string(format) + "\"", found_format);
  }
  const json& found_version = header("version");
  if (!found_version.is_number_integer()) {
    refuse(source, Path{&root, "version", 0}, "the integer " + std::to_string(version),
           found_version);
  }
  if (found_version != version) {
    refuse(source, Path{&root, "version", 0},
           "version " + shown(found_version) + " of " + std::string(format) +
               " cannot be read; this perfgate reads version " + std::to_string(version) +
               "; use the perfgate that wrote the file, or record it again");
  }
}

}  // namespace json_io
}  // namespace perfgate::inline base
