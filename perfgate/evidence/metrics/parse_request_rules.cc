// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/metrics/parse_request_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "perfgate/base/text/duration.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/fraction.h"
#include "perfgate/base/text/join.h"

namespace perfgate::inline evidence {
namespace {

// What a single request has one of.
constexpr std::array<std::string_view, 3> kLimited = {"e2e_latency", "tpot", "ttft"};

RequestLimit ParseLimit(const std::string& text, const std::string& where,
                        const MetricRegistry& registry, Exit exit) {
  const std::size_t sign = text.find('=');
  const std::string name = text.substr(0, sign);
  const auto metric = registry.resolve(name);
  const bool plain = metric && metric->statistic.empty() && metric->unit.empty();
  if (sign == std::string::npos || !plain ||
      std::find(kLimited.begin(), kLimited.end(), metric->metric.name) == kLimited.end()) {
    throw Error(exit, fmt::format("{}: the limit \"{}\" is not METRIC=TIME; METRIC is one of "
                                  "{}, as in ttft=200ms",
                                  where, text, Join(kLimited)));
  }
  const double most_s = parse_duration_s(text.substr(sign + 1), where + " " + name, exit);
  if (!(most_s > 0)) {
    throw Error(exit, where + ": no request is within \"" + text + "\"; write a time above 0");
  }
  return {metric->metric.name, most_s};
}

}  // namespace

RequestRules ParseRequestRules(const std::vector<std::string>& limits,
                               std::string_view allowed_failures, const std::string& where,
                               const MetricRegistry& registry, Exit exit) {
  RequestRules rules;
  for (const std::string& text : limits) {
    const RequestLimit limit = ParseLimit(text, where, registry, exit);
    for (const RequestLimit& known : rules.limits) {
      if (known.metric != limit.metric) continue;
      throw Error(exit, where + ": two limits of " + limit.metric + "; keep one");
    }
    rules.limits.push_back(limit);
  }
  std::sort(rules.limits.begin(), rules.limits.end(),
            [](const auto& a, const auto& b) { return a.metric < b.metric; });
  if (allowed_failures.empty()) return rules;
  rules.allowed_failures = parse_fraction(allowed_failures, where + " allowed failures", exit);
  if (!(rules.allowed_failures >= 0 && rules.allowed_failures < 1)) {
    throw Error(exit, where +
                          ": the share of requests that may fail is at least 0 and below "
                          "100%, not " +
                          std::string(allowed_failures));
  }
  return rules;
}

std::string LimitsText(const RequestRules& rules) {
  std::string text;
  for (const RequestLimit& limit : rules.limits) {
    text += (text.empty() ? "" : ", ") + limit.metric + " " + format_number(limit.most_s) + " s";
  }
  return text;
}

}  // namespace perfgate::inline evidence
