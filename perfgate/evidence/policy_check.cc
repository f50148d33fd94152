// SPDX-License-Identifier: Apache-2.0
#include "perfgate/evidence/policy_check.h"

#include <regex>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/json/json_reader.h"
#include "perfgate/base/text/case_pattern.h"
#include "perfgate/base/text/format_number.h"
#include "perfgate/base/text/join.h"
#include "perfgate/evidence/files/policy_fields.h"
#include "perfgate/evidence/metrics/counted_metrics.h"

namespace perfgate::inline evidence {
namespace {

[[noreturn]] void refuse_policy(const std::string& field, const std::string& problem) {
  throw Error(Exit::kUsage, "policy: " + field + ": " + problem);
}

// Holds every number of the policy against the range that policy_fields.h gives it.
class RangeCheck {
 public:
  explicit RangeCheck(std::string prefix) : prefix_(std::move(prefix)) {}

  template <class T>
  void operator()(std::string_view name, const T& member, std::string_view,
                  const FieldRule& rule = {}) const {
    const std::string field = prefix_ + "/" + std::string(name);
    if constexpr (json_io::kIsOptional<T>) {
      if (member) (*this)(name, *member, "", rule);
    } else if constexpr (std::is_arithmetic_v<T> && !std::same_as<T, bool>) {
      const auto value = static_cast<double>(member);
      if (!within(rule, value)) {
        refuse_policy(
            field, format_number(value) + " is out of range; expected a number" + range_text(rule));
      }
    } else if constexpr (std::same_as<T, std::vector<CaseRule>>) {
      for (std::size_t i = 0; i < member.size(); ++i) {
        const RangeCheck nested(field + "/" + std::to_string(i));
        describe(nested, member[i]);
      }
    }
  }

 private:
  std::string prefix_;
};

void require_unique_names(const std::string& field, const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) refuse_policy(field, "a name is empty; expected a non-empty name");
    if (!seen.insert(name).second) {
      refuse_policy(field, "\"" + name + "\" is listed twice; list it once");
    }
  }
}

void check_filter(const std::string& filter) {
  try {
    const std::regex compiled(ExpandedPattern(filter));
  } catch (const std::regex_error& error) {
    refuse_policy("/filter", "\"" + filter + "\" is not a regular expression (ECMAScript): " +
                                 PatternProblem(filter, error.what()));
  }
}

void check_rule(const std::string& field, const CaseRule& rule) {
  if (rule.match.empty()) {
    refuse_policy(field + "/match", "is empty and matches no case; expected a glob such as \"*\"");
  }
  if (rule.metric && rule.metric->empty()) {
    refuse_policy(field + "/metric", "is empty; name a metric or leave the field out");
  }
}

void check_counts(const std::vector<std::string>& names) {
  require_unique_names("/counted", names);
  for (const std::string& name : names) {
    if (FindCountedMetric(name) != nullptr) continue;
    std::string known;
    for (const CountedMetric& metric : kCountedMetrics) AppendItem(known, metric.name);
    refuse_policy("/counted", "\"" + name + "\" cannot be counted; expected " + known);
  }
}

}  // namespace

void validate(const Policy& policy) {
  const RangeCheck ranges("");
  describe(ranges, policy);
  check_filter(policy.filter);
  for (std::size_t i = 0; i < policy.cases.size(); ++i) {
    check_rule("/cases/" + std::to_string(i), policy.cases[i]);
  }
  require_unique_names("/expected", policy.expected);
  check_counts(policy.count);
  std::vector<std::string> metrics;
  for (const Metric& metric : policy.metrics) metrics.push_back(metric.name);
  require_unique_names("/metrics", metrics);
}

}  // namespace perfgate::inline evidence
