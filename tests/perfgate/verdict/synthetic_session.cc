// SPDX-License-Identifier: Apache-2.0
#include "tests/perfgate/verdict/synthetic_session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perfgate/stats/design/looks.h"

namespace perfgate::synthetic {
namespace {

std::vector<double> slices(const std::vector<double>& values) {
  return values.size() == 1 ? std::vector<double>(kPairs, values.front()) : values;
}

}  // namespace

Session empty_session(const std::vector<std::string>& cases, const std::vector<Metric>& metrics,
                      int rounds) {
  Session session;
  session.id = std::string(32, '0');
  session.tool = "perfgate test";
  session.complete = true;
  session.schedule.seed = std::string(16, '0');
  session.policy.plausibility = Plausibility::kOff;  // times made from numbers have no spread
  session.metrics = metrics;
  for (const char* label : {"baseline", "candidate"}) {
    ArmInfo arm;
    arm.label = label;
    arm.path = std::string("/bin/") + label;
    arm.digest = std::string("sha256:") + label;
    arm.build.compiler = "GNU 12";
    arm.build.known = true;
    arm.build.optimized = true;
    session.arms.push_back(arm);
  }
  for (const std::string& name : cases) {
    CaseInfo info;
    info.name = name;
    session.cases.push_back(info);
  }
  if (rounds > 0) plan(session, rounds);
  return session;
}

void plan(Session& session, int rounds) {
  session.schedule.looks.clear();
  session.schedule.look_alpha.clear();
  for (const stats::Look& look : stats::plan_looks(session.policy.alpha, rounds, true)) {
    session.schedule.looks.push_back(look.rounds);
    session.schedule.look_alpha.push_back(look.alpha);
  }
}

RoundInfo& add_round(Session& session) {
  RoundInfo round;
  round.index = static_cast<int>(session.rounds.size());
  session.rounds.push_back(round);
  return session.rounds.back();
}

void add_case(Session& session, std::size_t case_index, const std::vector<Values>& metrics) {
  CaseRound measured;
  measured.case_index = case_index;
  for (const Values& values : metrics) {
    measured.values.push_back({slices(values.baseline), slices(values.candidate)});
  }
  session.rounds.back().cases.push_back(measured);
}

void add_ratio(Session& session, std::size_t case_index, double d) {
  add_case(session, case_index, {{{1e-6}, {1e-6 * std::exp(d)}}});
}

void add_ratio_round(Session& session, const std::function<double(std::size_t)>& ratio) {
  add_round(session);
  for (std::size_t c = 0; c < session.cases.size(); ++c) add_ratio(session, c, ratio(c));
}

void add_fault(Session& session, std::size_t case_index, int arm, FaultKind kind,
               const std::string& detail, int round) {
  session.faults.push_back({case_index, arm, round, kind, detail});
}

const ColumnVerdict& find_column(const SuiteVerdict& suite, const std::string& case_name,
                                 const std::string& metric) {
  const auto found =
      std::find_if(suite.columns.begin(), suite.columns.end(), [&](const ColumnVerdict& column) {
        return column.case_name == case_name && column.metric.name == metric;
      });
  if (found != suite.columns.end()) return *found;
  ADD_FAILURE() << "no column for " << metric << " of " << case_name;
  static const ColumnVerdict kNone;
  return kNone;
}

Session mirrored(Session session) {
  for (RoundInfo& round : session.rounds) {
    for (CaseRound& measured : round.cases) {
      for (auto& arms : measured.values) std::swap(arms[0], arms[1]);
    }
  }
  for (Fault& fault : session.faults) fault.arm = 1 - fault.arm;
  return session;
}

Session reordered(const Session& session, const std::vector<std::size_t>& order) {
  Session result = session;
  for (std::size_t c = 0; c < order.size(); ++c) result.cases[order[c]] = session.cases[c];
  for (RoundInfo& round : result.rounds) {
    for (CaseRound& measured : round.cases) measured.case_index = order[measured.case_index];
  }
  for (Fault& fault : result.faults) fault.case_index = order[fault.case_index];
  return result;
}

}  // namespace perfgate::synthetic
