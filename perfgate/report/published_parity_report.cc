// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/published_parity_report.h"

#include <string>
#include <vector>

#include "perfgate/base/text/join.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/report/parts/case_report.h"
#include "perfgate/report/published_parity_facts.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

using published::ItemReview;
using published::Pair;
using published::PairAnswer;
using published::PopulationReview;
using published::View;

constexpr std::string_view kHowToReadPublished =
    "difference of the second arm against the first, + is better, - where they do not compare. The "
    "5 % rule labels agent against human from one number each; it is a convention, not evidence. "
    "claim: what perfgate says, which needs samples.";

std::string delta_text(const PairAnswer& pair) {
  if (!pair.delta_pct) return "-";
  const std::string number = fixed(*pair.delta_pct, 2);
  return (number[0] == '-' ? "" : "+") + number + " %";
}

// Why pairs do not compare, then what to know of those that do.
std::string item_note(const published::ItemAnswer& answer) {
  std::vector<std::string> reasons;
  std::vector<std::string> caveats;
  for (const PairAnswer& pair : answer.pairs) {
    if (!pair.comparable) add_unique(reasons, pair.reasons);
    for (const std::string& caveat : pair.caveats) {
      // Of the label's own pair it is said below.
      if (caveat != "rounding_crosses_threshold") add_unique(caveats, {caveat});
    }
  }
  std::vector<std::string> parts;
  if (!reasons.empty()) parts.push_back(Join(reasons));
  if (!caveats.empty()) parts.push_back("caveat " + Join(caveats));
  if (answer.match_vacuous.value_or(false)) {
    parts.emplace_back("vacuous, the human's change has no effect either");
  }
  if (answer.outcome_stable == false) parts.emplace_back("rounding alone can turn the label");
  for (const published::MetricAnswer& metric : answer.by_metric) {
    if (metric.outcome == answer.outcome) continue;
    const std::string number = fixed(metric.delta_pct, 2);
    parts.push_back("conflict: " + metric.metric + " says " + std::string(word_of(metric.outcome)) +
                    " (" + (number[0] == '-' ? "" : "+") + number + " %)");
  }
  for (const published::CrossSource& cross : answer.cross_source) {
    parts.push_back("list " + cross.by + ", " + std::string(name_of(cross.arm)) + ": " +
                    cross.finding);
  }
  return Join(parts, "; ");
}

std::vector<std::string> item_cells(const ItemReview& item) {
  const auto& pairs = item.answer.pairs;
  return {item.answer.id,
          delta_text(pairs[0]),
          delta_text(pairs[1]),
          delta_text(pairs[2]),
          std::string(word_of(item.answer.outcome)),
          std::string(to_string(Claim::kInsufficient))};
}

std::string published_conclusion(const PopulationReview& review) {
  return review.exit_reason + ". Claim insufficient in " + std::to_string(review.items.size()) +
         " of " + std::to_string(review.items.size()) + " items. Exit " +
         std::to_string(static_cast<int>(review.exit)) + ".";
}

CaseReport published_table(const PopulationReview& review, const PublishedContext& context) {
  CaseReport report = {
      .header = {"item", "base->human", "base->agent", "human->agent", "5 % rule", "claim"},
      .align = {Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kLeft,
                Align::kLeft},
      .lines = {},
      .conclusion = published_conclusion(review),
      .how_to_read = kHowToReadPublished,
      .facts = published_facts(review),
      .details_summary = "counts, reasons, failures and needs"};
  for (const std::string& warning : context.warnings) report.facts.push_back({"Warning", warning});
  report.facts.push_back({"From", context.source});
  for (const ItemReview& item : review.items) {
    report.lines.push_back({.cells = item_cells(item), .note = item_note(item.answer)});
  }
  return report;
}

}  // namespace

std::string published_console_report(const PopulationReview& review,
                                     const PublishedContext& context,
                                     const ConsoleOptions& options) {
  return ConsoleText(published_table(review, context), options);
}

std::string published_markdown_report(const PopulationReview& review,
                                      const PublishedContext& context) {
  return MarkdownText(published_table(review, context));
}

}  // namespace perfgate::report
