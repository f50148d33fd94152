// SPDX-License-Identifier: Apache-2.0
#include "perfgate/measure/schedule/matched_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "perfgate/base/error.h"
#include "perfgate/base/text/case_pattern.h"

namespace perfgate::measure {
namespace {

std::regex compile_filter(const std::string& filter) {
  try {
    return std::regex(ExpandedPattern(filter), std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    throw Error(Exit::kUsage, "--filter '" + filter + "' is not a regular expression (" +
                                  PatternProblem(filter, error.what()) +
                                  "). Escape the characters . [ ] ( ) { } * + ? ^ $ | with a "
                                  "backslash to match them literally.");
  }
}

// The names of one arm, made unique.
std::vector<std::string> unique_names(const Listing& listing) {
  std::map<std::string, int> seen;
  std::vector<std::string> names;
  names.reserve(listing.cases.size());
  for (const CaseInfo& info : listing.cases) {
    const int count = ++seen[info.name];
    names.push_back(count == 1 ? info.name : info.name + "#" + std::to_string(count));
  }
  return names;
}

std::string meaning(const Metric& metric) {
  return (metric.unit.empty() ? "no unit" : metric.unit) + ", " +
         std::string(to_string(metric.kind)) + ", " + std::string(to_string(metric.direction)) +
         " is better";
}

// arm: whose code declares them; -1 for the policy.
void add_metrics(std::span<const Metric> metrics, int arm, MatchedCases& matched) {
  for (const Metric& metric : metrics) {
    const auto known = std::find_if(matched.metrics.begin(), matched.metrics.end(),
                                    [&](const Metric& m) { return m.name == metric.name; });
    if (known == matched.metrics.end()) {
      matched.metrics.push_back(metric);
    } else if (!(*known == metric)) {
      // The base of the comparison declares what a metric means.
      const bool alike = arm < 0 || (known->unit == metric.unit && known->kind == metric.kind);
      matched.warnings.push_back("metric '" + metric.name + "' is declared as (" + meaning(*known) +
                                 ") and again as (" + meaning(metric) + "): the first holds" +
                                 (alike ? "" : " and the values of the second are left out"));
      if (!alike) {
        matched.redeclared.emplace(static_cast<std::size_t>(known - matched.metrics.begin()), arm);
      }
    }
  }
}

// The first field in which two workloads differ, "prompt_tokens: 512 against 511"; none: equal.
std::optional<std::string> workload_difference(const std::vector<NamedValue>& one,
                                               const std::vector<NamedValue>& other) {
  const auto value_in = [](const std::vector<NamedValue>& fields, const std::string& name) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const NamedValue& field) { return field.name == name; });
    return found == fields.end() ? std::string("not stated") : found->value;
  };
  for (const std::vector<NamedValue>* fields : {&one, &other}) {
    for (const NamedValue& field : *fields) {
      const std::string first = value_in(one, field.name);
      const std::string second = value_in(other, field.name);
      if (first != second) {
        return fmt::format("{}: {} against {}", field.name, first, second);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

MatchedCases MatchCases(std::span<const Listing> listings, const Policy& policy,
                        const std::optional<std::vector<std::string>>& only) {
  MatchedCases matched;
  std::map<std::string, std::size_t> index;
  const std::regex filter = compile_filter(policy.filter);
  const auto is_wanted = [&](const std::string& name) {
    return (policy.filter.empty() || std::regex_search(name, filter)) &&
           (!only || std::find(only->begin(), only->end(), name) != only->end());
  };
  const auto add_case = [&](const CaseInfo& info) {
    const auto [position, added] = index.try_emplace(info.name, matched.cases.size());
    if (added) {
      matched.cases.push_back(info);
      matched.ids.emplace_back(listings.size());
    }
    return position->second;
  };

  for (std::size_t arm = 0; arm < listings.size(); ++arm) {
    const std::vector<std::string> names = unique_names(listings[arm]);
    for (std::size_t id = 0; id < names.size(); ++id) {
      if (!is_wanted(names[id])) continue;
      CaseInfo info = listings[arm].cases[id];
      info.name = names[id];
      const std::size_t c = add_case(info);
      matched.ids[c][arm] = id;
      // A promise that not every arm makes binds none, unless somebody minds.
      if (const std::string& promise = matched.cases[c].result;
          !promise.empty() && promise != info.result) {
        matched.dropped_promises.push_back(
            {c, static_cast<int>(arm), -1, FaultKind::kOtherWorkload,
             info.result.empty() ? "promises no result, and the first arm promises " + promise
                                 : "promises the result " + info.result +
                                       ", and the first arm promises " + promise});
      }
      if (matched.cases[c].result != info.result) matched.cases[c].result.clear();
      if (const auto difference = workload_difference(matched.cases[c].workload, info.workload)) {
        matched.other_workloads.push_back(
            {c, static_cast<int>(arm), -1, FaultKind::kOtherWorkload, *difference});
      }
    }
    add_metrics(listings[arm].metrics, static_cast<int>(arm), matched);
  }
  for (const std::string& name : policy.expected) {
    CaseInfo info;
    info.name = name;
    if (is_wanted(name)) add_case(info);
  }
  add_metrics(policy.metrics, -1, matched);
  if (matched.metrics.empty()) matched.metrics.emplace_back();

  for (std::size_t c = 0; c < matched.cases.size(); ++c) {
    for (std::size_t arm = 0; arm < listings.size(); ++arm) {
      if (!matched.ids[c][arm]) {
        matched.absences.push_back(
            {c, static_cast<int>(arm), -1, FaultKind::kAbsent, "the executable has no such case"});
      }
    }
  }
  return matched;
}

}  // namespace perfgate::measure
