// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/published_parity_report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "perfgate/base/text/join.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/report/parts/case_table.h"
#include "perfgate/report/parts/console_facts.h"
#include "perfgate/report/parts/context_lines.h"
#include "perfgate/report/parts/markdown.h"
#include "perfgate/report/parts/text.h"

namespace perfgate::report {
namespace {

using published::ItemReview;
using published::Pair;
using published::PairAnswer;
using published::PopulationReview;
using published::View;

const std::vector<std::string> kHeader = {"item",         "base->human", "base->agent",
                                          "human->agent", "5 % rule",    "claim"};
const std::vector<Align> kAlign = {Align::kLeft,  Align::kRight, Align::kRight,
                                   Align::kRight, Align::kLeft,  Align::kLeft};

constexpr std::string_view kHowToRead =
    "difference of the second arm against the first, + is better, - where they do not compare. The "
    "5 % rule labels agent against human from one number each; it is a convention, not evidence. "
    "claim: what perfgate says, which needs samples.";

std::string fixed(double value, int decimals) {
  std::array<char, 400> buffer = {};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, decimals);
  return {buffer.data(), end};
}

std::string delta_text(const PairAnswer& pair) {
  if (!pair.delta_pct) return "-";
  const std::string number = fixed(*pair.delta_pct, 2);
  return (number[0] == '-' ? "" : "+") + number + " %";
}

void add_unique(std::vector<std::string>& words, const std::vector<std::string>& more) {
  for (const std::string& word : more) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
}

// Why pairs do not compare, then what to know of those that do.
std::string note_of(const published::ItemAnswer& answer) {
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

std::vector<std::string> cells_of(const ItemReview& item) {
  const auto& pairs = item.answer.pairs;
  return {item.answer.id,
          delta_text(pairs[0]),
          delta_text(pairs[1]),
          delta_text(pairs[2]),
          std::string(word_of(item.answer.outcome)),
          std::string(to_string(Claim::kInsufficient))};
}

std::string table_text(const PopulationReview& review) {
  std::vector<Row> rows(1);
  for (const std::string& cell : kHeader) rows[0].push_back({cell, ""});
  std::vector<std::string> notes;
  for (const ItemReview& item : review.items) {
    Row& row = rows.emplace_back();
    for (const std::string& cell : cells_of(item)) row.push_back({escaped_ascii(cell), ""});
    notes.push_back(escaped_ascii(note_of(item.answer)));
  }
  return case_table(std::move(rows), kAlign, notes);
}

// "win 5 + match 18 = 23"; kinds without any are left out.
template <std::size_t N, class Words>
std::string sum_text(const std::array<std::size_t, N>& counts, const Words& words) {
  std::string text;
  std::size_t total = 0;
  for (std::size_t i = 0; i < N; ++i) {
    total += counts[i];
    if (counts[i] == 0) continue;
    text += (text.empty() ? "" : " + ") + std::string(words[i]) + " " + std::to_string(counts[i]);
  }
  return (text.empty() ? "nothing" : text) + " = " + std::to_string(total);
}

std::string outcomes_text(const View& view) {
  std::array<std::size_t, published::kOutcomeWords.size()> counts = {};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = view.outcomes[i].count;
  return sum_text(counts, published::kOutcomeWords);
}

std::string shares_text(const View& view) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < view.outcomes.size(); ++i) {
    const published::OutcomeCount& outcome = view.outcomes[i];
    if (outcome.count == 0) continue;
    const double share = static_cast<double>(outcome.count) / static_cast<double>(view.n);
    parts.push_back(std::string(published::kOutcomeWords[i]) + " " + fixed(100 * share, 1) +
                    " % [" + fixed(100 * outcome.share.lo, 1) + ", " +
                    fixed(100 * outcome.share.hi, 1) + "]");
  }
  return Join(parts);
}

