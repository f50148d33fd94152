// SPDX-License-Identifier: Apache-2.0
#include "perfgate/cli/record_sessions.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/waiting.h"
#include "perfgate/cli/options/progress.h"
#include "perfgate/evidence/metrics/gpu_metrics.h"
#include "perfgate/measure/executable.h"
#include "perfgate/report/parts/format.h"

namespace perfgate::cli {
namespace {

Session measure_once(const measure::MeasurePlan& plan, const std::string& which) {
  ProgressDisplay display;
  if (!which.empty()) display.say(which);
  measure::Hooks hooks;
  hooks.plan_looks = [](Session& session, double) {
    session.schedule.looks = {session.policy.rounds};
    session.schedule.look_alpha = {0.0};
  };
  hooks.open_cases = [](const Session& session, int) {
    return std::vector<bool>(session.cases.size(), false);
  };
  hooks.progress = [&](const measure::Progress& progress) { display.show(progress); };
  return measure::measure(plan, hooks);
}

void refuse_faults(const Session& session, const std::string& label) {
  std::string text;
  std::set<std::size_t> cases;
  for (const Fault& fault : session.faults) {
    if (fault.kind == FaultKind::kSkipped) continue;
    if (!cases.insert(fault.case_index).second) continue;
    const std::string name =
        session.cases.empty() ? "the executable" : session.cases[fault.case_index].name;
    text += "\n  " + name + ": " + std::string(to_string(fault.kind)) + ": " + fault.detail;
  }
  if (!text.empty()) {
    throw Error(Exit::kFailed, "the " + label + " failed, nothing was recorded:" + text);
  }
}

}  // namespace

std::vector<RecordedSession> record_sessions(const RecordPlan& plan) {
  measure::MeasurePlan measuring;
  measuring.arms.push_back({plan.label, measure::inspect_executable(plan.executable)});
  measuring.policy = plan.policy;
  measuring.suite = plan.suite;
  measuring.tool = "perfgate " PERFGATE_VERSION;
  measuring.cpus = plan.cpus;
  measuring.reference = true;
  std::vector<RecordedSession> recorded;
  for (int i = 0; i < plan.sessions; ++i) {
    if (i > 0) sleep_for(plan.gap_s);
    const std::string which = plan.sessions == 1 ? ""
                                                 : "session " + std::to_string(i + 1) + " of " +
                                                       std::to_string(plan.sessions);
    const Session session = measure_once(measuring, which);
    throw_if_interrupted();
    if (session.cases.empty()) {
      throw Error(Exit::kNotComparable,
                  "no case to measure: there is none, or --filter leaves none");
    }
    refuse_faults(session, plan.label);
    if (session.rounds.empty() || session.rounds.front().cases.empty()) {
      throw Error(Exit::kSkipped, "every case skips itself on this machine");
    }
    recorded.push_back(make_recorded(session));
    if (plan.each) plan.each(recorded.back());
  }
  return recorded;
}

std::vector<std::string> disagreeing_cases(const RecordedSession& session, double limit) {
  std::vector<std::string> result;
  for (const RecordedCase& info : session.cases) {
    for (std::size_t m = 0; m < session.metrics.size(); ++m) {
      if (!is_relative(session.metrics[m].kind)) continue;
      if (is_informational(session.metrics[m].name)) continue;
      std::vector<double> values = info.values[m];
      std::erase_if(values, [](double v) { return !std::isfinite(v); });
      if (values.size() < 2) continue;
      const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
      if (*hi <= *lo * (1 + limit)) continue;
      result.push_back(info.name + " " + session.metrics[m].name + ": " +
                       report::format_value(*lo, session.metrics[m]) + " to " +
                       report::format_value(*hi, session.metrics[m]) + " over " +
                       std::to_string(values.size()) + " rounds (+" +
                       std::to_string(std::lround(100 * (*hi / *lo - 1))) + " %)");
    }
  }
  return result;
}

}  // namespace perfgate::cli
