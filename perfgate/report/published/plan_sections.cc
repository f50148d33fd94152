// SPDX-License-Identifier: Apache-2.0
// plan_sections.cc: what could be done next: retries, the verdict on the data set, devices.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/published/sections.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

using published::ItemReview;
using published::PopulationReview;
using published::RetryLine;

std::string count_cell(std::size_t count) { return std::to_string(count); }

std::vector<std::string> retry_row(std::string_view word, const RetryLine& line) {
  return {std::string(word),
          count_cell(line.items),
          count_cell(line.adds_evaluable),
          count_cell(line.adds_compared),
          SecondsText(line.seconds.lo),
          SecondsText(line.seconds.hi)};
}

Section retry_section(const PopulationReview& review) {
  const published::RetryPlan& plan = review.retries;
  Section section{.title = "Retries", .sentences = {}, .grid = {}};
  section.sentences.push_back(
      "What to do with each item, how many items it could add at most, and the seconds of its "
      "runs. "
      "Seconds are ranges of what was recorded or assumed, no intervals. A retry takes at least "
      "the "
      "runs that human and agent lack and at most all three arms. A failed agent has a label "
      "already, so a retry can only turn it into a comparison.");
  section.sentences.push_back("Items by what their seconds rest on: " +
                              sum_text(plan.bases, published::kCostBasisWords) + ".");
  section.sentences.push_back(fmt::format("Assumed seconds of a run: {} to {}.",
                                          SecondsText(plan.assumed_s.lo),
                                          SecondsText(plan.assumed_s.hi)));
  if (plan.recorded_s) {
    section.sentences.push_back(fmt::format("Recorded seconds of a run in this file: {} to {}.",
                                            SecondsText(plan.recorded_s->lo),
                                            SecondsText(plan.recorded_s->hi)));
  }
  Grid& grid = section.grid;
  const std::vector<std::string> names = {"items", "adds labels", "adds comparisons",
                                          "seconds from", "seconds to"};
  grid.columns = {{"disposition", Align::kLeft}};
  for (const std::string& name : names) grid.columns.push_back({name});
  // Rounded seconds are added up, so that the printed sum is that of the printed numbers.
  RetryLine total = plan.total;
  total.seconds = {};
  for (std::size_t d = 0; d < plan.lines.size(); ++d) {
    grid.rows.push_back(retry_row(published::kDispositionWords[d], plan.lines[d]));
    total.seconds.lo += std::round(plan.lines[d].seconds.lo);
    total.seconds.hi += std::round(plan.lines[d].seconds.hi);
  }
  grid.rows.push_back(retry_row("Total", total));
  grid.derived = {SumOfRows(names)};
  return section;
}

Section effect_section(const PopulationReview& review) {
  const published::RetryPlan& plan = review.retries;
  Section section{.title = "Effect of the retries on n",
                  .sentences = {"With a label: a win, a match, a loss or a failed agent. Compared: "
                                "a win, a match or a loss."},
                  .grid = {}};
  section.grid.columns = {{"when", Align::kLeft}, {"with a label"}, {"compared"}};
  section.grid.rows = {{"now", count_cell(plan.evaluable_now), count_cell(plan.compared_now)},
                       {"by a retry, at most", count_cell(plan.total.adds_evaluable),
                        count_cell(plan.total.adds_compared)},
                       {"never", count_cell(plan.never_evaluable), count_cell(plan.never_compared)},
                       {"Total", count_cell(plan.items.size()), count_cell(plan.items.size())}};
  section.grid.derived = {SumOfRows({"with a label", "compared"})};
  return section;
}

Section data_set_section(const PopulationReview& review) {
  const published::DataSetVerdict& data = review.data_set;
  Section section{.title = "Verdict on the data set",
                  .sentences = {"Verified items have a label. Every other item has one reason."},
                  .grid = {}};
  Grid& grid = section.grid;
  const std::vector<std::string> names = {"verified", "can be yet", "cannot be", "items"};
  grid.columns = {{"reason", Align::kLeft}};
  for (const std::string& name : names) grid.columns.push_back({name});
  grid.rows.push_back(
      {"has a label", count_cell(data.verified), "0", "0", count_cell(data.verified)});
  for (std::size_t r = 0; r < data.reasons.size(); ++r) {
    const published::ReasonCount& reason = data.reasons[r];
    if (reason.can_yet + reason.cannot == 0) continue;
    grid.rows.push_back({std::string(published::kReasonWords[r]), "0", count_cell(reason.can_yet),
                         count_cell(reason.cannot), count_cell(reason.can_yet + reason.cannot)});
  }
  grid.rows.push_back({"Total", count_cell(data.verified), count_cell(data.can_yet),
                       count_cell(data.cannot), count_cell(data.n)});
  grid.derived = {SumOfColumns("items", {"verified", "can be yet", "cannot be"}), SumOfRows(names)};
  return section;
}

Section slowdowns_section(const PopulationReview& review) {
  Section section{
      .title = "Suspicious slowdowns by the human (" + count_cell(review.slowdowns.size()) + ")",
      .sentences = {"The human's version is slower than the baseline by more than 5 %. Causes are "
                    "candidates from the facts of the item, not proofs."},
      .grid = {}};
  if (review.slowdowns.empty()) return section;
  section.grid.columns = {{"slower item", Align::kLeft},
                          {"metric", Align::kLeft},
                          {"human against baseline"},
                          {"likely causes", Align::kLeft}};
  for (const published::HumanSlowdown& slow : review.slowdowns) {
    section.grid.rows.push_back(
        {slow.id, slow.metric, fixed(slow.delta_pct, 2) + " %", Join(slow.causes, "; ")});
  }
  return section;
}

