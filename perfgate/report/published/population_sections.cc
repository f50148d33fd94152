// SPDX-License-Identifier: Apache-2.0
// population_sections.cc: what the published values say: summary, views, rates, arms, failures.
#include <fmt/format.h>

#include <map>

#include "perfgate/base/text/join.h"
#include "perfgate/report/parts/noise_text.h"
#include "perfgate/report/published/published_parity_facts.h"
#include "perfgate/report/published/sections.h"
#include "perfgate/report/text/format.h"

namespace perfgate::report {
namespace {

using published::ItemReview;
using published::PopulationReview;
using published::View;

constexpr std::array<std::string_view, 4> kLabels = {"win", "match", "loss", "failed"};

std::string plain(std::size_t count) { return std::to_string(count); }

std::size_t count_in(const View& view, published::PointOutcome outcome) {
  return view.outcomes[static_cast<std::size_t>(outcome)].count;
}

std::string rate_in(const View& view, published::PointOutcome outcome) {
  return RateText(count_in(view, outcome), view.n);
}

const View& view_named(const PopulationReview& review, std::string_view name) {
  for (const View& view : review.views) {
    if (view.name == name) return view;
  }
  return review.views.front();
}

std::size_t population_of(const PopulationReview& review) {
  return review.items.size() + review.skipped.size();
}

// "win 5 + match 18 = 23" of what is in the executive summary.
std::string evaluable_sum(const PopulationReview& review) {
  const std::array<std::string_view, 3> words = {"three-way", "human-and-agent", "agent-failed"};
  const View& evaluable = view_named(review, "evaluable");
  const std::array<std::size_t, 3> counts = {
      view_named(review, "three_way").n, view_named(review, "human_vs_agent_only").n,
      evaluable.classes[static_cast<std::size_t>(published::ItemClass::kAgentFailed)]};
  return sum_text(counts, words);
}

std::vector<std::string> data_set_sentences(const PopulationReview& review) {
  const published::DataSetVerdict& data = review.data_set;
  const std::array<std::string_view, 3> words = {"verified", "can be verified yet",
                                                 "cannot be verified"};
  const std::array<std::size_t, 3> counts = {data.verified, data.can_yet, data.cannot};
  return {"Data set: " + sum_text(counts, words) + ".",
          "Verified now: " + RateText(data.verified, data.n) + ". At most after every retry: " +
              RateText(data.verified + data.can_yet, data.n) + "."};
}

Section summary(const PopulationReview& review, const PublishedContext& context) {
  using enum published::PointOutcome;
  const View& evaluable = view_named(review, "evaluable");
  Section section{.title = "Summary", .sentences = {}, .grid = {}};
  std::vector<std::string>& text = section.sentences;
  const std::array<std::string_view, 3> words = {"evaluable", "without a label", "skipped"};
  const std::array<std::size_t, 3> counts = {evaluable.n, review.items.size() - evaluable.n,
                                             review.skipped.size()};
  text.push_back("Items: " + sum_text(counts, words) + ". Evaluable: " + evaluable_sum(review) +
                 ".");
  if (evaluable.n > 0) {
    text.push_back("Of the evaluable items the agent wins " + rate_in(evaluable, kWin) +
                   ", matches " + rate_in(evaluable, kMatch) + ", loses " +
                   rate_in(evaluable, kLoss) + " and fails " + rate_in(evaluable, kFailed) +
                   ". Intervals are exact binomial 95 %.");
  }
  text.push_back(
      "It rests on one published number per arm, without samples. The labels follow the 5 "
      "% rule, which is a convention. perfgate claims nothing from them: the claim is "
      "insufficient for every item. Exit " +
      std::to_string(static_cast<int>(review.exit)) + ": " + review.exit_reason + ".");
  for (const std::string& sentence : data_set_sentences(review)) text.push_back(sentence);
  text.push_back(
      "Matches that prove nothing, because the human has no effect either: " +
      RateText(evaluable.vacuous, count_in(evaluable, kMatch)) +
      ". Labels that rounding alone can turn: " + RateText(evaluable.unstable, evaluable.n) + ".");
  for (const std::string& warning : context.warnings) text.push_back("Warning: " + warning + ".");
  text.push_back("Source: " + context.source);
  return section;
}

Section views_section(const PopulationReview& review) {
  Section section{.title = "Views", .sentences = {}, .grid = {}};
  Grid& grid = section.grid;
  grid.columns = {{"view", Align::kLeft}};
  for (const std::string_view word : published::kOutcomeWords) {
    // "none" alone would be an empty cell's word.
    grid.columns.push_back({word == "none" ? "no label" : std::string(word)});
  }
  for (const char* label : {"n", "left out", "population"}) grid.columns.push_back({label});
  grid.columns.push_back({"what it holds", Align::kLeft});
  for (const View& view : review.views) {
    std::vector<std::string> row = {view.name};
    for (const published::OutcomeCount& outcome : view.outcomes)
      row.push_back(plain(outcome.count));
    row.insert(row.end(), {plain(view.n), plain(view.excluded.size()), plain(population_of(review)),
                           view.meaning});
    grid.rows.push_back(std::move(row));
  }
  grid.derived = {SumOfColumns("n", {"win", "match", "loss", "failed", "no label"}),
                  SumOfColumns("population", {"n", "left out"})};
  return section;
}

Section rates_section(const PopulationReview& review) {
  Section section{
      .title = "Combined rates",
      .sentences = {"Count, share of the view's n, and the exact binomial 95 % interval "
                    "in per cent. The first two views overlap the others."},
      .grid = {}};
  section.grid.columns = {{"label", Align::kLeft}};
  for (const View& view : review.views) section.grid.columns.push_back({view.name});
  for (std::size_t i = 0; i < kLabels.size(); ++i) {
    std::vector<std::string> row = {std::string(kLabels[i])};
    for (const View& view : review.views) row.push_back(RateText(view.outcomes[i].count, view.n));
    section.grid.rows.push_back(std::move(row));
  }
  std::vector<std::string> row = {"win or match"};
  for (const View& view : review.views) {
    row.push_back(RateText(view.outcomes[0].count + view.outcomes[1].count, view.n));
  }
  section.grid.rows.push_back(std::move(row));
  return section;
}

Section classes_section(const PopulationReview& review) {
  Section section{.title = "Classes of items in each view", .sentences = {}, .grid = {}};
  Grid& grid = section.grid;
  grid.columns = {{"class", Align::kLeft}};
  std::vector<std::string> names;
  for (const View& view : review.views) {
    grid.columns.push_back({view.name});
    names.push_back(view.name);
  }
  for (std::size_t c = 0; c < published::kClassWords.size(); ++c) {
    std::vector<std::string> row = {std::string(published::kClassWords[c])};
    for (const View& view : review.views) row.push_back(plain(view.classes[c]));
    grid.rows.push_back(std::move(row));
  }
  std::vector<std::string> total = {"Total"};
  for (const View& view : review.views) total.push_back(plain(view.n));
  grid.rows.push_back(std::move(total));
  grid.derived = {SumOfRows(names)};
  return section;
}

Section arms_section(const PopulationReview& review) {
  Section section{.title = "Arms", .sentences = {}, .grid = {}};
  Grid& grid = section.grid;
  grid.columns = {{"arm", Align::kLeft}};
  for (const std::string_view word : published::kArmStatusWords) {
    grid.columns.push_back({std::string(word)});
  }
  grid.columns.push_back({"n"});
  for (const published::Arm arm : published::kAllArms) {
    std::vector<std::string> row = {std::string(name_of(arm))};
    for (const std::size_t count : review.statuses[index_of(arm)]) row.push_back(plain(count));
    row.push_back(plain(review.items.size()));
    grid.rows.push_back(std::move(row));
  }
  grid.derived = {SumOfColumns("n", {"measured", "failed", "not_run", "no_record"})};
  return section;
}

Section failures_section(const PopulationReview& review) {
  Section section{.title = "Failures by kind and by the arm at fault",
                  .sentences = {"Statements of the lists; an item may have several."},
                  .grid = {}};
  Grid& grid = section.grid;
  std::array<std::array<std::size_t, published::kAtFaultWords.size()>,
             published::kFailureWords.size() + 1>
      counts = {};
  for (const ItemReview& item : review.items) {
    for (const published::Failure& failure : item.failures) {
      const auto at = static_cast<std::size_t>(failure.at_fault);
      ++counts[static_cast<std::size_t>(failure.kind)][at];
      ++counts.back()[at];
    }
  }
  grid.columns = {{"kind", Align::kLeft}};
  std::vector<std::string> names;
  for (const std::string_view word : published::kAtFaultWords) names.emplace_back(word);
  grid.derived = {SumOfColumns("statements", names)};
  names.emplace_back("statements");
  grid.derived.push_back(SumOfRows(names));
  for (const std::string& name : names) grid.columns.push_back({name});
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    const bool is_total = kind == published::kFailureWords.size();
    std::vector<std::string> row = {is_total ? "Total"
                                             : std::string(published::kFailureWords[kind])};
    std::size_t statements = 0;
    for (const std::size_t count : counts[kind]) {
      row.push_back(plain(count));
      statements += count;
    }
    row.push_back(plain(statements));
    if (statements > 0 || is_total) grid.rows.push_back(std::move(row));
  }
  if (grid.rows.size() < 2) grid = {};
  return section;
}

// One row per text with the items that have it, in the order of their first appearance.
class IdsByText {
 public:
  void Add(const std::string& text, const std::string& id) {
    const auto [place, fresh] = rows_.try_emplace(text);
    if (fresh) order_.push_back(text);
    AppendItem(place->second.ids, id, " ");
    ++place->second.count;
  }
  // With a row "Total" below.
  Grid Table(const std::string& label) const {
    Grid grid;
    if (order_.empty()) return grid;
    grid.columns = {{label, Align::kLeft}, {"items"}, {"which", Align::kLeft}};
    std::size_t total = 0;
    for (const std::string& text : order_) {
      const Ids& ids = rows_.at(text);
      grid.rows.push_back({text, std::to_string(ids.count), ids.ids});
      total += ids.count;
    }
    grid.rows.push_back({"Total", std::to_string(total), "-"});
    grid.derived = {SumOfRows({"items"})};
    return grid;
  }

