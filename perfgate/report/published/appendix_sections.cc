// SPDX-License-Identifier: Apache-2.0
// appendix_sections.cc: every item, its published numbers and what follows from them.
#include <fmt/format.h>

#include <cmath>

#include "perfgate/report/published/published_parity_facts.h"
#include "perfgate/report/published/sections.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

using published::ItemReview;
using published::PopulationReview;

std::string value_text(const std::optional<published::PublishedValue>& value) {
  return value ? fixed(value->value, value->decimals) : "-";
}

std::string signed_percent(const published::PairAnswer& pair) {
  return pair.delta_pct ? fmt::format("{:+.2f}", *pair.delta_pct) : "-";
}

// Numbers of one direction, so that one formula gives all differences.
Section values_section(const PopulationReview& review, Direction better) {
  const bool higher = better == Direction::kHigher;
  Section section{
      .title = higher ? "Appendix: values of which more is better"
                      : "Appendix: values of which less is better",
      .sentences = {"Published values of the primary metric, and differences in per cent: + is "
                    "better, - where two arms do not compare."},
      .grid = {}};
  Grid& grid = section.grid;
  grid.columns = {{higher ? "item, more is better" : "item, less is better", Align::kLeft},
                  {"metric", Align::kLeft},
                  {"baseline"},
                  {"human"},
                  {"agent"},
                  {"agent to human, %"},
                  {"5 % rule", Align::kLeft},
                  {"human to baseline, %"},
                  {"agent to baseline, %"},
                  {"note", Align::kLeft}};
  for (const ItemReview& item : review.items) {
    if (!item.answer.primary || item.better != better) continue;
    const auto& pairs = item.answer.pairs;
    grid.rows.push_back({item.answer.id, item.answer.primary->metric, value_text(item.values[0]),
                         value_text(item.values[1]), value_text(item.values[2]),
                         signed_percent(pairs[2]), std::string(word_of(item.answer.outcome)),
                         signed_percent(pairs[0]), signed_percent(pairs[1]),
                         ItemNote(item.answer)});
  }
  const std::string op = higher ? "op=percent_change, out=\"" : "op=percent_saved, out=\"";
  grid.derived = {op + R"(human to baseline, %", args=["human", "baseline"])",
                  op + R"(agent to baseline, %", args=["agent", "baseline"])",
                  op + R"(agent to human, %", args=["agent", "human"])"};
  if (grid.rows.empty()) section.sentences = {"No item has such a primary metric."};
  return section;
}

Section unvalued_section(const PopulationReview& review) {
  Section section{.title = "Appendix: items without a primary metric", .sentences = {}, .grid = {}};
  section.grid.columns = {
      {"item without values", Align::kLeft}, {"class", Align::kLeft}, {"note", Align::kLeft}};
  for (const ItemReview& item : review.items) {
    if (item.answer.primary) continue;
    section.grid.rows.push_back(
        {item.answer.id, std::string(word_of(item.answer.item_class)), ItemNote(item.answer)});
  }
  if (section.grid.rows.empty()) section.sentences = {"Every item has one."};
  return section;
}

Section next_step_section(const PopulationReview& review) {
  Section section{
      .title = "Appendix: what to do with each item",
      .sentences =
          {"A label or a comparison that a retry could add counts 1; - where no run follows."},
      .grid = {}};
  Grid& grid = section.grid;
  const std::vector<std::string> names = {"adds label", "adds comparison", "seconds from",
                                          "seconds to"};
  grid.columns = {{"item to judge", Align::kLeft},
                  {"class", Align::kLeft},
                  {"disposition", Align::kLeft},
                  {"why no label", Align::kLeft},
                  {"seconds rest on", Align::kLeft}};
  for (const std::string& name : names) grid.columns.push_back({name});
  std::array<double, 4> sums = {};
  for (std::size_t i = 0; i < review.items.size(); ++i) {
    const ItemReview& item = review.items[i];
    const published::ItemRetry& retry = review.retries.items.at(i);
    const std::string_view reason = review.data_set.item_reasons.at(i);
    const std::array<double, 4> numbers = {
        retry.adds_evaluable ? 1.0 : 0.0, retry.adds_compared ? 1.0 : 0.0,
        std::round(retry.seconds.lo), std::round(retry.seconds.hi)};
    std::vector<std::string> row = {item.answer.id, std::string(word_of(item.answer.item_class)),
                                    std::string(word_of(item.disposition)),
                                    reason.empty() ? "-" : std::string(reason),
                                    std::string(word_of(retry.basis))};
    const bool runs = retry.basis != published::CostBasis::kNoRun;
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      row.push_back(runs ? SecondsText(numbers[c]) : "-");
      sums[c] += numbers[c];
    }
    grid.rows.push_back(std::move(row));
  }
  std::vector<std::string> total = {"Total", "-", "-", "-", "-"};
  for (const double sum : sums) total.push_back(SecondsText(sum));
  grid.rows.push_back(std::move(total));
  grid.derived = {SumOfRows(names)};
  if (review.items.empty()) grid = {};
  return section;
}

}  // namespace

std::vector<Section> AppendixSections(const PopulationReview& review) {
  return {values_section(review, Direction::kHigher), values_section(review, Direction::kLower),
          unvalued_section(review), next_step_section(review)};
}

}  // namespace perfgate::report
