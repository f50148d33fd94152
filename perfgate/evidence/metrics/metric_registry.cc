// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/metrics/metric_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "perfgate/base/error.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/base/text/join.h"

namespace perfgate::inline evidence {
namespace {

// A name taken apart.
struct Parts {
  std::string stem;
  std::string statistic;
  std::string unit;
};

constexpr std::array<std::string_view, 8> kBaseUnits = {"s",     "B",  "B/s", "tok/s",
                                                        "req/s", "Hz", "1",   "1/s"};

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Lower case; runs of spaces, hyphens, slashes, colons and underscores become one underscore.
std::string normalised(std::string_view text) {
  std::string result;
  bool gap = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '-' || c == '/' || c == '_' || c == ':') {
      gap = !result.empty();
      continue;
    }
    if (gap) result += '_';
    gap = false;
    result += lower(c);
  }
  return result;
}

// Units at the end of a name. Longer ones first, as "_tok_s" ends in "_s".
constexpr std::pair<std::string_view, std::string_view> kUnitEndings[] = {
    {"_seconds", "s"}, {"_tok_s", "tok/s"}, {"_req_s", "req/s"}, {"_bytes", "B"},
    {"_tps", "tok/s"}, {"_rps", "req/s"},   {"_sec", "s"},       {"_ms", "ms"},
    {"_us", "us"},     {"_ns", "ns"},       {"_s", "s"}};

// "output_tokens_per_s" is a name, not "output_tokens_per" in seconds.
bool take_unit(Parts* parts) {
  for (const auto& [ending, unit] : kUnitEndings) {
    if (parts->stem.size() <= ending.size() || !parts->stem.ends_with(ending)) continue;
    const std::string stem = parts->stem.substr(0, parts->stem.size() - ending.size());
    if (stem.ends_with("_per")) return false;
    parts->stem = stem;
    parts->unit = unit;
    return true;
  }
  return false;
}

void take_statistic(Parts* parts) {
  const std::string& name = parts->stem;
  if (const auto first = name.find('_'); first != std::string::npos) {
    if (const auto word = canonical_statistic(name.substr(0, first))) {
      parts->statistic = *word;
      parts->stem = name.substr(first + 1);
      return;
    }
  }
  if (const auto last = name.rfind('_'); last != std::string::npos) {
    if (const auto word = canonical_statistic(name.substr(last + 1))) {
      parts->statistic = *word;
      parts->stem = name.substr(0, last);
    }
  }
}

Parts take_apart(std::string_view name) {
  Parts parts;
  // "Mean TTFT (ms)"
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  if (name.ends_with(')')) {
    if (const auto open = name.rfind('('); open != std::string_view::npos && open > 0) {
      if (const auto unit = canonical_unit(name.substr(open + 1, name.size() - open - 2))) {
        parts.unit = *unit;
        name = name.substr(0, open);
      }
    }
  }
  parts.stem = normalised(name);
  if (parts.unit.empty()) take_unit(&parts);
  take_statistic(&parts);
  return parts;
}

std::string meaning(const MetricEntry& entry) {
  return entry.name + " [" + entry.unit + ", " + std::string(to_string(entry.direction)) +
         " is better, " + std::string(to_string(entry.kind)) + ", family " + entry.family + "]";
}

bool same_meaning(const MetricEntry& a, const MetricEntry& b) {
  return a.unit == b.unit && a.direction == b.direction && a.kind == b.kind &&
         a.family == b.family && a.needs_two_tokens == b.needs_two_tokens;
}

// Refuses what resolve() could read in a second way.
std::string checked_stem(const std::string& alias, const std::string& where) {
  const Parts parts = take_apart(alias);
  if (parts.stem.empty()) {
    throw Error(Exit::kData, where + ": the name \"" + alias + "\" is empty");
  }
  if (!parts.statistic.empty() || !parts.unit.empty() || canonical_statistic(parts.stem)) {
    throw Error(Exit::kData, where + ": the name \"" + alias + "\" carries " +
                                 (parts.unit.empty() ? "the statistic " : "the unit ") +
                                 (parts.unit.empty() ? parts.statistic : parts.unit) +
                                 "; write the stem, \"" + parts.stem +
                                 "\": statistics and units are recognised around it");
  }
  return parts.stem;
}

}  // namespace

