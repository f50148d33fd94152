// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "perfgate/evidence/verdict.h"
#include "perfgate/report/published/published_parity_report.h"

namespace perfgate::report {
namespace {

using Json = nlohmann::ordered_json;
using published::ItemReview;
using published::PopulationReview;
using published::View;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Every word, those without any item too, so that sums can be checked by whoever reads them.
template <std::size_t N, class Words>
Json counts_json(const std::array<std::size_t, N>& counts, const Words& words) {
  Json json = Json::object();
  for (std::size_t i = 0; i < N; ++i) json[std::string(words[i])] = counts[i];
  return json;
}

Json view_json(const View& view) {
  Json outcomes = Json::object();
  for (std::size_t i = 0; i < view.outcomes.size(); ++i) {
    const published::OutcomeCount& outcome = view.outcomes[i];
    outcomes[std::string(published::kOutcomeWords[i])] = {
        {"count", outcome.count}, {"share_lo", outcome.share.lo}, {"share_hi", outcome.share.hi}};
  }
  Json excluded = Json::array();
  for (const published::Excluded& item : view.excluded) {
    excluded.push_back({{"id", item.id}, {"reason", item.reason}});
  }
  return {{"name", view.name},
          {"meaning", view.meaning},
          {"n", view.n},
          {"outcomes", outcomes},
          {"classes", counts_json(view.classes, published::kClassWords)},
          {"vacuous", view.vacuous},
          {"unstable", view.unstable},
          {"excluded", excluded}};
}

Json range_json(const published::SizeRange& range) { return {range.lo, range.hi}; }

Json estimate_json(const std::optional<published::DeviceEstimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"from", estimate->from},
          {"parameters_1e9", range_json(estimate->size.parameters)},
          {"weights", estimate->size.type},
          {"weights_stated", estimate->size.type_stated},
          {"memory_gb", range_json(estimate->memory.total_gb)},
          {"device_gb", estimate->device_gb},
          {"devices", {estimate->devices_lo, estimate->devices_hi}}};
}

Json line_json(const published::RetryLine& line) {
  return {{"items", line.items},
          {"adds_labels", line.adds_evaluable},
          {"adds_comparisons", line.adds_compared},
          {"seconds", range_json(line.seconds)}};
}

Json retries_json(const published::RetryPlan& plan) {
  Json lines = Json::object();
  for (std::size_t d = 0; d < plan.lines.size(); ++d) {
    lines[std::string(published::kDispositionWords[d])] = line_json(plan.lines[d]);
  }
  return {{"by_disposition", lines},
          {"total", line_json(plan.total)},
          {"labels", {{"now", plan.evaluable_now}, {"never", plan.never_evaluable}}},
          {"comparisons", {{"now", plan.compared_now}, {"never", plan.never_compared}}},
          {"seconds_rest_on", counts_json(plan.bases, published::kCostBasisWords)},
          {"assumed_run_s", range_json(plan.assumed_s)},
          {"recorded_run_s", plan.recorded_s ? range_json(*plan.recorded_s) : Json(nullptr)}};
}

Json data_set_json(const published::DataSetVerdict& data) {
  Json reasons = Json::object();
  for (std::size_t r = 0; r < data.reasons.size(); ++r) {
    reasons[std::string(published::kReasonWords[r])] = {{"can_yet", data.reasons[r].can_yet},
                                                        {"cannot", data.reasons[r].cannot}};
  }
  return {{"n", data.n},
          {"verified", data.verified},
          {"can_yet", data.can_yet},
          {"cannot", data.cannot},
          {"verified_share", {data.verified_share.lo, data.verified_share.hi}},
          {"at_most_share", {data.at_most_share.lo, data.at_most_share.hi}},
          {"reasons", reasons}};
}

Json slowdowns_json(const std::vector<published::HumanSlowdown>& slowdowns) {
  Json list = Json::array();
  for (const published::HumanSlowdown& slow : slowdowns) {
    list.push_back({{"id", slow.id},
                    {"metric", slow.metric},
                    {"delta_pct", slow.delta_pct},
                    {"causes", slow.causes}});
  }
  return list;
}

Json skipped_json(const std::vector<published::SkippedItem>& skipped) {
  Json list = Json::array();
  for (const published::SkippedItem& item : skipped) {
    list.push_back({{"id", item.id}, {"reason", item.reason}});
  }
  return list;
}

Json arms_json(const PopulationReview& review) {
  Json arms = Json::object();
  for (const published::Arm arm : published::kAllArms) {
    arms[std::string(name_of(arm))] =
        counts_json(review.statuses[index_of(arm)], published::kArmStatusWords);
  }
  return arms;
}

Json item_json(const ItemReview& item) {
  Json failures = Json::array();
  for (const published::Failure& failure : item.failures) {
    failures.push_back({{"token", failure.token},
                        {"by", failure.by},
                        {"kind", word_of(failure.kind)},
                        {"at_fault", word_of(failure.at_fault)},
                        {"retry", word_of(failure.retry)},
                        {"limit_s", or_null(failure.limit_s)},
                        {"feature", or_null(failure.feature)},
                        {"guessed", failure.guessed}});
  }
  const published::DeviceNeed& need = item.need;
  Json result = {{"id", item.answer.id},
                 {"point_rule", word_of(item.answer.outcome)},
                 {"claim", to_string(Claim::kInsufficient)},
                 {"disposition", word_of(item.disposition)},
                 {"failures", failures},
                 {"need",
                  {{"devices", or_null(need.devices)},
                   {"at_least", need.at_least},
                   {"device_class", or_null(need.device_class)},
                   {"vram_gb", or_null(need.vram_gb)},
                   {"vendor", or_null(need.vendor)},
                   {"obstacles", need.obstacles},
                   {"conflicts", need.conflicts}}}};
  result["need"]["estimate"] = estimate_json(need.estimate);
  result["readiness"] = item.readiness ? Json(word_of(*item.readiness)) : Json(nullptr);
  return result;
}

}  // namespace

std::string published_summary_json(const PopulationReview& review,
                                   const PublishedContext& context) {
  Json items = Json::array();
  for (const ItemReview& item : review.items) items.push_back(item_json(item));
  Json views = Json::array();
  for (const View& view : review.views) views.push_back(view_json(view));
  const Json document = {
      {"format", "perfgate-parity-summary/1"},
      {"source", context.source},
      {"n", review.items.size()},
      {"exit", static_cast<int>(review.exit)},
      {"exit_reason", review.exit_reason},
      {"views", views},
      {"dispositions", counts_json(review.dispositions, published::kDispositionWords)},
      {"readiness",
       review.devices ? counts_json(review.readiness, published::kReadinessWords) : Json(nullptr)},
      {"failures", counts_json(review.failures, published::kFailureWords)},
      {"arms", arms_json(review)},
      {"retries", retries_json(review.retries)},
      {"data_set", data_set_json(review.data_set)},
      {"slowdowns", slowdowns_json(review.slowdowns)},
      {"skipped", skipped_json(review.skipped)},
      {"items", items},
      {"warnings", context.warnings}};
  return document.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfgate::report
