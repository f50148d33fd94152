// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/published/published_parity_facts.h"

#include <algorithm>
#include <array>
#include <map>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/published/sections.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {

using published::ItemReview;
using published::PopulationReview;
using published::View;

void add_unique(std::vector<std::string>& words, const std::vector<std::string>& more) {
  for (const std::string& word : more) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
}

namespace {

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
  const std::string skipped = all.excluded.empty() ? "" : counted(all.excluded.size(), "item");
  return "left out: " + sum_text(counts, published::kClassWords) +
         (skipped.empty() ? "" : ", and " + skipped + " skipped");
}

// views.front() holds every item.
void add_view(const View& view, const View& all, std::vector<Fact>& facts) {
  facts.push_back({"View", view.name + " (" + view.meaning + "): " + std::to_string(view.n) +
                               " + " + std::to_string(view.excluded.size()) +
                               " left out = " + std::to_string(all.n + all.excluded.size())});
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

void add_failures(const PopulationReview& review, std::vector<Fact>& facts) {
  std::vector<std::string> texts;
  std::map<std::string, std::string> ids;
  for (const ItemReview& item : review.items) {
    for (const published::Failure& failure : item.failures) {
      const std::string text = FailureText(failure);
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

void add_retries(const PopulationReview& review, std::vector<Fact>& facts) {
  const published::RetryPlan& plan = review.retries;
  facts.push_back({"", "seconds of all retries " + format_wall(plan.total.seconds.lo) + " to " +
                           format_wall(plan.total.seconds.hi) + ", which rest on " +
                           sum_text(plan.bases, published::kCostBasisWords)});
  const std::array<std::string_view, 3> words = {"now", "by a retry at most", "never"};
  const std::array<std::size_t, 3> labels = {plan.evaluable_now, plan.total.adds_evaluable,
                                             plan.never_evaluable};
  const std::array<std::size_t, 3> compared = {plan.compared_now, plan.total.adds_compared,
                                               plan.never_compared};
  facts.push_back({"", "items with a label: " + sum_text(labels, words)});
  facts.push_back({"", "items compared: " + sum_text(compared, words)});
}

void add_data_set(const PopulationReview& review, std::vector<Fact>& facts) {
  const published::DataSetVerdict& data = review.data_set;
  facts.push_back(
      {"Data set", "verified " + RateText(data.verified, data.n) + ", at most after every retry " +
                       RateText(data.verified + data.can_yet, data.n) + " (exact binomial 95 %)"});
  std::array<std::size_t, published::kReasonWords.size()> can_yet = {};
  std::array<std::size_t, published::kReasonWords.size()> cannot = {};
  for (std::size_t r = 0; r < data.reasons.size(); ++r) {
    can_yet[r] = data.reasons[r].can_yet;
    cannot[r] = data.reasons[r].cannot;
  }
  facts.push_back({"", "can be verified yet: " + sum_text(can_yet, published::kReasonWords)});
  facts.push_back({"", "cannot be: " + sum_text(cannot, published::kReasonWords)});
}

void add_slowdowns(const PopulationReview& review, std::vector<Fact>& facts) {
  for (const published::HumanSlowdown& slow : review.slowdowns) {
    facts.push_back({"Slowdown", slow.id + ": the human is slower by " + fixed(-slow.delta_pct, 2) +
                                     " % in " + slow.metric + "; " + Join(slow.causes, "; ")});
  }
  for (const published::SkippedItem& item : review.skipped) {
    facts.push_back({"Skipped", item.id + ": " + item.reason});
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

}  // namespace

std::string FailureText(const published::Failure& failure) {
  std::string text = failure.token + " (" + failure.by +
                     "): " + std::string(word_of(failure.kind)) + ", at fault " +
                     std::string(word_of(failure.at_fault)) + ", retry " +
                     std::string(word_of(failure.retry));
  if (failure.feature) text += ", the baseline lacks " + *failure.feature;
  if (failure.limit_s) text += ", limit " + std::to_string(*failure.limit_s) + " s";
  return failure.guessed ? text + ", not in the table: read by its words" : text;
}

std::string ItemNote(const published::ItemAnswer& answer) {
  std::vector<std::string> reasons;
  std::vector<std::string> caveats;
  for (const published::PairAnswer& pair : answer.pairs) {
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

std::vector<Fact> published_facts(const PopulationReview& review) {
  std::vector<Fact> facts;
  for (const View& view : review.views) add_view(view, review.views.front(), facts);
  add_reasons(review, facts);
  add_failures(review, facts);
  add_dispositions(review, facts);
  add_retries(review, facts);
  add_data_set(review, facts);
  add_slowdowns(review, facts);
  add_needs(review, facts);
  add_preflight(review, facts);
  return facts;
}

}  // namespace perfgate::report
