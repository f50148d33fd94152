// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/suites/gate_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "perfgate/base/text/shell_words.h"

namespace perfgate::report {
namespace {

using Words = std::vector<std::string>;

void Add(Words& words, const std::string& option, const std::string& value) {
  if (value.empty()) return;
  words.push_back(option);
  words.push_back(value);
}

template <class Value>
void AddNumber(Words& words, const std::string& option, Value value, Value usual,
               const std::string& unit = "") {
  if (value == usual) return;
  // Ten digits: 0.07 of 1 is 7 %, and not 7.000000000000001 %.
  Add(words, option, fmt::format("{:.10g}{}", static_cast<double>(value), unit));
}

void AddPolicy(Words& words, const Policy& policy) {
  constexpr double kPerCent = 100;
  const Policy usual;
  AddNumber(words, "--tolerance", policy.tolerance * kPerCent, usual.tolerance * kPerCent, "%");
  AddNumber(words, "--alpha", policy.alpha * kPerCent, usual.alpha * kPerCent, "%");
  AddNumber(words, "--hide-limit", policy.hide_limit * kPerCent, usual.hide_limit * kPerCent, "%");
  AddNumber(words, "--rounds", policy.rounds, usual.rounds);
  if (policy.rounds == 0) AddNumber(words, "--budget", policy.budget_s, usual.budget_s, "s");
  AddNumber(words, "--slice", policy.slice_s, usual.slice_s, "s");
  AddNumber(words, "--pairs", policy.pairs, usual.pairs);
  Add(words, "--filter", policy.filter);
}

// Of layouts the folder: "old/layouts" of "old/layouts/0000/bench".
std::string PathOf(const ArmInfo& arm) {
  if (arm.layouts == 0) return arm.path;
  return std::filesystem::path(arm.path).parent_path().parent_path().string();
}

void AddArm(Words& words, const std::string& name, const ArmInfo& arm, const ArmInfo& other) {
  Add(words, "--" + name, PathOf(arm));
  Add(words, "--" + name + "-args", ShellLine(arm.arguments));
  for (const NamedValue& variable : arm.environment) {
    Add(words, "--" + name + "-env", variable.name + "=" + variable.value);
  }
  if (!other.compared_cases.empty()) Add(words, "--" + name + "-filter", arm.compared_cases);
}

}  // namespace

std::string GateCommandOf(const SuiteVerdict& verdict) {
  if (verdict.arms.size() != 2 || !verdict.grade.starts_with("paired")) return "";
  const ArmInfo& baseline = verdict.arms[0];
  const ArmInfo& candidate = verdict.arms[1];
  Words words = {"perfgate", "gate"};
  const bool lines = candidate.driver == DriverKind::kCommand;
  if (!lines) {
    AddArm(words, "baseline", baseline, candidate);
    AddArm(words, "candidate", candidate, baseline);
  }
  if (verdict.aa) words.emplace_back("--aa");
  Add(words, "--suite", verdict.suite);
  AddPolicy(words, verdict.policy);
  Add(words, "--seed", verdict.schedule.seed);
  if (lines) {
    words.insert(words.end(), {"--command", "--", baseline.path, candidate.path});
  }
  return ShellLine(words);
}

}  // namespace perfgate::report
