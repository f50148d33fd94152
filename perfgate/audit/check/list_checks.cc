// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "perfgate/audit/check/published_checks.h"
#include "perfgate/audit/read/model_names.h"
#include "perfgate/audit/read/words.h"
#include "perfgate/base/text/join.h"

namespace perfgate::audit {
namespace {

using published::Arm;
using published::ArmStatus;
using published::ItemClass;

constexpr std::string_view kFailure = "complete_failure";

std::optional<Arm> arm_only(const std::string& word) {
  for (const Arm arm : published::kAllArms) {
    if (word == std::string(published::name_of(arm)) + "_only") return arm;
  }
  return std::nullopt;
}

// "baseline 5275.8 in separate": what there is, for explanations.
std::string measured_text(const Fact& fact) {
  std::string text;
  for (const published::PublishedMeasurement& entry : fact.item.measurements) {
    if (entry.replaced) continue;
    for (const Arm arm : published::kAllArms) {
      const auto& value = entry.arms[published::index_of(arm)];
      if (!value) continue;
      AppendItem(text, std::string(published::name_of(arm)) + " " +
                           number_text(value->value, 0.5 * std::pow(10.0, -value->decimals)) +
                           " in " + entry.source);
    }
  }
  if (text.empty()) text = fact.item.verified ? "a build check only" : "no value";
  return text;
}

// Whether the data allow a class; no value for words that are no class.
std::optional<bool> class_holds(const std::string& word, const Fact& fact) {
  const bool baseline = fact.measured(Arm::kBaseline);
  const bool human = fact.measured(Arm::kHuman);
  const bool agent = fact.measured(Arm::kAgent);
  const int arms = fact.measured_arms();
  if (word == "valid_3way") return fact.answer.item_class == ItemClass::kThreeWay;
  if (word == "invalid_3way") return arms == 3 && fact.answer.item_class != ItemClass::kThreeWay;
  if (word == "full_3way") return arms == 3;
  if (word == "separate_human_agent" || word == "human_agent") return human && agent && !baseline;
  if (word == "modal_baseline_human" || word == "baseline_human")
    return baseline && human && !agent;
  if (word == "docker_only") return arms == 0 && fact.item.verified;
  if (word == "no_metrics" || word.starts_with(kFailure)) return arms == 0 && !fact.item.verified;
  if (const std::optional<Arm> arm = arm_only(word)) return arms == 1 && fact.measured(*arm);
  return std::nullopt;
}

class ListChecker {
 public:
  ListChecker(const ClaimsFile& claims, const std::vector<FactsFile>& facts, AuditResult& result)
      : claims_(claims), facts_(facts), result_(result) {}

  void check() {
    partitioned_ =
        std::any_of(claims_.items.begin(), claims_.items.end(),
                    [](const PublishedClaims& item) { return item.lists.contains("disposition"); });
    for (const PublishedClaims& item : claims_.items) {
      const Fact* fact = find_fact(facts_, item.id);
      if (partitioned_) check_partition(item, fact);
      check_models(item);
      check_reason_and_category(item, fact);
      if (fact == nullptr) continue;
      check_classes(item, *fact);
      check_causes(item, *fact);
    }
    check_one_class_per_state();
  }

 private:
  void flag(const PublishedClaims& item, const std::string& field, Kind kind, Severity severity,
            std::string published, std::string recomputed, std::string explanation) {
    result_.findings.push_back(found(at_commit(claims_.file, item.index, item.id, field), kind,
                                     severity, std::move(published), std::move(recomputed),
                                     std::move(explanation)));
    flagged_.insert({item.id, field});
  }

  static std::vector<std::string> list(const PublishedClaims& item, const std::string& name) {
    const auto found = item.lists.find(name);
    return found == item.lists.end() ? std::vector<std::string>{} : found->second;
  }

