// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/hot_code.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/code/hot_code.h"
#include "perfgate/code/sampling/sample.h"
#include "perfgate/measure/driver/process/case_filter.h"
#include "perfgate/measure/isolation/isolation.h"
#include "perfgate/measure/isolation/sandbox.h"
#include "perfgate/verdict/gate/suite_verdict.h"
#include "perfgate/verdict/gate/unchanged_code.h"

namespace perfgate::gate {
namespace {

constexpr int kEnoughSamples = 500;
constexpr int kMostLaunches = 10;    // cases of few iterations end long before their time
constexpr double kMostSeconds = 20;  // of one arm of one case
constexpr std::size_t kShownFunctions = 5;

HotCodeStatus StatusOf(code::CodeStatus status) {
  switch (status) {
    case code::CodeStatus::kUnchanged:
      return HotCodeStatus::kUnchanged;
    case code::CodeStatus::kChanged:
      return HotCodeStatus::kChanged;
    case code::CodeStatus::kUnknown:
      break;
  }
  return HotCodeStatus::kUnknown;
}

int SamplesIn(const code::ProgramSamples& samples) {
  int count = 0;
  for (const auto& [place, times] : samples.counts) count += times;
  return count;
}

// Why the arm could not be sampled; empty: it was.
std::string SampleCase(const measure::MeasurePlan& plan, std::size_t index, const std::string& name,
                       code::SamplingMeans means, code::ProgramSamples& samples) {
  const measure::ArmPlan& arm = plan.arms[index];
  code::SampleRequest request;
  request.isolate = [&](SpawnOptions& options) {
    measure::Launch launch;
    launch.exec_path = options.path;
    measure::IsolateLaunch(plan, index, arm.executable, launch);
    options.path = launch.exec_path;
    if (launch.sandbox) launch.sandbox->Wrap({}, options);
  };
  request.executable = arm.executable.path;
  request.args = {"--benchmark_filter=" + measure::filter_of(name), "--benchmark_min_time=0.5"};
  request.args.insert(request.args.end(), arm.arguments.begin(), arm.arguments.end());
  request.variables = arm.environment;
  request.limit_s = kMostSeconds;
  const Deadline deadline = Deadline::in(kMostSeconds);
  for (int i = 0; i < kMostLaunches && !deadline.passed(); ++i) {
    const std::string trouble = code::SampleProgram(request, means, samples);
    if (!trouble.empty()) return trouble;
    if (SamplesIn(samples) >= kEnoughSamples) break;
  }
  return {};
}

HotCode ExplainCase(const measure::MeasurePlan& plan, const std::string& name,
                    code::SamplingMeans means) {
  HotCode result;
  result.case_name = name;
  std::array<code::ProgramSamples, 2> samples;
  try {
    for (std::size_t arm = 0; arm < samples.size(); ++arm) {
      result.reason = SampleCase(plan, arm, name, means, samples[arm]);
      if (!result.reason.empty()) return result;
    }
  } catch (const Error& error) {
    result.reason = error.what();
    return result;
  }
  const code::CodeComparison found = code::CompareHotCode(samples[0], samples[1]);
  result.status = StatusOf(found.status);
  result.same_share = std::clamp(found.same_share, 0.0, 1.0);
  result.reason = found.reason;
  for (const code::HotFunction& function : found.changed) {
    if (result.changed.size() < kShownFunctions) result.changed.push_back(function.symbol);
  }
  return result;
}

bool IsKnown(const Session& session, const std::string& name) {
  return std::any_of(session.hot_code.begin(), session.hot_code.end(),
                     [&](const HotCode& code) { return code.case_name == name; });
}

std::vector<std::string> CasesOf(HotCodeUse use, const Session& session) {
  std::vector<std::string> names;
  if (use == HotCodeUse::kNamed) names = CasesToExplain(session, decide(session));
  if (use == HotCodeUse::kAll) {
    for (const CaseInfo& info : session.cases) {
      if (info.slice_s > 0) names.push_back(info.name);
    }
  }
  std::erase_if(names, [&](const std::string& name) { return IsKnown(session, name); });
  return names;
}

}  // namespace

void ExplainCases(const measure::MeasurePlan& plan, HotCodeUse use, Session& session,
                  GateDisplay& display) {
  if (plan.list_only || plan.arms.size() != 2 || session.rounds.empty()) return;
  const std::vector<std::string> names = CasesOf(use, session);
  if (names.empty()) return;
  display.Say("perfgate: sampling " + std::to_string(names.size()) +
              " case(s) to see whether their code is the same in both");
  const code::SamplingMeans means =
      code::KernelSamples() ? code::SamplingMeans::kKernel : code::SamplingMeans::kPreload;
  for (const std::string& name : names) {
    session.hot_code.push_back(ExplainCase(plan, name, means));
  }
}

}  // namespace perfgate::gate