// Classes of the items that a view leaves out, with their sum.
std::string left_out_text(const View& view, const View& all) {
  std::array<std::size_t, published::kClassWords.size()> counts = {};
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = all.classes[i] - view.classes[i];
  return "left out: " + sum_text(counts, published::kClassWords);
}

// views.front() holds every item.
void add_view(const View& view, const View& all, std::vector<Fact>& facts) {
  facts.push_back({"View", view.name + " (" + view.meaning + "): " + std::to_string(view.n) +
                               " + " + std::to_string(view.excluded.size()) +
                               " left out = " + std::to_string(all.n)});
  facts.push_back({"", outcomes_text(view)});
  if (view.n > 0) {
    facts.push_back(
        {"", shares_text(view) + " (exact binomial 95 %, n = " + std::to_string(view.n) + ")"});
    facts.push_back({"", sum_text(view.classes, published::kClassWords)});
  }
  if (!view.excluded.empty()) facts.push_back({"", left_out_text(view, all)});
  if (view.vacuous > 0 || view.unstable > 0) {
    facts.push_back({"", std::to_string(view.vacuous) + " of the matches vacuous, " +
                             std::to_string(view.unstable) + " of the labels unstable"});
  }
}

// "reason: id id id" for every item that some view leaves out for want of data, in the order in
// which reasons first occur.
void add_reasons(const PopulationReview& review, std::vector<Fact>& facts) {
  std::vector<std::string> reasons;
  std::map<std::string, std::string> ids;
  for (const ItemReview& item : review.items) {
    if (item.answer.item_class == published::ItemClass::kThreeWay) continue;
    const std::string reason = published::exclusion_reason(item.answer);
    add_unique(reasons, {reason});
    ids[reason] += " " + item.answer.id;
  }
  if (reasons.empty()) return;
  facts.push_back({"Left out", "of one view or another, class and reason:"});
  for (const std::string& reason : reasons) facts.push_back({"", reason + ":" + ids[reason]});
}

std::string failure_text(const published::Failure& failure) {
  std::string text = failure.token + " (" + failure.by +
                     "): " + std::string(word_of(failure.kind)) + ", at fault " +
                     std::string(word_of(failure.at_fault)) + ", retry " +
                     std::string(word_of(failure.retry));
  if (failure.limit_s) text += ", limit " + std::to_string(*failure.limit_s) + " s";
  return failure.guessed ? text + ", not in the table: read by its words" : text;
}

void add_failures(const PopulationReview& review, std::vector<Fact>& facts) {
  std::vector<std::string> texts;
  std::map<std::string, std::string> ids;
  for (const ItemReview& item : review.items) {
    for (const published::Failure& failure : item.failures) {
      const std::string text = failure_text(failure);
      add_unique(texts, {text});
      ids[text] += " " + item.answer.id;
    }
  }
  if (texts.empty()) return;
  facts.push_back({"Failures", "statements of the lists: " +
                                   sum_text(review.failures, published::kFailureWords)});
  for (const std::string& text : texts) facts.push_back({"", text + ":" + ids[text]});
}

void add_dispositions(const PopulationReview& review, std::vector<Fact>& facts) {
  facts.push_back({"Retry", sum_text(review.dispositions, published::kDispositionWords)});
  for (std::size_t d = 0; d < review.dispositions.size(); ++d) {
    if (review.dispositions[d] == 0 ||
        d == static_cast<std::size_t>(published::Disposition::kDone)) {
      continue;
    }
    std::string ids;
    for (const ItemReview& item : review.items) {
      if (static_cast<std::size_t>(item.disposition) == d) ids += " " + item.answer.id;
    }
    facts.push_back({"", std::string(published::kDispositionWords[d]) + ":" + ids});
  }
}

