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

std::string StatusWord(const ArmRecord& arm) {
  if (arm.status == ArmState::kMeasured || IsTried(arm)) return "measured";
  // One executable twice has no value of its own.
  if (arm.status == ArmState::kReady || arm.status == ArmState::kIdentical) return "not_run";
  return "failed";
}

std::string ErrorToken(ArmState status) {
  return status == ArmState::kPatchDoesNotApply ? "patch_failed" : std::string(to_string(status));
}

std::string ErrorsOf(const std::vector<const ArmRecord*>& arms) {
  constexpr std::array<const char*, 3> kNames = {"baseline", "human", "agent"};
  std::string list;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (StatusWord(*arms[i]) != "failed") continue;
    if (!list.empty()) list += ", ";
    list += std::string(R"({"arm": ")") + kNames[i] + R"(", "kind": )" +
            QuotedText(ErrorToken(arms[i]->status)) + R"(, "by": "perfgate"})";
  }
  return "[" + list + "]";
}

// Published rules know no time of a case: it is the latency of a call.
std::string PublishedMetric(const CaseRecord& c) {
  return c.metric == "real_time" ? "latency_avg" : c.metric;
}

std::string MeasurementOf(const CaseRecord& c) {
  constexpr double kNanosecond = 1e9;
  const double scale = c.unit == "s" ? kNanosecond : 1;
  std::string text = R"({"source": )" + QuotedText(c.name) + R"(, "shared_run": true, "metric": )" +
                     QuotedText(PublishedMetric(c)) + R"(, "unit": )" +
                     QuotedText(c.unit == "s" ? "ns" : c.unit) + R"(, "better": )" +
                     QuotedText(c.better) + R"(, "arms": {)";
  bool first = true;
  for (const auto& [name, value] :
       {std::pair("baseline", c.baseline), {"human", c.human}, {"agent", c.agent}}) {
    if (!std::isfinite(value) || value < 0) continue;
    const PrintedValue printed = Printed(value * scale);
    text += std::string(first ? "" : ", ") + "\"" + name + R"(": {"value": )" + printed.text +
            R"(, "decimals": )" + std::to_string(printed.decimals) + "}";
    first = false;
  }
  return text + "}}";
}

// Where nothing was measured, the trial runs say which arms work. They name no model and are of
// separate runs, so that nobody compares their times.
std::string TrialsOf(const std::vector<const ArmRecord*>& arms) {
  constexpr std::array<const char*, 3> kNames = {"baseline", "human", "agent"};
  std::string values;
  std::string unit;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (!IsTried(*arms[i])) continue;
    const PrintedValue printed = Printed(arms[i]->trial_time);
    if (!values.empty()) values += ", ";
    values += std::string("\"") + kNames[i] + R"(": {"value": )" + printed.text +
              R"(, "decimals": )" + std::to_string(printed.decimals) + "}";
    unit = arms[i]->trial_unit;
  }
  if (values.empty()) return "";
  return R"({"source": "trial", "shared_run": false, "metric": "latency_avg", "unit": )" +
         QuotedText(unit) + R"(, "better": "lower", "arms": {)" + values + "}}";
}

std::string ItemOf(const TaskRecord& task, std::size_t agent) {
  const ArmRecord& arm = task.arms[agent + 2];
  const AgentRecord& result = task.agents[agent];
  const std::string id = task.agents.size() == 1 ? task.id : task.id + "/" + arm.label;
  const std::vector<const ArmRecord*> arms = {&task.arms[0], &task.arms[1], &arm};
  std::string text = R"({"id": )" + QuotedText(id) + R"(, "subject": null, "model": )" +
                     (task.model.empty() ? "null" : QuotedText(task.model));
  text += std::string(R"(, "pipeline_status": ")") + (result.cases.empty() ? "error" : "success") +
          R"(", "status": {)";
  constexpr std::array<const char*, 3> kNames = {"baseline", "human", "agent"};
  for (std::size_t i = 0; i < arms.size(); ++i) {
    text +=
        std::string(i == 0 ? "" : ", ") + "\"" + kNames[i] + "\": \"" + StatusWord(*arms[i]) + "\"";
  }
  text += R"(}, "measurements": [)";
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    text += (i == 0 ? "" : ", ") + MeasurementOf(result.cases[i]);
  }
  if (result.cases.empty()) text += TrialsOf(arms);
  return text + R"(], "verification": null, "errors": )" + ErrorsOf(arms) + R"(, "gpu_need": []})";
}

}  // namespace

std::vector<std::string> PopulationItems(const TaskRecord& task) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < task.agents.size(); ++i) items.push_back(ItemOf(task, i));
  return items;
}

}  // namespace perfgate::study
