// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "perfgate/base/text/join.h"
#include "perfgate/report/published/published_parity_report.h"
#include "perfgate/report/text/csv.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

using published::ItemReview;
using published::PopulationReview;

constexpr std::array<std::string_view, 30> kHeader = {"id",
                                                      "class",
                                                      "label",
                                                      "metric",
                                                      "better",
                                                      "baseline",
                                                      "human",
                                                      "agent",
                                                      "baseline_human_pct",
                                                      "baseline_agent_pct",
                                                      "human_agent_pct",
                                                      "human_agent_from_pct",
                                                      "human_agent_to_pct",
                                                      "label_stable",
                                                      "human_effect",
                                                      "match_vacuous",
                                                      "disposition",
                                                      "why_no_label",
                                                      "adds_label",
                                                      "adds_comparison",
                                                      "seconds_from",
                                                      "seconds_to",
                                                      "seconds_rest_on",
                                                      "devices",
                                                      "devices_at_least",
                                                      "vendor",
                                                      "readiness",
                                                      "model",
                                                      "memory_gb_from",
                                                      "memory_gb_to"};

std::string flag_cell(const std::optional<bool>& value) {
  return !value ? "" : *value ? "true" : "false";
}

template <class Value>
std::string or_empty(const std::optional<Value>& value, int decimals) {
  return value ? fixed(static_cast<double>(*value), decimals) : "";
}

std::vector<std::string> item_line(const PopulationReview& review, std::size_t i) {
  const ItemReview& item = review.items[i];
  const published::ItemAnswer& answer = item.answer;
  const published::ItemRetry& retry = review.retries.items.at(i);
  const published::DeviceNeed& need = item.need;
  const auto& between = answer.pairs[static_cast<std::size_t>(published::Pair::kHumanAgent)];
  std::vector<std::string> cells = {answer.id, std::string(word_of(answer.item_class)),
                                    std::string(word_of(answer.outcome)),
                                    answer.primary ? answer.primary->metric : "",
                                    item.better ? std::string(to_string(*item.better)) : ""};
  for (const auto& value : item.values) {
    cells.push_back(value ? fixed(value->value, value->decimals) : "");
  }
  for (const published::PairAnswer& pair : answer.pairs) {
    cells.push_back(or_empty(pair.delta_pct, 2));
  }
  for (const std::size_t end : {0U, 1U}) {
    cells.push_back(between.range_pct ? fixed((*between.range_pct)[end], 2) : "");
  }
  const std::vector<std::string> rest = {
      flag_cell(answer.outcome_stable),
      std::string(word_of(answer.human_effect)),
      flag_cell(answer.match_vacuous),
      std::string(word_of(item.disposition)),
      std::string(review.data_set.item_reasons.at(i)),
      retry.adds_evaluable ? "1" : "0",
      retry.adds_compared ? "1" : "0",
      fixed(retry.seconds.lo, 0),
      fixed(retry.seconds.hi, 0),
      std::string(word_of(retry.basis)),
      or_empty(need.devices, 0),
      need.devices ? flag_cell(need.at_least) : "",
      need.vendor.value_or(""),
      item.readiness ? std::string(word_of(*item.readiness)) : "",
      item.model.value_or(""),
      need.estimate ? fixed(need.estimate->memory.total_gb.lo, 1) : "",
      need.estimate ? fixed(need.estimate->memory.total_gb.hi, 1) : ""};
  cells.insert(cells.end(), rest.begin(), rest.end());
  return cells;
}

}  // namespace

std::string PublishedCsv(const PopulationReview& review) {
  std::string text = CsvLine({kHeader.begin(), kHeader.end()});
  for (std::size_t i = 0; i < review.items.size(); ++i) text += CsvLine(item_line(review, i));
  for (const published::SkippedItem& item : review.skipped) {
    std::vector<std::string> cells(kHeader.size());
    cells[0] = item.id;
    cells[1] = "skipped";
    cells[17] = item.reason;
    text += CsvLine(cells);
  }
  return text;
}

}  // namespace perfgate::report
