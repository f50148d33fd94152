// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/json/json_reader.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "perfgate/base/json/json_text.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/base/text/hex.h"
#include "perfgate/base/text/number_text.h"

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

ObjectReader::ObjectReader(const JsonCursor& object, Author author)
    : object_(object), author_(author) {
  object.require_object();
}

std::optional<JsonCursor> ObjectReader::find(std::string_view name, const FieldRule& rule) {
  known_.push_back(name);
  const bool needed = author_ == Author::kProgram && !rule.added;
  if (!needed && !object_.has(name)) return std::nullopt;
  return object_.at(name);
}

FieldRule ObjectReader::applied(FieldRule rule) const {
  if (rule.of_metric == nullptr || !object_.has(rule.of_metric)) return rule;
  const json& metric = object_.at(rule.of_metric).json();
  if (metric.is_string() && metric != "real_time") rule.fraction = false;
  return rule;
}

JsonCursor ObjectReader::require(std::string_view name, std::string_view hint) {
  known_.push_back(name);
  return object_.at(name, hint);
}

void ObjectReader::finish() const {
  for (const auto& [key, value] : object_.json().items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const auto nearest = std::min_element(known_.begin(), known_.end(),
                                          [&key = key](std::string_view a, std::string_view b) {
                                            return edit_distance(a, key) < edit_distance(b, key);
                                          });
    object_.at(key).fail("unknown field; did you mean \"" + std::string(*nearest) + "\"?");
  }
}

double read_double(const JsonCursor& value, const FieldRule& rule, Author author) {
  const json& found = value.json();
  if (found.is_null() && rule.absent) return std::numeric_limits<double>::quiet_NaN();
  const bool by_hand = author == Author::kPerson;
  const bool may_be_text = by_hand && (rule.fraction || rule.of_metric != nullptr);
  double number = std::numeric_limits<double>::quiet_NaN();  // within no rule
  if (found.is_number()) {
    number = found.get<double>();
    const auto problem = BareNumberProblem(number);
    if (by_hand && rule.fraction && problem) value.fail(*problem);
  } else if (found.is_string() && may_be_text) {
    const auto in_unit = rule.fraction ? std::nullopt : leading_number(value.text());
    number = in_unit && in_unit->second.empty()
                 ? in_unit->first
                 : parse_fraction(value.text(), value.place(), Exit::kData);
  }
  if (!within(rule, number)) {
    value.refuse("a number" + range_text(rule) + (may_be_text ? " (or text such as \"2%\")" : "") +
                 (rule.absent ? " or null" : ""));
  }
  return number;
}

std::int64_t read_integer(const JsonCursor& value, const FieldRule& rule, std::int64_t min,
                          std::int64_t max) {
  const json& found = value.json();
  // 18446744073709551615 would become -1, which some fields hold.
  const bool fits =
      found.is_number_integer() && (!found.is_number_unsigned() ||
                                    found.get<std::uint64_t>() <= static_cast<std::uint64_t>(max));
  const std::int64_t number = fits ? found.get<std::int64_t>() : 0;
  if (!fits || number < min || number > max || !within(rule, static_cast<double>(number))) {
    value.refuse("an integer" + range_text(rule));
  }
  return number;
}

std::uint64_t read_unsigned(const JsonCursor& value) {
  if (!value.json().is_number_unsigned()) value.refuse("an integer of at least 0");
  return value.json().get<std::uint64_t>();
}

std::string read_text(const JsonCursor& value, const FieldRule& rule) {
  if (rule.hex > 0 && !IsHex(value.text(), static_cast<std::size_t>(rule.hex))) {
    value.refuse(std::to_string(rule.hex) + " lower-case hexadecimal digits");
  }
  return value.text();
}

Exit read_exit(const JsonCursor& value) {
  for (const Exit exit : kExitCodes) {
    if (value.json().is_number_integer() && value.json() == static_cast<int>(exit)) return exit;
  }
  value.refuse("an exit code of perfgate (0, 10 to 15, 64, 65, 70, 77)");
}

void read_header(ObjectReader& reader, std::string_view format, int version) {
  const std::string number = std::to_string(version);
  const std::string hint =
      R"(expected "format":")" + std::string(format) + R"(","version":)" + number;
  const JsonCursor found_format = reader.require("format", hint);
  if (found_format.json() != format) found_format.refuse("\"" + std::string(format) + "\"");
  const JsonCursor found_version = reader.require("version", hint);
  if (!found_version.json().is_number_integer()) found_version.refuse("the integer " + number);
  if (found_version.json() != version) {
    found_version.fail("version " + shown(found_version.json()) + " of " + std::string(format) +
                       " cannot be read; this perfgate reads version " + number +
                       "; use the perfgate that wrote the file, or record it again");
  }
  // Checked by whoever has the key; not part of what the file says.
  if (const auto signature = reader.find("signature", added())) signature->text();
}

}  // namespace json_io
}  // namespace perfgate::inline base