 private:
  struct Ids {
    std::string ids;
    std::size_t count = 0;
  };
  std::vector<std::string> order_;
  std::map<std::string, Ids> rows_;
};

Section left_out_section(const PopulationReview& review) {
  IdsByText rows;
  for (const ItemReview& item : review.items) {
    if (item.answer.item_class == published::ItemClass::kThreeWay) continue;
    rows.Add(published::exclusion_reason(item.answer), item.answer.id);
  }
  for (const published::SkippedItem& item : review.skipped) {
    rows.Add("skipped: " + item.reason, item.id);
  }
  return {.title = "Items that a view leaves out",
          .sentences = {"Class and reason. Every item that is not three-way stands here once."},
          .grid = rows.Table("why")};
}

Section statements_section(const PopulationReview& review) {
  IdsByText rows;
  for (const ItemReview& item : review.items) {
    for (const published::Failure& failure : item.failures) {
      rows.Add(FailureText(failure), item.answer.id);
    }
  }
  return {.title = "Statements of failures", .sentences = {}, .grid = rows.Table("statement")};
}

}  // namespace

std::string RateText(std::size_t count, std::size_t n) {
  if (n == 0) return "-";
  const double share = 100 * static_cast<double>(count) / static_cast<double>(n);
  const stats::ProportionInterval interval = stats::clopper_pearson(count, n);
  return fmt::format("{}/{} ({:.1f} %) [{:.1f}, {:.1f}]", count, n, share, 100 * interval.lo,
                     100 * interval.hi);
}

std::vector<Section> PopulationSections(const PopulationReview& review,
                                        const PublishedContext& context) {
  return {summary(review, context), views_section(review),     rates_section(review),
          classes_section(review),  arms_section(review),      failures_section(review),
          left_out_section(review), statements_section(review)};
}

}  // namespace perfgate::report
