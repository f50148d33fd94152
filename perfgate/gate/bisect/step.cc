// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gate/bisect/step.h"

#include <algorithm>
#include <cmath>

#include "perfgate/base/os/interrupt.h"
#include "perfgate/evidence/files/files.h"
#include "perfgate/gate/gate.h"
#include "perfgate/verdict/gate/unchanged_code.h"

namespace perfgate::gate {
namespace {

constexpr int kMoreRounds = 20;  // of each further attempt

std::string Escaped(const std::string& name) {
  std::string pattern = "^";
  for (const char c : name) {
    if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "$";
}

GateRequest RequestOf(const BisectRequest& request, const std::string& baseline,
                      const std::string& candidate) {
  GateRequest gate;
  gate.baseline = baseline;
  gate.candidate = candidate;
  gate.measure = request.measure;
  gate.measure.session.clear();
  gate.ledger = request.folder + "/ledger";
  gate.store.cache = request.folder + "/executables";
  return gate;
}

// The policy of steps as a file, since rules of cases go before what a command line says.
std::string StepPolicy(const BisectRequest& request, const Bisection& bisection) {
  Policy policy = bisection.policy;
  policy.overrides.clear();
  policy.filter = Escaped(bisection.case_name);
  policy.expected.clear();
  CaseRule others;
  others.gate = false;
  CaseRule chosen;
  chosen.metric = bisection.metric;
  chosen.tolerance = bisection.tolerance;
  chosen.gate = true;
  policy.cases = {others, chosen};
  const std::string file = request.folder + "/step.policy.json";
  write_policy(file, policy);
  return file;
}

const ColumnVerdict* ColumnOf(const SuiteVerdict& verdict, const Bisection& bisection) {
  const auto found = std::find_if(
      verdict.columns.begin(), verdict.columns.end(), [&](const ColumnVerdict& column) {
        return column.case_name == bisection.case_name && column.metric.name == bisection.metric;
      });
  return found == verdict.columns.end() ? nullptr : &*found;
}

BisectAnswer WordOf(const ColumnVerdict& column) {
  if (column.verdict == Verdict::kRegression) return BisectAnswer::kBad;
  if (column.verdict == Verdict::kNoRegression || column.verdict == Verdict::kImprovement) {
    return BisectAnswer::kGood;
  }
  // Slower, and its code is the same: the link moved it, and that is not the change looked for.
  if (IsWithheldByLayout(column)) return BisectAnswer::kGood;
  return BisectAnswer::kSkipped;
}

}  // namespace

BisectCommit AnswerOf(const SuiteVerdict& verdict, const Bisection& bisection) {
  BisectCommit answer;
  answer.answer = BisectAnswer::kSkipped;
  if (verdict.identical) {
    answer.answer = BisectAnswer::kGood;
    answer.reason = "identical executable";
    return answer;
  }
  const ColumnVerdict* column = ColumnOf(verdict, bisection);
  if (column == nullptr) {
    answer.reason = "it has no such case";
    if (!verdict.columns.empty() && !verdict.columns.front().reason.empty()) {
      answer.reason = verdict.columns.front().reason;
    }
    return answer;
  }
  answer.answer = WordOf(*column);
  answer.rounds = column->rounds;
  answer.estimate = column->effect.estimate;
  answer.lo = column->effect.lo;
  answer.hi = column->effect.hi;
  answer.reason = std::string(to_string(column->verdict)) +
                  (column->reason.empty() ? "" : ": " + column->reason);
  return answer;
}

BisectCommit MeasureStep(const BisectRequest& request, const Bisection& bisection,
                         const std::string& baseline, const std::string& candidate,
                         GateDisplay& display) {
  BisectCommit answer;
  for (int attempt = 0; attempt < request.attempts; ++attempt) {
    GateRequest gate = RequestOf(request, baseline, candidate);
    gate.measure.policy = {.file = StepPolicy(request, bisection), .overrides = {}};
    if (attempt > 0) {
      gate.measure.policy.overrides.rounds = kMoreRounds;
      display.Say("perfgate: undecided; measuring on");
    }
    try {
      answer = AnswerOf(RunGate(gate, display).verdict, bisection);
    } catch (const Error& error) {
      if (error.exit() == Exit::kUsage || error.exit() == Exit::kInternal) throw;
      answer = {};
      answer.answer = BisectAnswer::kSkipped;
      answer.reason = error.what();
    }
    throw_if_interrupted();
    if (answer.answer != BisectAnswer::kSkipped || answer.rounds == 0) break;
  }
  return answer;
}

SuiteVerdict MeasureEnds(const BisectRequest& request, const std::string& good,
                         const std::string& bad, GateDisplay& display) {
  SuiteVerdict verdict = RunGate(RequestOf(request, good, bad), display).verdict;
  throw_if_interrupted();
  return verdict;
}

}  // namespace perfgate::gate
