// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "perfgate/evidence/verdict.h"
#include "perfgate/report/published_parity_report.h"

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

Json item_json(const ItemReview& item) {
  Json failures = Json::array();
  for (const published::Failure& failure : item.failures) {
    failures.push_back({{"token", failure.token},
                        {"by", failure.by},
                        {"kind", word_of(failure.kind)},
                        {"at_fault", word_of(failure.at_fault)},
                        {"retry", word_of(failure.retry)},
                        {"limit_s", or_null(failure.limit_s)},
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
      {"items", items},
      {"warnings", context.warnings}};
  return document.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace perfgate::report