  // What is done with an item is one thing: the numbers of the lists must add up to the whole.
  void check_partition(const PublishedClaims& item, const Fact* fact) {
    const std::vector<std::string> dispositions = list(item, "disposition");
    if (dispositions.size() == 1) return;
    const std::string count =
        dispositions.empty() ? "none" : std::to_string(dispositions.size()) + " dispositions";
    flag(item, "lists.disposition", Kind::kTotal,
         dispositions.empty() ? Severity::kHigh : Severity::kMedium,
         dispositions.empty() ? "every item has one disposition" : Join(dispositions), count,
         dispositions.empty()
             ? "the lists do not add up to all items: this one is in none"
             : "the lists add up to more than all items: this one is counted twice");
    if (dispositions.size() < 2) return;
    const auto any = [&](std::string_view front) {
      return std::any_of(dispositions.begin(), dispositions.end(),
                         [&](const std::string& word) { return word.starts_with(front); });
    };
    const std::string state = fact == nullptr ? ""
                                              : ": " + measured_text(*fact) + ", outcome " +
                                                    std::string(word_of(fact->answer.outcome));
    if (any("do_not_retry")) {
      flag(item, "lists.disposition", Kind::kClassification, Severity::kMedium, Join(dispositions),
           "two classes that exclude each other" + state,
           "an item that is not to be retried is also listed otherwise");
    } else if (fact == nullptr && any("done") && any("need_")) {
      flag(item, "lists.disposition", Kind::kClassification, Severity::kMedium, Join(dispositions),
           "two classes that exclude each other" + state,
           "an item that is done is also listed as needing a run");
    }
  }

  // One item, two classes.
  void check_reason_and_category(const PublishedClaims& item, const Fact* fact) {
    for (const char* name : {"category", "reason", "layout"}) {
      const std::vector<std::string> words = list(item, name);
      if (words.size() < 2) continue;
      flag(item, std::string("lists.") + name, Kind::kClassification, Severity::kMedium,
           Join(words), "two classes", "one item in two classes of one list");
    }
    const std::string reason = item.in("reason");
    if (reason.empty()) return;
    if (fact != nullptr) check_reason(item, *fact, reason);
    const std::string category = item.in("category");
    const bool names_data = category == "docker_only" || arm_only(category);
    if (names_data && reason != category && !flagged_.contains({item.id, "lists.reason"})) {
      flag(item, "lists.reason", Kind::kClassification, Severity::kMedium,
           "category " + category + ", reason " + reason, "two classes for one item",
           "the same item is counted under both");
    }
  }

  void check_reason(const PublishedClaims& item, const Fact& fact, const std::string& reason) {
    if (const std::optional<Arm> arm = arm_only(reason)) {
      if (!fact.measured(*arm)) {
        flag(item, "lists.reason", Kind::kDataConflict, Severity::kMedium, reason,
             std::string(published::name_of(*arm)) + " value missing; " + measured_text(fact),
             "the reason names an arm that has no value");
      } else if (fact.measured_arms() > 1) {
        flag(item, "lists.reason", Kind::kClassification, Severity::kMedium, reason,
             measured_text(fact), "more arms have values than the reason says");
      }
    } else if (reason == "docker_only" && fact.measured_arms() > 0) {
      flag(item, "lists.reason", Kind::kClassification, Severity::kMedium, reason,
           measured_text(fact) + ": " + std::string(word_of(fact.answer.item_class)),
           "an arm was measured, so a build check is not all there is");
    } else if (reason == "docker_only" && !fact.item.verified) {
      flag(item, "lists.reason", Kind::kDataConflict, Severity::kMedium, reason,
           "no verification value; category " + item.in("category") + ", disposition " +
               item.in("disposition"),
           "the build check that is said to be all there is has no value");
    }
  }

  void check_classes(const PublishedClaims& item, const Fact& fact) {
    for (const char* name : {"category", "layout"}) {
      const std::string word = item.in(name);
      // The column layout "human_only" holds whatever has one value, also of other arms.
      if (word.empty() || (std::string_view(name) == "layout" && arm_only(word))) continue;
      if (class_holds(word, fact) != false) continue;
      flag(item, std::string("lists.") + name, Kind::kClassification, Severity::kHigh, word,
           std::string(word_of(fact.answer.item_class)) + ": " + measured_text(fact),
           "the data put the item into another class");
    }
    for (const std::string& disposition : list(item, "disposition")) {
      for (const Arm arm : published::kAllArms) {
        if (disposition != "need_" + std::string(published::name_of(arm)) + "_run") continue;
        const ArmStatus status = fact.item.status[published::index_of(arm)];
        if (status != ArmStatus::kFailed && status != ArmStatus::kMeasured) continue;
        flag(item, "lists.disposition", Kind::kClassification, Severity::kMedium, disposition,
             std::string(published::name_of(arm)) +
                 (status == ArmStatus::kFailed ? " already failed" : " already measured"),
             "the run that is said to be missing has been made");
      }
    }
  }

