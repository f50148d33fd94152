// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/parity_views.h"

#include <numeric>
#include <stdexcept>

#include "perfgate/base/text/join.h"
#include "perfgate/published/published_rules.h"

namespace perfgate::published {
namespace {

struct ViewRule {
  const char* name;
  const char* meaning;
  bool (*takes)(const ItemAnswer& answer);
};

bool is_human_vs_agent_only(const ItemAnswer& answer) {
  return answer.item_class == ItemClass::kHumanAgentOnly ||
         answer.item_class == ItemClass::kBaselineMismatch;
}

// The evaluable items are the last two views' and those whose agent failed.
constexpr ViewRule kViews[] = {
    {"all", "every item", [](const ItemAnswer&) { return true; }},
    {"evaluable", "items with a label", [](const ItemAnswer& a) { return a.evaluable(); }},
    {"three_way", "all three arms compare",
     [](const ItemAnswer& a) { return a.item_class == ItemClass::kThreeWay; }},
    {"human_vs_agent_only", "human and agent compare, the baseline does not",
     is_human_vs_agent_only},
};

template <std::size_t N>
void check_sum(const std::array<std::size_t, N>& counts, std::size_t n, const std::string& what) {
  if (std::accumulate(counts.begin(), counts.end(), std::size_t{0}) != n) {
    throw std::logic_error("the " + what + " do not add up to " + std::to_string(n));
  }
}

View make_view(const ViewRule& rule, const std::vector<ItemReview>& items) {
  View view;
  view.name = rule.name;
  view.meaning = rule.meaning;
  std::array<std::size_t, kOutcomeWords.size()> outcomes = {};
  for (const ItemReview& item : items) {
    const ItemAnswer& answer = item.answer;
    if (!rule.takes(answer)) {
      view.excluded.push_back({answer.id, exclusion_reason(answer)});
      continue;
    }
    ++view.n;
    ++outcomes[static_cast<std::size_t>(answer.outcome)];
    ++view.classes[static_cast<std::size_t>(answer.item_class)];
    view.vacuous += answer.match_vacuous.value_or(false) ? 1U : 0U;
    view.unstable += answer.outcome_stable.value_or(true) ? 0U : 1U;
  }
  check_sum(outcomes, view.n, "outcomes of view " + view.name);
  check_sum(view.classes, view.n, "classes of view " + view.name);
  if (view.n + view.excluded.size() != items.size()) {
    throw std::logic_error("view " + view.name + " loses items");
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    view.outcomes[i].count = outcomes[i];
    if (view.n > 0) view.outcomes[i].share = stats::clopper_pearson(outcomes[i], view.n);
  }
  return view;
}

void set_exit(PopulationReview& population) {
  const View& all = population.views.front();
  const std::size_t failed = all.outcomes[static_cast<std::size_t>(PointOutcome::kFailed)].count;
  const std::size_t labelled =
      all.n - all.outcomes[static_cast<std::size_t>(PointOutcome::kNone)].count;
  if (failed > 0) {
    population.exit = Exit::kFailed;
    population.exit_reason =
        "the agent failed in " + std::to_string(failed) + " of " + std::to_string(all.n) + " items";
  } else if (labelled == 0) {
    population.exit = Exit::kNotComparable;
    population.exit_reason =
        "in none of " + std::to_string(all.n) + " items do human and agent " + "compare";
  } else {
    population.exit = Exit::kInconclusive;
    population.exit_reason = "single published values carry no samples, so nothing is claimed";
  }
}

}  // namespace

std::string exclusion_reason(const ItemAnswer& answer) {
  const bool compared = answer.pairs[static_cast<std::size_t>(Pair::kHumanAgent)].comparable;
  const PairAnswer& pair =
      answer.pairs[static_cast<std::size_t>(compared ? Pair::kBaselineHuman : Pair::kHumanAgent)];
  std::string text(word_of(answer.item_class));
  // A three-way item is only left out by views of those that are not.
  return answer.item_class == ItemClass::kThreeWay ? text : text + ": " + Join(pair.reasons);
}

PopulationReview review(const PublishedSet& set, const std::optional<Devices>& devices) {
  PopulationReview population;
  population.devices = devices;
  for (const PublishedItem& published : set.items) {
    ItemReview& item = population.items.emplace_back();
    item.answer = answer_item(published);
    item.failures = failures_of(published);
    item.disposition = dispose(published, item.answer);
    item.need = need_of(published);
    ++population.dispositions[static_cast<std::size_t>(item.disposition)];
    for (const Failure& failure : item.failures) {
      ++population.failures[static_cast<std::size_t>(failure.kind)];
    }
    if (devices) {
      item.readiness = preflight(item.need, *devices);
      ++population.readiness[static_cast<std::size_t>(*item.readiness)];
    }
  }
  check_sum(population.dispositions, population.items.size(), "dispositions");
  if (devices) check_sum(population.readiness, population.items.size(), "preflights");
  for (const ViewRule& rule : kViews) {
    population.views.push_back(make_view(rule, population.items));
  }
  set_exit(population);
  return population;
}

}  // namespace perfgate::published