Section skipped_section(const PopulationReview& review) {
  Section section{.title = "Skipped items (" + count_cell(review.skipped.size()) + ")",
                  .sentences = {"Left out by a skip list. They count as excluded in every view."},
                  .grid = {}};
  section.grid.columns = {{"skipped item", Align::kLeft}, {"reason", Align::kLeft}};
  for (const published::SkippedItem& item : review.skipped) {
    section.grid.rows.push_back({item.id, item.reason});
  }
  return section;
}

enum class RangeEnd { kLow, kHigh };

double end_of(const published::SizeRange& range, RangeEnd end) {
  return end == RangeEnd::kLow ? range.lo : range.hi;
}

// Estimates by the name without the organisation in front, which says nothing of the size.
std::map<std::string, published::DeviceEstimate> estimates_by_name(const PopulationReview& review) {
  std::map<std::string, published::DeviceEstimate> models;
  for (const ItemReview& item : review.items) {
    if (!item.need.estimate) continue;
    const std::string& name = item.need.estimate->from;
    models.try_emplace(name.substr(name.rfind('/') + 1), *item.need.estimate);
  }
  return models;
}

std::string estimated_items(const PopulationReview& review) {
  const std::array<std::string_view, 2> words = {"with a size in a name", "without"};
  std::array<std::size_t, 2> counts = {};
  for (const ItemReview& item : review.items) ++counts[item.need.estimate ? 0 : 1];
  return "Items by their model: " + sum_text(counts, words) + ".";
}

Section memory_section(const PopulationReview& review, RangeEnd end) {
  const bool low = end == RangeEnd::kLow;
  Section section{
      .title = low ? "GPU need, low end" : "GPU need, high end", .sentences = {}, .grid = {}};
  if (low) {
    section.sentences.push_back(
        "Estimated from nothing but the name of the model: weights, KV cache and overhead, in GB "
        "of "
        "10^9 bytes, parameters in 10^9. The last column is the memory over that of one device, "
        "not "
        "rounded up. docs/parity.md has the formula.");
  }
  if (low) section.sentences.push_back(estimated_items(review));
  const auto models = estimates_by_name(review);
  if (models.empty()) return section;
  Grid& grid = section.grid;
  grid.columns = {{low ? "model, low end" : "model, high end", Align::kLeft}};
  for (const char* label : {"parameters", "per weight", "weights", "per parameter", "KV cache",
                            "overhead", "memory", "device", "in devices"}) {
    grid.columns.push_back({label});
  }
  for (const auto& [name, estimate] : models) {
    const published::MemoryEstimate& memory = estimate.memory;
    const auto number = [&](const published::SizeRange& range, int decimals) {
      return fixed(end_of(range, end), decimals);
    };
    const double total = end_of(memory.total_gb, end);
    grid.rows.push_back({name, number(estimate.size.parameters, 3),
                         number(estimate.size.bytes_per_weight, 2), number(memory.weights_gb, 2),
                         number(published::kKvBytesPerParameter, 1), number(memory.kv_cache_gb, 2),
                         number(memory.overhead_gb, 1), fixed(total, 1),
                         fixed(estimate.device_gb, 1), fixed(total / estimate.device_gb, 2)});
  }
  grid.derived = {R"(op=product, out=weights, args=["parameters", "per weight"])",
                  R"(op=product, out="KV cache", args=["parameters", "per parameter"])",
                  R"(op=sum, out=memory, args=["weights", "KV cache", "overhead"])",
                  R"(op=ratio, out="in devices", args=["memory", "device"])"};
  return section;
}

Section conflicts_section(const PopulationReview& review) {
  Section section{.title = "Statements of need that disagree", .sentences = {}, .grid = {}};
  section.grid.columns = {{"asked for", Align::kLeft}, {"disagreement", Align::kLeft}};
  for (const ItemReview& item : review.items) {
    for (const std::string& conflict : item.need.conflicts) {
      section.grid.rows.push_back({item.answer.id, conflict});
    }
  }
  if (section.grid.rows.empty()) section.sentences.emplace_back("No two statements disagree.");
  return section;
}

Section preflight_section(const PopulationReview& review) {
  std::string machine = counted(review.devices->count, "device");
  if (review.devices->vram_gib) machine += " of " + fixed(*review.devices->vram_gib, 0) + " GiB";
  if (review.devices->vendor) machine += ", " + *review.devices->vendor;
  Section section{.title = "Preflight",
                  .sentences = {"What this machine can verify: " + machine + "."},
                  .grid = {}};
  section.grid.columns = {{"readiness", Align::kLeft}, {"items"}, {"which", Align::kLeft}};
  for (std::size_t r = 0; r < review.readiness.size(); ++r) {
    std::string ids;
    for (const ItemReview& item : review.items) {
      if (static_cast<std::size_t>(*item.readiness) == r) AppendItem(ids, item.answer.id, " ");
    }
    section.grid.rows.push_back({std::string(published::kReadinessWords[r]),
                                 count_cell(review.readiness[r]), ids.empty() ? "-" : ids});
  }
  section.grid.rows.push_back({"Total", count_cell(review.items.size()), "-"});
  section.grid.derived = {SumOfRows({"items"})};
  return section;
}

}  // namespace

std::string SecondsText(double seconds) { return fixed(seconds, 0); }

std::vector<Section> PlanSections(const PopulationReview& review) {
  std::vector<Section> sections = {retry_section(review), effect_section(review),
                                   data_set_section(review), slowdowns_section(review),
                                   skipped_section(review)};
  sections.push_back(memory_section(review, RangeEnd::kLow));
  sections.push_back(memory_section(review, RangeEnd::kHigh));
  sections.push_back(conflicts_section(review));
  if (review.devices) sections.push_back(preflight_section(review));
  return sections;
}

}  // namespace perfgate::report
