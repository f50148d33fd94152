// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "perfgate/audit/check/published_checks.h"
#include "perfgate/base/text/join.h"
#include "perfgate/published/published_rules.h"

namespace perfgate::audit {
namespace {

using published::PairAnswer;

std::string listed(const std::vector<std::string>& words) {
  return words.empty() ? "none" : Join(words);
}

Finding published_claim_finding(const ClaimsFile& claims, const PublishedClaims& item,
                                const std::string& field, Kind kind, std::string published,
                                std::string recomputed, std::string explanation) {
  Finding finding = at_commit(claims.file, item.index, item.id, field);
  finding.kind = kind;
  finding.severity = Severity::kHigh;
  finding.published = std::move(published);
  finding.recomputed = std::move(recomputed);
  finding.explanation = std::move(explanation);
  return finding;
}

std::string percent_text(double value) { return number_text(value, 0.005) + " %"; }

void check_delta(const ClaimsFile& claims, const PublishedClaims& item, const Fact& fact,
                 std::size_t pair, AuditResult& result) {
  const std::string name(published::kPairNames[pair]);
  const auto found = item.deltas_pct.find(name);
  if (found == item.deltas_pct.end()) return;
  const PairAnswer& answer = fact.answer.pairs[pair];
  const PrintedNumber& printed = found->second;
  const std::string published = number_text(printed.value, printed.half_unit) + " %";
  const std::string field = "deltas_pct." + name;
  if (!answer.comparable) {
    result.findings.push_back(
        published_claim_finding(claims, item, field, Kind::kComparability, published,
                                "not comparable: " + listed(answer.reasons),
                                "a percentage between values that do not compare"));
    return;
  }
  ++result.checked.cells_derived;
  if (!answer.range_pct) return;
  // The range has been rounded to two decimals itself.
  constexpr double kRounded = 0.005;
  const Range allowed = widened({(*answer.range_pct)[0], (*answer.range_pct)[1]}, kRounded);
  if (touch(allowed, range_of(printed))) return;
  result.findings.push_back(published_claim_finding(
      claims, item, field, Kind::kArithmetic, published,
      answer.delta_pct ? percent_text(*answer.delta_pct) : percent_text(middle(allowed)),
      "operand rounding allows " + percent_text((*answer.range_pct)[0]) + " to " +
          percent_text((*answer.range_pct)[1])));
}

void check_outcome(const ClaimsFile& claims, const PublishedClaims& item, const Fact& fact,
                   AuditResult& result) {
  const published::ItemAnswer& answer = fact.answer;
  if (item.outcomes.size() > 1) {
    result.findings.push_back(published_claim_finding(
        claims, item, "outcomes", Kind::kClassification, listed(item.outcomes),
        std::string(word_of(answer.outcome)), "one item with several outcomes"));
    return;
  }
  const std::string published = item.outcomes.empty() ? "none" : item.outcomes.front();
  std::vector<std::string> allowed = {std::string(word_of(answer.outcome))};
  const PairAnswer& pair = answer.pairs[static_cast<std::size_t>(published::Pair::kHumanAgent)];
  if (answer.outcome_stable == false && pair.range_pct) {
    // The printed operands allow either label.
    for (const double end : *pair.range_pct) {
      allowed.emplace_back(word_of(published::point_outcome(end)));
    }
  }
  if (std::find(allowed.begin(), allowed.end(), published) == allowed.end()) {
    result.findings.push_back(published_claim_finding(
        claims, item, "outcomes", Kind::kClassification, published, allowed.front(),
        pair.delta_pct
            ? "human_agent is " + percent_text(*pair.delta_pct) + " against a threshold of 5 %"
            : "human_agent: " + listed(pair.reasons)));
    return;
  }
  for (const published::MetricAnswer& metric : answer.by_metric) {
    if (metric.outcome == answer.outcome || item.outcomes.empty()) continue;
    Finding finding = published_claim_finding(
        claims, item, "outcomes", Kind::kClaimSupport, published,
        std::string(word_of(metric.outcome)) + " by " + metric.metric + " (" +
            percent_text(metric.delta_pct) + ")",
        "another metric of the same item has another outcome; both have to be published");
    finding.severity = Severity::kMedium;
    result.findings.push_back(std::move(finding));
  }
}

// The label against the percentage beside it, which needs no measurement.
void check_own_outcome(const ClaimsFile& claims, const PublishedClaims& item, AuditResult& result) {
  const std::string pair(
      published::kPairNames[static_cast<std::size_t>(published::Pair::kHumanAgent)]);
  const auto found = item.deltas_pct.find(pair);
  if (found == item.deltas_pct.end() || item.outcomes.size() != 1) return;
  const std::string& published = item.outcomes.front();
  const Range printed = range_of(found->second);
  const std::string_view least = word_of(published::point_outcome(printed.lo));
  const std::string_view most = word_of(published::point_outcome(printed.hi));
  const bool labelled = published == "win" || published == "loss" || published == "match";
  if (!labelled || least != most || published == least) return;
  const bool known =
      std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& finding) {
        return finding.file == claims.file && finding.commit == item.id &&
               finding.field == "outcomes" && finding.kind == Kind::kClassification;
      });
  if (known) return;
  result.findings.push_back(published_claim_finding(
      claims, item, "outcomes", Kind::kClassification, published, std::string(least),
      "the published " + pair + " is " + number_text(found->second.value, found->second.half_unit) +
          " % against a threshold of 5 %"));
}

}  // namespace

void check_published_results(const ClaimsFile& claims, const std::vector<FactsFile>& facts,
                             AuditResult& result) {
  std::size_t without = 0;
  for (const PublishedClaims& item : claims.items) {
    const Fact* fact = find_fact(facts, item.id);
    if (fact == nullptr) {
      ++without;
      check_own_outcome(claims, item, result);
      continue;
    }
    ++result.checked.commits;
    for (std::size_t pair = 0; pair < published::kPairs; ++pair) {
      check_delta(claims, item, *fact, pair, result);
    }
    check_outcome(claims, item, *fact, result);
    check_own_outcome(claims, item, result);
  }
  if (without > 0) {
    result.notes.push_back(std::to_string(without) + " of " + std::to_string(claims.items.size()) +
                           " items of " + claims.file +
                           " have no measurements in these files: their percentages and outcomes "
                           "were not recomputed");
  }
}

}  // namespace perfgate::audit
