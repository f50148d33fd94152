// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/experiments/recording.h"

#include <set>

#include "perfgate/base/error.h"
#include "perfgate/base/os/interrupt.h"
#include "perfgate/base/os/waiting.h"

namespace perfgate::gate {
namespace {

void RefuseFaults(const Session& session, const std::string& label) {
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

std::vector<RecordedSession> RecordSessions(const RecordRequest& request, GateDisplay& display) {
  MeasureRequest measuring;
  measuring.cpus = request.cpus;
  measuring.suite = request.suite;
  measuring.preload = request.preload;
  measuring.isolation = request.isolation;
  measure::MeasurePlan plan = PlanMeasurement(
      measuring, request.policy, {ExecutableArm(measuring, request.label, request.executable)});
  plan.reference = true;
  const Decider decider = FixedRounds(plan.policy.rounds);
  std::vector<RecordedSession> recorded;
  for (int i = 0; i < request.sessions; ++i) {
    if (i > 0) sleep_for(request.gap_s);
    if (request.sessions > 1) {
      display.Say("session " + std::to_string(i + 1) + " of " + std::to_string(request.sessions));
    }
    const Session session = measure::Measure(plan, HooksOf(decider, display));
    throw_if_interrupted();
    if (session.cases.empty()) {
      throw Error(Exit::kNotComparable,
                  "no case to measure: there is none, or --filter leaves none");
    }
    RefuseFaults(session, request.label);
    if (session.rounds.empty() || session.rounds.front().cases.empty()) {
      throw Error(Exit::kSkipped, "every case skips itself on this machine");
    }
    recorded.push_back(make_recorded(session));
    if (request.each) request.each(recorded.back());
  }
  return recorded;
}

}  // namespace perfgate::gate
