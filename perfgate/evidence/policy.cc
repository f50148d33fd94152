// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/policy.h"

#include <algorithm>

#include "perfgate/base/text/utf8.h"
#include "perfgate/evidence/metrics/counted_metrics.h"
#include "perfgate/evidence/metrics/distribution.h"

namespace perfgate::inline evidence {
namespace {

std::size_t character_length(std::string_view text, std::size_t at) {
  const std::size_t length = utf8_length(text, at);
  return length == 0 ? 1 : length;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  // After a mismatch the last star takes one more character. Earlier stars need no second try:
  // whatever they could give up, the last one can take.
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t += character_length(text, t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      star_text += character_length(text, star_text);
      t = star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

ColumnPolicy column_policy(const Policy& policy, std::string_view case_name, const Metric& metric) {
  const bool relative = is_relative(metric.kind);
  ColumnPolicy result{.tolerance = relative ? policy.tolerance : 0,
                      .gate = !IsGatedByRulesOnly(metric.name)};
  const bool is_counted = std::ranges::find(policy.count, metric.name) != policy.count.end();
  if (const CountedMetric* counted = is_counted ? FindCountedMetric(metric.name) : nullptr) {
    result = {.tolerance = counted->tolerance, .gate = counted->gate};
  }
  for (const CaseRule& rule : policy.cases) {
    if (rule.metric && *rule.metric != metric.name) continue;
    if (!glob_match(rule.match, case_name)) continue;
    if (rule.tolerance && (rule.metric || (relative && !is_counted))) {
      result.tolerance = *rule.tolerance;
    }
    if (rule.gate) result.gate = *rule.gate;
  }
  return result;
}

}  // namespace perfgate::inline evidence
