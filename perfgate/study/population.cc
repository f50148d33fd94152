// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/population.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "perfgate/base/json/json_writer.h"
#include "perfgate/published/primary_metric.h"

namespace perfgate::study {
namespace {

std::string QuotedText(std::string_view text) {
  std::string out;
  json_io::append_text(out, text);
  return out;
}

// Six digits.
struct PrintedValue {
  std::string text{};
  int decimals = 0;
};

PrintedValue Printed(double value) {
  constexpr int kDigits = 6;
  constexpr int kMost = 15;
  const int whole = value > 0 ? static_cast<int>(std::floor(std::log10(value))) + 1 : 1;
  const int decimals = std::min(kMost, std::max(0, kDigits - whole));
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return {text.data(), decimals};
}

bool IsTried(const ArmRecord& arm) {
  return (arm.status == ArmState::kReady || arm.status == ArmState::kMeasured) &&
         !arm.trial_case.empty();
}

// Of an arm whose value stands in the item, or does not. One executable twice has none of its own.
std::string StatusWord(const ArmRecord& arm, bool has_value) {
  const bool failed = arm.status != ArmState::kReady && arm.status != ArmState::kMeasured &&
                      arm.status != ArmState::kIdentical;
  if (failed) return "failed";
  return has_value ? "measured" : "not_run";
}

std::string ErrorToken(ArmState status) {
  return status == ArmState::kPatchDoesNotApply ? "patch_failed" : std::string(to_string(status));
}

// Published rules know no time of a case: it is the latency of a call.
std::string PublishedMetric(const CaseRecord& c) {
  return c.metric == "real_time" ? "latency_avg" : c.metric;
}

using ItemArms = std::array<const ArmRecord*, 3>;
using ItemValues = std::array<double, 3>;  // of baseline, human, agent; NaN: none
constexpr std::array<const char*, 3> kItemArms = {"baseline", "human", "agent"};

std::string ErrorsOf(const ItemArms& arms) {
  std::string list;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (StatusWord(*arms[i], false) != "failed") continue;
    if (!list.empty()) list += ", ";
    list += std::string(R"({"arm": ")") + kItemArms[i] + R"(", "kind": )" +
            QuotedText(ErrorToken(arms[i]->status)) + R"(, "by": "perfgate"})";
  }
  return "[" + list + "]";
}

std::string MeasurementText(const std::string& source, bool shared_run, const std::string& metric,
                            const std::string& unit, const std::string& better,
                            const ItemValues& values) {
  std::string arms;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const PrintedValue printed = Printed(values[i]);
    if (!arms.empty()) arms += ", ";
    arms += std::string("\"") + kItemArms[i] + R"(": {"value": )" + printed.text +
            R"(, "decimals": )" + std::to_string(printed.decimals) + "}";
  }
  return R"({"source": )" + QuotedText(source) + R"(, "shared_run": )" +
         (shared_run ? "true" : "false") + R"(, "metric": )" + QuotedText(metric) +
         R"(, "unit": )" + QuotedText(unit) + R"(, "better": )" + QuotedText(better) +
         R"(, "arms": {)" + arms + "}}";
}

// An arm that failed has no value, however far it came.
ItemValues ValuesOf(const CaseRecord& c, const ItemArms& arms) {
  constexpr double kNanosecond = 1e9;
  const double scale = c.unit == "s" ? kNanosecond : 1;
  ItemValues values = {c.baseline * scale, c.human * scale, c.agent * scale};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool usable = std::isfinite(values[i]) && values[i] >= 0;
    if (!usable || StatusWord(*arms[i], true) != "measured") values[i] = std::nan("");
  }
  return values;
}

struct Measurements {
  std::string text{};
  std::array<bool, 3> valued{};
};

void AddMeasurement(const std::string& text, const ItemValues& values, Measurements& all) {
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    any = true;
    all.valued[i] = true;
  }
  if (any) all.text += (all.text.empty() ? "" : ", ") + text;
}

// Where nothing was measured, the trial runs say which arms work. They name no model and are of
// separate runs, so that nobody compares their times.
void AddTrials(const ItemArms& arms, Measurements& all) {
  ItemValues values{};
  std::string unit;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = IsTried(*arms[i]) ? arms[i]->trial_time : std::nan("");
    if (IsTried(*arms[i])) unit = arms[i]->trial_unit;
  }
  AddMeasurement(MeasurementText("trial", false, "latency_avg", unit, "lower", values), values,
                 all);
}

std::string ItemOf(const TaskRecord& task, std::size_t agent) {
  const ArmRecord& arm = task.arms[agent + 2];
  const AgentRecord& result = task.agents[agent];
  const std::string id = task.agents.size() == 1 ? task.id : task.id + ":" + arm.label;
  const ItemArms arms = {&task.arms[0], &task.arms[1], &arm};
  Measurements measured;
  for (const CaseRecord& c : result.cases) {
    const ItemValues values = ValuesOf(c, arms);
    AddMeasurement(MeasurementText(c.name, true, PublishedMetric(c), c.unit == "s" ? "ns" : c.unit,
                                   c.better, values),
                   values, measured);
  }
  if (measured.text.empty()) AddTrials(arms, measured);
  std::string text = R"({"id": )" + QuotedText(id) + R"(, "subject": null, "model": )" +
                     (task.model.empty() ? "null" : QuotedText(task.model));
  text += std::string(R"(, "pipeline_status": ")") + (result.cases.empty() ? "error" : "success") +
          R"(", "status": {)";
  for (std::size_t i = 0; i < arms.size(); ++i) {
    text += std::string(i == 0 ? "" : ", ") + "\"" + kItemArms[i] + "\": \"" +
            StatusWord(*arms[i], measured.valued[i]) + "\"";
  }
  return text + R"(}, "measurements": [)" + measured.text +
         R"(], "verification": null, "errors": )" + ErrorsOf(arms) + R"(, "gpu_need": []})";
}

}  // namespace

std::vector<std::string> PopulationItems(const TaskRecord& task) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < task.agents.size(); ++i) items.push_back(ItemOf(task, i));
  return items;
}

}  // namespace perfgate::study