void add_needs(const PopulationReview& review, std::vector<Fact>& facts) {
  constexpr std::array<std::string_view, 6> kClasses = {"1 device",  "2 devices", "4 devices",
                                                        "8 devices", "more",      "not stated"};
  std::array<std::size_t, kClasses.size()> counts = {};
  for (const ItemReview& item : review.items) {
    const std::optional<int> size = item.need.device_class;
    const std::size_t slot = !item.need.devices ? 5
                             : !size            ? 4
                             : *size == 8       ? 3
                             : *size == 4       ? 2
                                                : static_cast<std::size_t>(*size - 1);
    ++counts[slot];
  }
  facts.push_back({"Devices", sum_text(counts, kClasses)});
  for (const ItemReview& item : review.items) {
    for (const std::string& conflict : item.need.conflicts) {
      facts.push_back({"", item.answer.id + " conflict: " + conflict});
    }
  }
}

void add_preflight(const PopulationReview& review, std::vector<Fact>& facts) {
  if (!review.devices) return;
  std::string machine =
      std::to_string(review.devices->count) + (review.devices->count == 1 ? " device" : " devices");
  if (review.devices->vram_gib) machine += " of " + fixed(*review.devices->vram_gib, 0) + " GiB";
  if (review.devices->vendor) machine += ", " + *review.devices->vendor;
  facts.push_back(
      {"Preflight", machine + ": " + sum_text(review.readiness, published::kReadinessWords)});
  for (std::size_t r = 0; r < review.readiness.size(); ++r) {
    std::string ids;
    for (const ItemReview& item : review.items) {
      if (item.readiness && static_cast<std::size_t>(*item.readiness) == r) {
        ids += " " + item.answer.id;
      }
    }
    if (!ids.empty()) facts.push_back({"", std::string(published::kReadinessWords[r]) + ":" + ids});
  }
}

std::vector<Fact> facts_of(const PopulationReview& review, const PublishedContext& context) {
  std::vector<Fact> facts;
  for (const View& view : review.views) add_view(view, review.views.front(), facts);
  add_reasons(review, facts);
  add_failures(review, facts);
  add_dispositions(review, facts);
  add_needs(review, facts);
  add_preflight(review, facts);
  for (const std::string& warning : context.warnings) facts.push_back({"Warning", warning});
  facts.push_back({"From", context.source});
  return facts;
}

std::string conclusion(const PopulationReview& review) {
  return review.exit_reason + ". Claim insufficient in " + std::to_string(review.items.size()) +
         " of " + std::to_string(review.items.size()) + " items. Exit " +
         std::to_string(static_cast<int>(review.exit)) + ".";
}

}  // namespace

std::string published_console_report(const PopulationReview& review,
                                     const PublishedContext& context, const ConsoleOptions&) {
  std::string text;
  if (!review.items.empty()) text += table_text(review) + "\n";
  for (const std::string& line : wrapped(escaped_ascii(conclusion(review)), kConsoleWidth)) {
    text += line + "\n";
  }
  text += fact_lines("Read", kHowToRead);
  for (const Fact& fact : facts_of(review, context)) {
    text += fact_lines(fact.label, escaped_ascii(fact.value));
  }
  return text;
}

std::string published_markdown_report(const PopulationReview& review,
                                      const PublishedContext& context) {
  std::string text = markdown_text(conclusion(review)) + "\n\n";
  std::vector<std::string> header = kHeader;
  header.emplace_back("note");
  text += markdown_header(header, kAlign);
  for (const ItemReview& item : review.items) {
    std::vector<std::string> cells = cells_of(item);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = i == 0 ? markdown_code(cells[i]) : markdown_text(cells[i]);
    }
    cells.push_back(markdown_text(note_of(item.answer)));
    text += markdown_row(cells);
  }
  text += "\n" + markdown_text(kHowToRead) + "\n\n";
  std::vector<Fact> facts = facts_of(review, context);
  for (std::size_t i = 1; i < facts.size(); ++i) {
    if (facts[i].label.empty()) facts[i].label = facts[i - 1].label;
  }
  return text + markdown_details("counts, reasons, failures and needs", facts);
}

}  // namespace perfgate::report