std::optional<std::string> canonical_statistic(std::string_view word) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"mean", "mean"},  {"avg", "mean"},   {"average", "mean"},  {"median", "median"},
      {"p50", "median"}, {"std", "stddev"}, {"stddev", "stddev"}, {"stdev", "stddev"},
      {"min", "min"},    {"max", "max"}};
  for (const auto& [spelling, canonical] : kWords) {
    if (word == spelling) return std::string(canonical);
  }
  // p1 to p99, with a decimal fraction
  if (word.size() < 2 || word[0] != 'p') return std::nullopt;
  const std::string_view digits = word.substr(1);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool whole =
      point >= 1 && point <= 2 && digits[0] != '0' &&
      std::all_of(digits.begin(), digits.begin() + static_cast<long>(point), is_digit);
  const std::string_view rest = digits.substr(point);
  const bool fraction = rest.empty() || (rest.size() > 1 && rest.size() < 6 &&
                                         std::all_of(rest.begin() + 1, rest.end(), is_digit));
  if (!whole || !fraction) return std::nullopt;
  return std::string(word);
}

MetricRegistry::MetricRegistry(const std::vector<MetricEntry>& entries) {
  for (const MetricEntry& entry : entries) add(entry, "metrics");
}

void MetricRegistry::add(const MetricEntry& entry, const std::string& where, bool declared) {
  if (std::find(kBaseUnits.begin(), kBaseUnits.end(), entry.unit) == kBaseUnits.end()) {
    throw Error(Exit::kData, where + ": the unit \"" + entry.unit +
                                 "\" is not a canonical one; expected one of " + Join(kBaseUnits));
  }
  const auto known = entries_.find(entry.name);
  if (known != entries_.end() && !same_meaning(known->second, entry)) {
    throw Error(Exit::kInvalid, where + ": " + meaning(entry) + " contradicts " +
                                    meaning(known->second) +
                                    "; give the other quantity a name of its own");
  }
  std::vector<std::string> names = {entry.name};
  names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
  std::vector<std::string> stems;
  for (const std::string& name : names) {
    stems.push_back(checked_stem(name, where));
    const auto taken = stems_.find(stems.back());
    if (taken != stems_.end() && taken->second.name != entry.name) {
      throw Error(Exit::kInvalid,
                  fmt::format(R"({}: "{}" would mean {} and already means {}; one name has one )"
                              "meaning",
                              where, name, meaning(entry),
                              meaning(entries_.find(taken->second.name)->second)));
    }
  }
  for (const std::string& stem : stems) {
    const auto [place, added] = stems_.try_emplace(stem, Stem{entry.name, declared});
    place->second.declared = place->second.declared || declared;
  }
  if (known == entries_.end()) {
    entries_.emplace(entry.name, entry);
    return;
  }
  std::vector<std::string>& aliases = known->second.aliases;
  for (const std::string& alias : entry.aliases) {
    if (std::find(aliases.begin(), aliases.end(), alias) == aliases.end()) aliases.push_back(alias);
  }
}

std::optional<ResolvedMetric> MetricRegistry::resolve(std::string_view name) const {
  Parts parts = take_apart(name);
  const auto stem = stems_.find(parts.stem);
  if (stem == stems_.end()) return std::nullopt;
  const MetricEntry& entry = entries_.find(stem->second.name)->second;
  ResolvedMetric resolved;
  resolved.metric = Metric{entry.name, entry.unit, entry.direction, entry.kind};
  resolved.family = entry.family;
  resolved.declared = stem->second.declared;
  resolved.statistic = std::move(parts.statistic);
  resolved.needs_two_tokens = entry.needs_two_tokens;
  if (parts.unit.empty()) return resolved;
  const auto scale = unit_scale(parts.unit, entry.unit);
  if (!scale) return std::nullopt;
  resolved.unit = std::move(parts.unit);
  resolved.scale = *scale;
  return resolved;
}

std::vector<MetricEntry> MetricRegistry::entries() const {
  std::vector<MetricEntry> list;
  for (const auto& [name, entry] : entries_) list.push_back(entry);
  return list;
}

}  // namespace perfgate::inline evidence
