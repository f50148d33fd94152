// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "perfgate/base/json/json_text.h"
#include "perfgate/base/text/join.h"
#include "perfgate/published/published_parity.h"

namespace perfgate::published {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLine = 140;

std::string one_line(const Json& value) {
  std::string text;
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      AppendItem(text, json_io::Quoted(key) + ": " + one_line(member));
    }
    return "{" + text + "}";
  }
  if (value.is_array()) {
    for (const Json& element : value) AppendItem(text, one_line(element));
    return "[" + text + "]";
  }
  return value.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// On one line where it fits, else one member or element per line, a blank deeper each level.
std::string broken(const Json& value, std::size_t indent) {
  std::string line = one_line(value);
  if (!value.is_structured() || indent + line.size() <= kLine) return line;
  const std::string margin = "\n" + std::string(indent + 1, ' ');
  std::string text;
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      text += (text.empty() ? "" : ",") + margin + json_io::Quoted(key) + ": " +
              broken(member, indent + 1);
    }
  } else {
    for (const Json& element : value) {
      text += (text.empty() ? "" : ",") + margin + broken(element, indent + 1);
    }
  }
  const bool object = value.is_object();
  return (object ? "{" : "[") + text + "\n" + std::string(indent, ' ') + (object ? "}" : "]");
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json pair_json(const PairAnswer& pair) {
  return {{"comparable", pair.comparable},
          {"reasons", pair.reasons},
          {"caveats", pair.caveats},
          {"delta_pct", or_null(pair.delta_pct)},
          {"range_pct", or_null(pair.range_pct)}};
}

Json primary_json(const std::optional<PrimaryMetric>& primary) {
  if (!primary) return nullptr;
  return {{"source", primary->source}, {"metric", primary->metric}, {"why", primary->why}};
}

Json item_json(const ItemAnswer& item) {
  Json result = {{"id", item.id},
                 {"class", word_of(item.item_class)},
                 {"primary", primary_json(item.primary)}};
  for (std::size_t p = 0; p < kPairs; ++p) {
    result["pairs"][std::string(kPairNames[p])] = pair_json(item.pairs[p]);
  }
  result["outcome"] = word_of(item.outcome);
  result["evaluable"] = item.evaluable();
  result["outcome_stable"] = or_null(item.outcome_stable);
  result["human_effect"] = word_of(item.human_effect);
  result["match_vacuous"] = or_null(item.match_vacuous);
  if (!item.by_metric.empty()) {
    for (const MetricAnswer& metric : item.by_metric) {
      result["by_metric"][metric.metric] = {{"delta_pct", metric.delta_pct},
                                            {"outcome", word_of(metric.outcome)}};
    }
    result["conflict"] = item.conflict();
  }
  for (const CrossSource& cross : item.cross_source) {
    result["cross_source"].push_back(
        {{"by", cross.by}, {"arm", name_of(cross.arm)}, {"finding", cross.finding}});
  }
  return result;
}

// Sorted by word; words that nobody has are left out.
template <class Get>
Json counts_json(const std::vector<ItemAnswer>& items, Get get) {
  std::map<std::string, std::size_t> counts;
  for (const ItemAnswer& item : items) ++counts[std::string(word_of(get(item)))];
  return counts.empty() ? Json::object() : Json(counts);
}

}  // namespace

std::vector<std::string> ItemAnswer::conflict() const {
  std::vector<std::string> metrics;
  for (const MetricAnswer& metric : by_metric) {
    if (metric.outcome != outcome) metrics.push_back(metric.metric);
  }
  return metrics;
}

std::string answers_to_json(const AnswerSet& answers) {
  Json commits = Json::array();
  for (const ItemAnswer& item : answers.items) commits.push_back(item_json(item));
  const Json document = {
      {"format", "perfgate-parity-expected/1"},
      {"split", or_null(answers.split)},
      {"n", answers.items.size()},
      {"threshold_pct", answers.threshold_pct},
      {"counts",
       {{"outcome", counts_json(answers.items, [](const ItemAnswer& i) { return i.outcome; })},
        {"class", counts_json(answers.items, [](const ItemAnswer& i) { return i.item_class; })}}},
      {"commits", std::move(commits)}};
  return broken(document, 0) + "\n";
}

}  // namespace perfgate::published