  // A list of causes that has another cause than the lists of results.
  void check_causes(const PublishedClaims& item, const Fact& fact) {
    static const std::set<std::string> kGeneral = {
        "only", "failed", "failure", "complete", "in", "not", "do", "retry", "error", "model"};
    std::set<std::string> known;
    std::string published;
    for (const char* name : {"reason", "category", "disposition"}) {
      for (const std::string& word : list(item, name)) {
        const std::vector<std::string> words = words_of(word);
        known.insert(words.begin(), words.end());
        AppendItem(published, word);
      }
    }
    if (item.in("reason").empty() || item.in("category").empty()) return;
    for (const published::PublishedNeed& need : fact.item.needs) {
      if (!need.cause) continue;
      const std::vector<std::string> words = words_of(*need.cause);
      const bool shared = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return !kGeneral.contains(word) && known.contains(word);
      });
      if (shared) continue;
      flag(item, "lists.reason", Kind::kDataConflict, Severity::kLow, published,
           "list \"" + need.by + "\" has the cause " + *need.cause,
           "two lists give one item different causes");
    }
  }

  // The same status and the same errors belong into one class.
  void check_one_class_per_state() {
    using State = std::pair<std::string, std::set<std::pair<std::string, std::string>>>;
    std::map<State, std::map<std::string, std::vector<const PublishedClaims*>>> states;
    for (const PublishedClaims& item : claims_.items) {
      const Fact* fact = find_fact(facts_, item.id);
      if (fact == nullptr || fact->measured_arms() > 0 || fact->item.errors.empty() ||
          !fact->item.pipeline_status || item.in("category").empty()) {
        continue;
      }
      State state{*fact->item.pipeline_status, {}};
      for (const published::PublishedError& error : fact->item.errors) {
        state.second.insert({error.arm, error.kind});
      }
      if (fact->item.verified) state.second.insert({"build", "verified"});
      states[state][item.in("category")].push_back(&item);
    }
    for (const auto& [state, categories] : states) {
      if (categories.size() < 2) continue;
      std::string names;
      for (const auto& [category, items] : categories) AppendItem(names, category);
      for (const auto& [category, items] : categories) {
        for (const PublishedClaims* item : items) {
          flag(*item, "lists.category", Kind::kDataConflict, Severity::kLow, category,
               "status " + state.first + " and the same errors are also in: " + names,
               "one state of the data, two classes");
        }
      }
    }
  }

  void check_models(const PublishedClaims& item) {
    for (std::size_t a = 0; a < item.models.size(); ++a) {
      for (std::size_t b = a + 1; b < item.models.size(); ++b) {
        const PublishedClaims::Model& first = item.models[a];
        const PublishedClaims::Model& second = item.models[b];
        const std::string conflict =
            model_conflict({first.name, first.cut}, {second.name, second.cut});
        if (conflict.empty()) continue;
        const auto shown = [](const PublishedClaims::Model& model) {
          return model.name + (model.cut ? " (cut)" : "") + " in \"" + model.by + "\"";
        };
        flag(item, "models", Kind::kModelConflict,
             conflict == kOtherFamily ? Severity::kHigh : Severity::kMedium, shown(first),
             shown(second), conflict);
      }
    }
  }

  const ClaimsFile& claims_;
  const std::vector<FactsFile>& facts_;
  AuditResult& result_;
  bool partitioned_ = false;
  std::set<std::pair<std::string, std::string>> flagged_;
};

}  // namespace

void check_published_lists(const ClaimsFile& claims, const std::vector<FactsFile>& facts,
                           AuditResult& result) {
  ListChecker(claims, facts, result).check();
}

}  // namespace perfgate::audit
