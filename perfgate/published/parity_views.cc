// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/parity_views.h"

#include <numeric>
#include <stdexcept>

#include "perfgate/base/text/join.h"
#include "perfgate/published/cross_source.h"
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

View make_view(const ViewRule& rule, const std::vector<ItemReview>& items,
               const std::vector<SkippedItem>& skipped) {
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
  for (const SkippedItem& item : skipped) {
    view.excluded.push_back({item.id, "skipped: " + item.reason});
  }
  check_sum(outcomes, view.n, "outcomes of view " + view.name);
  check_sum(view.classes, view.n, "classes of view " + view.name);
  if (view.n + view.excluded.size() != items.size() + skipped.size()) {
    throw std::logic_error("view " + view.name + " loses items");
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    view.outcomes[i].count = outcomes[i];
    if (view.n > 0) view.outcomes[i].share = stats::clopper_pearson(outcomes[i], view.n);
  }
  return view;
}

// The evaluable items are those of the two disjoint views and those whose agent failed.
void check_views(const PopulationReview& population) {
  const auto n_of = [&](std::size_t view) { return population.views.at(view).n; };
  const View& all = population.views.front();
  const std::size_t failed = all.classes[static_cast<std::size_t>(ItemClass::kAgentFailed)];
  if (n_of(1) != n_of(2) + n_of(3) + failed || n_of(1) != population.retries.evaluable_now ||
      n_of(1) != population.data_set.verified) {
    throw std::logic_error("the views do not add up to the evaluable items");
  }
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
  return review(set, ReviewRequest{.devices = devices});
}

PopulationReview review(const PublishedSet& set, const ReviewRequest& request) {
  PopulationReview population;
  population.devices = request.devices;
  population.skipped = request.skipped;
  std::vector<ItemAnswer> answers;
  for (const PublishedItem& published : set.items) {
    ItemReview& item = population.items.emplace_back();
    item.answer = answer_item(published);
    answers.push_back(item.answer);
    item.model = published.model;
    if (const PublishedMeasurement* primary = PrimaryMeasurement(published, item.answer)) {
      item.values = primary->arms;
      item.better = primary->better;
    }
    item.failures = failures_of(published);
    item.disposition = dispose(published, item.answer);
    item.need = need_of(published, DeviceGb(request.devices));
    ++population.dispositions[static_cast<std::size_t>(item.disposition)];
    for (std::size_t arm = 0; arm < kArms; ++arm) {
      ++population.statuses[arm][static_cast<std::size_t>(published.status[arm])];
    }
    for (const Failure& failure : item.failures) {
      ++population.failures[static_cast<std::size_t>(failure.kind)];
    }
    if (request.devices) {
      item.readiness = preflight(item.need, *request.devices);
      ++population.readiness[static_cast<std::size_t>(*item.readiness)];
    }
  }
  check_sum(population.dispositions, population.items.size(), "dispositions");
  if (request.devices) check_sum(population.readiness, population.items.size(), "preflights");
  for (const auto& statuses : population.statuses) {
    check_sum(statuses, population.items.size(), "states of an arm");
  }
  population.retries = PlanRetries(set, answers, request.assumed_run_s);
  population.data_set = JudgeDataSet(set, answers, population.retries, request.skipped);
  population.slowdowns = HumanSlowdowns(set, answers);
  for (const ViewRule& rule : kViews) {
    population.views.push_back(make_view(rule, population.items, request.skipped));
  }
  check_views(population);
  set_exit(population);
  return population;
}

std::vector<SkippedItem> ItemsToSkip(const PopulationReview& review) {
  std::vector<SkippedItem> skipped = review.skipped;
  for (std::size_t i = 0; i < review.items.size(); ++i) {
    const ItemReview& item = review.items[i];
    if (item.answer.evaluable()) continue;
    const bool hopeless = item.disposition == Disposition::kDoNotRetry;
    const bool elsewhere = item.readiness && *item.readiness < Readiness::kVendorUnclear;
    if (!hopeless && !elsewhere) continue;
    std::string reason(hopeless ? review.data_set.item_reasons.at(i) : word_of(*item.readiness));
    if (!hopeless && !item.need.obstacles.empty()) reason += ": " + item.need.obstacles.front();
    for (const Failure& failure : item.failures) {
      if (hopeless && failure.retry == Retry::kNever) {
        reason += ": " + failure.token + " (" + failure.by + ")";
        break;
      }
    }
    skipped.push_back({item.answer.id, reason});
  }
  return skipped;
}

}  // namespace perfgate::published
