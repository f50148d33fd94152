// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/studies/study_metrics.h"

#include <algorithm>
#include <cmath>

#include "perfgate/base/text/format_number.h"

namespace perfgate::published {
namespace {

// No machine takes so many milliseconds or makes so many tokens per second.
constexpr double kMostValue = 1e12;
constexpr int kMostDecimals = 15;

struct NamedMetric {
  std::string name;
  std::optional<std::string> unit;
  Direction better = Direction::kLower;
  bool rate = false;
  bool spread = false;  // a standard deviation says nothing of a version
};

std::string TimeName(const ResolvedMetric& found) {
  if (found.statistic.empty()) return found.metric.name;
  if (found.family == "latency" && found.statistic == "mean") return found.metric.name + "_avg";
  return found.metric.name + "_" + found.statistic;
}

// Serving benchmarks print these in milliseconds and often leave the unit out of the name.
bool InMilliseconds(const std::string& family) {
  return family == "ttft" || family == "tpot" || family == "itl" || family == "e2e";
}

std::optional<NamedMetric> NameOf(const MetricRegistry& registry, std::string_view name) {
  const auto found = registry.resolve(name);
  if (!found) return std::nullopt;
  NamedMetric named;
  named.better = found->metric.direction;
  named.rate = found->family == "throughput" && found->metric.kind == Kind::kRate;
  const bool time = InMilliseconds(found->family) || found->family == "latency";
  if (!named.rate && !time) return std::nullopt;
  named.spread = found->statistic == "stddev";
  if (!found->unit.empty()) named.unit = found->unit;
  if (time && !named.unit && InMilliseconds(found->family)) named.unit = "ms";
  if (time) {
    named.name = TimeName(*found);
    return named;
  }
  const bool own = name.find("throughput") != std::string_view::npos;
  named.name = own ? std::string(name) : found->metric.name;
  return named;
}

int DecimalsOf(double value) {
  const std::string text = format_number(value);
  const std::size_t e = text.find('e');
  const int exponent = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  const std::string digits = text.substr(0, e);
  const std::size_t point = digits.find('.');
  const bool whole = point == std::string::npos || digits.substr(point) == ".0";
  const int printed = whole ? 0 : static_cast<int>(digits.size() - point - 1);
  return std::clamp(printed - exponent, 0, kMostDecimals);
}

double ReadSize(const JsonCursor& cursor) {
  const double value = cursor.number();
  if (!(value >= 0)) cursor.invalid("is below 0, which no time or rate can be");
  if (value > kMostValue) cursor.invalid("is beyond what any machine can take or do");
  return value + 0.0;  // -0 is 0
}

std::string ReadUnit(const JsonCursor& cursor, bool rate) {
  const auto unit = canonical_unit(cursor.text());
  if (!unit) cursor.fail("unknown unit \"" + cursor.text() + "\"; expected e.g. ms, s, tok/s");
  const auto measures = [&](std::string_view other) {
    return unit_scale(*unit, other).has_value();
  };
  if (rate ? !measures("tok/s") && !measures("req/s") && !measures("1/s") : !measures("s")) {
    cursor.invalid("\"" + *unit + "\" is no unit of a " + (rate ? "rate" : "time"));
  }
  return *unit;
}

}  // namespace

bool IsStudyMetric(const MetricRegistry& registry, std::string_view name) {
  return NameOf(registry, name).has_value();
}

void AddStudyMetric(const MetricRegistry& registry, std::string_view name, const JsonCursor& value,
                    std::vector<StudyMetric>& metrics) {
  const auto named = NameOf(registry, name);
  if (!named || value.json().is_null()) return;
  StudyMetric metric{named->name, named->unit, named->better, 0, 0};
  if (value.json().is_object()) {
    metric.value = ReadSize(value.at("value"));
    if (const auto unit = value.find("unit")) metric.unit = ReadUnit(*unit, named->rate);
  } else {
    metric.value = ReadSize(value);
  }
  if (named->spread) return;
  metric.decimals = DecimalsOf(metric.value);
  const auto same = std::find_if(metrics.begin(), metrics.end(),
                                 [&](const StudyMetric& m) { return m.name == metric.name; });
  if (same == metrics.end()) {
    metrics.push_back(std::move(metric));
  } else if (same->value != metric.value || same->unit != metric.unit) {
    value.invalid("states " + metric.name + " a second time with another value");
  }
}

void AddStudyMetrics(const MetricRegistry& registry, const JsonCursor& object,
                     std::vector<StudyMetric>& metrics, std::set<std::string>& unknown) {
  object.require_object();
  for (const auto& [name, value] : object.json().items()) {
    if (IsStudyMetric(registry, name)) {
      AddStudyMetric(registry, name, object.at(name), metrics);
    } else {
      unknown.insert(name);
    }
  }
}

void CheckStatedChange(const MetricRegistry& registry, const JsonCursor& stated,
                       const std::vector<StudyMetric>& first,
                       const std::vector<StudyMetric>& second) {
  stated.require_object();
  const auto find = [](const std::vector<StudyMetric>& metrics, const std::string& name) {
    return std::find_if(metrics.begin(), metrics.end(),
                        [&](const StudyMetric& m) { return m.name == name; });
  };
  for (const auto& [name, value] : stated.json().items()) {
    const auto named = NameOf(registry, name);
    if (!named || value.is_null()) continue;
    const double percent = stated.at(name).number();
    const auto a = find(first, named->name);
    const auto b = find(second, named->name);
    if (a == first.end() || b == second.end() || a->value == 0 || a->unit != b->unit) continue;
    const double change = (b->value / a->value - 1) * (named->rate ? 100 : -100);
    if (std::fabs(change - percent) <= 0.1 + 0.01 * std::fabs(change)) continue;
    stated.at(name).invalid("states " + format_number(percent) + " %, but the values of the arms " +
                            "give " + format_number(std::round(change * 100) / 100) +
                            " %; were arms swapped? Restore the file from the run that wrote it");
  }
}

}  // namespace perfgate::published
