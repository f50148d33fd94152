// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "perfgate/audit/check/published_checks.h"
#include "perfgate/audit/read/words.h"

namespace perfgate::audit {
namespace {

using published::Arm;
using published::PublishedMeasurement;
using published::PublishedNeed;
using published::PublishedValue;

Finding fact_finding(const FactsFile& facts, const Fact& fact, const std::string& field, Kind kind,
                     Severity severity, std::string published, std::string recomputed,
                     std::string explanation) {
  return found(at_commit(facts.file, fact.index, fact.item.id, field), kind, severity,
               std::move(published), std::move(recomputed), std::move(explanation));
}

std::string value_text(const PublishedValue& value) {
  return number_text(value.value, 0.5 * std::pow(10.0, -value.decimals));
}

// The arm whose model is not the item's, else not that of most arms.
void check_models(const FactsFile& facts, const Fact& fact, std::size_t index,
                  AuditResult& result) {
  const PublishedMeasurement& entry = fact.item.measurements[index];
  if (entry.replaced) return;
  std::map<std::string, int> models;
  for (const auto& arm : entry.arms) {
    if (arm && arm->model) ++models[*arm->model];
  }
  if (models.size() < 2) return;
  std::string main = fact.item.model.value_or("");
  if (!models.contains(main)) {
    main = std::max_element(models.begin(), models.end(), [](const auto& a, const auto& b) {
             return a.second < b.second;
           })->first;
  }
  for (const Arm arm : published::kAllArms) {
    const auto& value = entry.arms[published::index_of(arm)];
    if (!value || !value->model || *value->model == main) continue;
    const std::string name(published::name_of(arm));
    result.findings.push_back(fact_finding(
        facts, fact, "measurements[" + std::to_string(index) + "].arms." + name + ".model",
        Kind::kModelConflict, arm == Arm::kBaseline ? Severity::kMedium : Severity::kHigh,
        name + ": " + *value->model, main + " in the other arms",
        "arms of one entry ran different models; pairs with this arm do not compare: "
        "model_mismatch"));
  }
}

void check_secondary(const FactsFile& facts, const Fact& fact, AuditResult& result) {
  for (const published::CrossSource& cross : fact.answer.cross_source) {
    const std::string arm(published::name_of(cross.arm));
    const bool only = cross.finding == "value_in_secondary_only";
    std::string other = "another value";
    for (const published::SecondaryValues& list : fact.item.secondary) {
      const auto& value = list.values[published::index_of(cross.arm)];
      if (list.by == cross.by && value) {
        other = number_text(*value, 0.5 * std::pow(10.0, -list.decimals));
      }
    }
    result.findings.push_back(
        fact_finding(facts, fact, "secondary_values", Kind::kDataConflict, Severity::kMedium,
                     arm + (only ? " missing" : " measured"),
                     fmt::format(R"(list "{}" prints {} {})", cross.by, arm, other),
                     only ? "one list has a value for an arm that the measurements lack"
                          : "two lists print two values for one arm"));
  }
}

std::string need_text(const PublishedNeed& need) {
  std::string text = need.gpu.value_or("device");
  if (need.count) text += " x" + std::to_string(*need.count);
  if (need.count_min) text += ", " + std::to_string(*need.count_min) + " or more";
  if (need.vram_gb) text += ", " + number_text(*need.vram_gb, 0.5) + " GB";
  if (need.size) text += ", " + *need.size;
  return text;
}

bool disagree(const PublishedNeed& a, const PublishedNeed& b) {
  if (!a.gpu || !b.gpu) return false;
  if (*a.gpu != *b.gpu) return true;
  const int first = a.count.value_or(a.count_min.value_or(0));
  const int second = b.count.value_or(b.count_min.value_or(0));
  return first > 0 && second > 0 && first != second;
}

void check_needs(const FactsFile& facts, const Fact& fact, AuditResult& result) {
  const std::vector<PublishedNeed>& needs = fact.item.needs;
  for (std::size_t a = 0; a < needs.size(); ++a) {
    for (std::size_t b = a + 1; b < needs.size(); ++b) {
      if (!disagree(needs[a], needs[b])) continue;
      result.findings.push_back(fact_finding(facts, fact, "gpu_need", Kind::kGpuConflict,
                                             Severity::kHigh, need_text(needs[a]),
                                             "list \"" + needs[b].by + "\": " + need_text(needs[b]),
                                             "two lists state different devices for one item"));
    }
    const bool shared = std::any_of(
        fact.item.measurements.begin(), fact.item.measurements.end(),
        [](const PublishedMeasurement& entry) { return entry.shared_run && !entry.replaced; });
    if (shared && std::max(needs[a].count.value_or(0), needs[a].count_min.value_or(0)) > 1) {
      result.findings.push_back(fact_finding(
          facts, fact, "gpu_need", Kind::kGpuConflict, Severity::kMedium, "measured in one run",
          "list \"" + needs[a].by + "\": " + need_text(needs[a]),
          "the item is said to need several devices, and nothing says that its run had them"));
    }
    const std::string cause = needs[a].cause.value_or("");
    if (cause.ends_with("_in_baseline") && fact.measured(Arm::kBaseline)) {
      result.findings.push_back(
          fact_finding(facts, fact, "gpu_need[" + std::to_string(a) + "].cause",
                       Kind::kClaimSupport, Severity::kLow, cause, "a baseline value exists",
                       "the baseline is said to be unable to run, and was measured"));
    }
  }
}

// "3/2" where the ratio of two values can be exactly that, and little else; empty otherwise.
std::string small_fraction(const PublishedValue& a, const PublishedValue& b) {
  constexpr double kNarrow = 0.01;
  constexpr int kMost = 5;
  const auto range = [](const PublishedValue& value) {
    const double half = 0.5 * std::pow(10.0, -value.decimals);
    return Range{value.value - half, value.value + half};
  };
  const std::optional<Range> ratio = divided(range(b), range(a));
  if (!ratio || ratio->lo <= 0 || width(*ratio) > kNarrow) return {};
  for (int p = 1; p <= kMost; ++p) {
    for (int q = 1; q <= kMost; ++q) {
      const double fraction = static_cast<double>(p) / q;
      if (p != q && touch(*ratio, {fraction, fraction})) {
        return std::to_string(p) + "/" + std::to_string(q);
      }
    }
  }
  return {};
}

// One exact fraction is luck; in several items of one metric it is a counter's grid.
void check_grid(const FactsFile& facts, AuditResult& result) {
  struct Hit {
    const Fact* fact;
    std::size_t entry;
    std::string text;
  };
  std::map<std::string, std::vector<Hit>> hits;
  for (const Fact& fact : facts.items) {
    for (std::size_t m = 0; m < fact.item.measurements.size(); ++m) {
      const PublishedMeasurement& entry = fact.item.measurements[m];
      const auto& baseline = entry.arms[published::index_of(Arm::kBaseline)];
      const auto& human = entry.arms[published::index_of(Arm::kHuman)];
      if (!entry.metric || entry.replaced || !baseline || !human) continue;
      const std::string fraction = small_fraction(*baseline, *human);
      if (fraction.empty()) continue;
      hits[entry.source + " " + *entry.metric].push_back(
          {&fact, m, value_text(*human) + " / " + value_text(*baseline) + " = " + fraction});
    }
  }
  for (const auto& [metric, list] : hits) {
    if (list.size() < 2) continue;
    for (const Hit& hit : list) {
      result.findings.push_back(
          fact_finding(facts, *hit.fact, "measurements[" + std::to_string(hit.entry) + "]",
                       Kind::kPlausibility, Severity::kMedium, hit.text, "quantised metric",
                       std::to_string(list.size()) + " items of " + metric +
                           " have arms in exact small fractions, which noise does not give"));
    }
  }
}

}  // namespace

void check_facts(const FactsFile& facts, AuditResult& result) {
  for (const Fact& fact : facts.items) {
    for (std::size_t m = 0; m < fact.item.measurements.size(); ++m) {
      check_models(facts, fact, m, result);
    }
    check_secondary(facts, fact, result);
    check_needs(facts, fact, result);
  }
  check_grid(facts, result);
}

}  // namespace perfgate::audit
