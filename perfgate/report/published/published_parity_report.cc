// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/published/published_parity_report.h"

#include <string>
#include <vector>

#include "perfgate/base/text/join.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/report/parts/case_report.h"
#include "perfgate/report/published/published_parity_facts.h"
#include "perfgate/report/published/sections.h"
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
      .details_summary = ""};
  for (const std::string& warning : context.warnings) report.facts.push_back({"Warning", warning});
  report.facts.push_back({"From", context.source});
  for (const ItemReview& item : review.items) {
    report.lines.push_back({.cells = item_cells(item), .note = ItemNote(item.answer)});
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
  return MarkdownSections("Parity of published values", PublishedSections(review, context));
}

std::string PublishedLatexReport(const PopulationReview& review, const PublishedContext& context) {
  return LatexSections("Parity of published values", PublishedSections(review, context));
}

}  // namespace perfgate::report
