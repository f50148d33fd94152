// SPDX-License-Identifier: Apache-2.0
// field_rule.h: what a field of an evidence file may hold beyond its type.
//
// The describe() functions of *_fields.h list every field of every struct once, as
// v(name, member, meaning, rule). Reader, writer, JSON schema and docs/formats.md all follow from
// that list, so none of them can know a field that the others do not.
#pragma once

#include <concepts>
#include <limits>
#include <string>
#include <type_traits>

namespace perfgate::inline base {

// The rule of a list holds for each of its elements.
struct FieldRule {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above = false;     // min itself is out
  bool absent = false;    // null in the file is NaN in memory
  bool fraction = false;  // policy files may write "2%", and no number above 1
  // Name of the field beside it that says of which metric. For another metric than the time a
  // number may be in the metric's unit, so any is read.
  const char* of_metric = nullptr;
  int hex = 0;         // text of exactly so many lower-case hexadecimal digits
  bool added = false;  // came later: files without it are read, and it keeps its default
};

constexpr FieldRule between(double min, double max) { return {.min = min, .max = max}; }
constexpr FieldRule at_least(double min) { return {.min = min}; }
constexpr FieldRule above(double min, double max = std::numeric_limits<double>::infinity()) {
  return {.min = min, .max = max, .above = true};
}
constexpr FieldRule fraction(FieldRule rule) {
  rule.fraction = true;
  return rule;
}
constexpr FieldRule fraction_or_unit(FieldRule rule, const char* of_metric) {
  rule = fraction(rule);
  rule.of_metric = of_metric;
  return rule;
}
constexpr FieldRule added(FieldRule rule = {}) {
  rule.added = true;
  return rule;
}
constexpr FieldRule kAbsent = {.absent = true};
constexpr FieldRule hex_digits(int count) { return {.hex = count}; }

// NaN, as every comparison with it is false, is within no rule.
constexpr bool within(const FieldRule& rule, double value) {
  return (rule.above ? value > rule.min : value >= rule.min) && value <= rule.max &&
         value - value == 0;
}

// " above 0", " from 0 to 1", " of at least 0", or nothing.
std::string range_text(const FieldRule& rule);

template <class T, class Struct>
concept IsStruct = std::same_as<std::remove_const_t<T>, Struct>;

}  // namespace perfgate::inline base
