// SPDX-License-Identifier: Apache-2.0
#include "perfgate/published/studies/change_log.h"

#include <fmt/format.h>

#include <map>

#include "perfgate/published/studies/population_record.h"

namespace perfgate::published {
namespace {

using nlohmann::json;

std::string TextOf(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string FieldName(const std::string& source, const json& m, const std::string& arm) {
  const std::string unit = TextOf(m, "unit");
  return source + " " + TextOf(m, "metric") + (unit.empty() ? "" : " [" + unit + "]") + " " + arm;
}

struct LiveValue {
  json value;
  std::vector<std::string> older;  // fields that this one replaces
};

std::map<std::string, LiveValue> LiveValues(const json& record) {
  std::map<std::string, LiveValue> values;
  for (const json& m : record["measurements"]) {
    if (IsReplaced(m)) continue;
    for (const auto& [arm, value] : m["arms"].items()) {
      LiveValue live{value["value"], {}};
      for (const json& source : m.value("replaces", json::array())) {
        if (source.is_string()) live.older.push_back(FieldName(source, m, arm));
      }
      values[FieldName(TextOf(m, "source"), m, arm)] = std::move(live);
    }
  }
  return values;
}

class RecordComparison {
 public:
  RecordComparison(const json& before, const json& after, std::vector<PopulationChange>& changes)
      : before_(before), after_(after), changes_(changes) {}

  void Compare() {
    const std::size_t first = changes_.size();
    for (const char* name : {"subject", "model", "pipeline_status"}) {
      Add(name, before_[name], after_[name], "a newer file says so");
    }
    for (const std::string_view arm : kArmNames) {
      const std::string key(arm);
      Add("status " + key, before_["status"][key], after_["status"][key],
          "follows from the values");
    }
    CompareValues();
    Add("errors", before_["errors"], after_["errors"], "a newer file states a failure");
    if (changes_.size() == first && before_ != after_) {
      Add("record", "older marks", "newer marks", "marks or details of values that stay");
    }
  }

 private:
  void Add(const std::string& field, const json& before, const json& after,
           const std::string& why) {
    if (before != after) changes_.push_back({TextOf(after_, "id"), field, before, after, why});
  }

  void CompareValues() {
    auto before = LiveValues(before_);
    for (const auto& [field, live] : LiveValues(after_)) {
      json old_value;
      std::string why = "a newer file holds it";
      auto found = before.find(field);
      for (std::size_t i = 0; found == before.end() && i < live.older.size(); ++i) {
        found = before.find(live.older[i]);
        if (found != before.end()) why = "a rerun takes the place of " + live.older[i];
      }
      if (found != before.end()) {
        if (found->first == field) why = "the source was read again and holds another value";
        old_value = found->second.value;
        before.erase(found);
      }
      Add(field, old_value, live.value, why);
    }
    for (const auto& [field, live] : before) {
      Add(field, live.value, nullptr, "a rerun outdates it");
    }
  }

  const json& before_;
  const json& after_;
  std::vector<PopulationChange>& changes_;
};

std::string Shown(const json& value) {
  std::string text =
      value.is_null() ? "none" : value.dump(-1, ' ', false, json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('`', at)) != std::string::npos;) text[at] = '\'';
  return text;
}

}  // namespace

std::vector<PopulationChange> ComparePopulations(const json& old_population,
                                                 const json& new_population) {
  std::map<std::string, const json*> before;
  for (const json& record : old_population["commits"]) before[record["id"]] = &record;
  std::vector<PopulationChange> changes;
  for (const json& record : new_population["commits"]) {
    const auto old_record = before.find(record["id"]);
    if (old_record == before.end()) {
      changes.push_back({record["id"], "commit", nullptr, "added", "a newer source holds it"});
    } else {
      RecordComparison(*old_record->second, record, changes).Compare();
    }
  }
  return changes;
}

std::string ChangesJson(const std::vector<PopulationChange>& changes) {
  nlohmann::ordered_json result = {{"format", "perfgate-parity-changes/1"},
                                   {"n", changes.size()},
                                   {"changes", nlohmann::ordered_json::array()}};
  for (const PopulationChange& change : changes) {
    result["changes"].push_back({{"commit", change.commit},
                                 {"field", change.field},
                                 {"old", change.old_value},
                                 {"new", change.new_value},
                                 {"why", change.why}});
  }
  return result.dump(2) + "\n";
}

std::string ChangesMarkdown(const std::vector<PopulationChange>& changes) {
  std::string text;
  for (const PopulationChange& change : changes) {
    text += fmt::format("- `{}` {}: `{}` -> `{}`, {}\n", change.commit, change.field,
                        Shown(change.old_value), Shown(change.new_value), change.why);
  }
  return text.empty() ? "No changes.\n" : text;
}

}  // namespace perfgate::published
