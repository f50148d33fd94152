// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/parity/parity_files.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "perfgate/verdict/arms.h"
#include "perfgate/verdict/parity/parity_column.h"
#include "perfgate/verdict/parity/parity_exit.h"
#include "perfgate/verdict/parity/parity_verdict.h"
#include "perfgate/verdict/parity/primary_choice.h"
#include "perfgate/verdict/recorded/imported_gate.h"

namespace perfgate::inline verdict {
namespace {

using Sessions = std::array<Session, kParityArms.size()>;
using Key = std::pair<std::string, std::string>;  // case and metric

// One arm against another, both ways round: whether it is slower, and whether it is faster.
struct BothWays {
  std::map<Key, ColumnVerdict> slower;
  std::map<Key, ColumnVerdict> faster;
  std::vector<std::string> warnings;
};

std::map<Key, ColumnVerdict> by_key(std::vector<ColumnVerdict> columns) {
  std::map<Key, ColumnVerdict> result;
  for (ColumnVerdict& column : columns) {
    const Key key{column.case_name, column.metric.name};
    result.emplace(key, std::move(column));
  }
  return result;
}

SuiteVerdict judge_two_sessions(const Session& first, const Session& second, const Policy& policy,
                                const std::vector<std::string>& allowed) {
  StoredEvidence evidence = evidence_of_files(first, second, policy);
  evidence.baseline_label = first.arms.front().label;
  evidence.candidate_label = second.arms.front().label;
  evidence.allowed = allowed;
  return decide_stored(evidence);
}

BothWays compare(const Session& first, const Session& second, const Policy& policy,
                 const std::vector<std::string>& allowed) {
  SuiteVerdict forward = judge_two_sessions(first, second, policy, allowed);
  return {by_key(std::move(forward.columns)),
          // The other way round on purpose: NOLINTNEXTLINE(readability-suspicious-call-argument)
          by_key(judge_two_sessions(second, first, policy, allowed).columns),
          std::move(forward.warnings)};
}

bool within_margin(const ColumnVerdict& column, double margin) {
  if (!std::isfinite(column.effect.lo) || !std::isfinite(column.effect.hi)) return false;
  if (!is_relative(column.metric.kind)) {
    return column.effect.lo >= -margin && column.effect.hi <= margin;
  }
  const double bound = std::log1p(margin);
  return std::log1p(column.effect.lo) >= -bound && std::log1p(column.effect.hi) <= bound;
}

ParityStatus status_of_columns(const ColumnVerdict& slower, const ColumnVerdict* faster,
                               double margin) {
  switch (slower.verdict) {
    case Verdict::kInvalid:
      return ParityStatus::kInvalid;
    case Verdict::kFailed:
      return ParityStatus::kFailed;
    case Verdict::kNotComparable:
      return ParityStatus::kNotComparable;
    case Verdict::kMissing:
      return ParityStatus::kMissing;
    case Verdict::kNew:
      return ParityStatus::kNew;
    case Verdict::kSkipped:
      return ParityStatus::kSkipped;
    case Verdict::kSuspected:
    case Verdict::kRegression:
      return ParityStatus::kSuspected;
    case Verdict::kInconclusive:
    case Verdict::kNoRegression:
    case Verdict::kImprovement:
      break;
  }
  // A record that lacks something, too few rounds or no samples: nothing can be concluded.
  if (slower.claim == Claim::kInsufficient) return ParityStatus::kUnresolved;
  if (faster != nullptr && faster->verdict == Verdict::kSuspected) return ParityStatus::kWin;
  return within_margin(slower, margin) ? ParityStatus::kMatch : ParityStatus::kUnresolved;
}

const ColumnVerdict* find(const std::map<Key, ColumnVerdict>& columns, const Key& key) {
  const auto found = columns.find(key);
  return found == columns.end() ? nullptr : &found->second;
}

ParityPair pair_of(const BothWays& comparison, const Key& key, double margin) {
  ParityPair pair;
  const ColumnVerdict* slower = find(comparison.slower, key);
  if (slower == nullptr) {
    pair.status = ParityStatus::kNotComparable;
    pair.reason = "metric_mismatch: one of the two does not report it";
    return pair;
  }
  pair.status = status_of_columns(*slower, find(comparison.faster, key), margin);
  pair.rounds = slower->rounds;
  pair.effect = slower->effect;
  pair.reason = slower->reason;
  return pair;
}

// The two were compared, whatever came of it: what failed has times that say nothing.
bool compares(ParityStatus status) {
  return status == ParityStatus::kWin || status == ParityStatus::kMatch ||
         status == ParityStatus::kSuspected || status == ParityStatus::kUnresolved;
}

// Against a baseline that failed or lacks the case nothing is measured; nobody is to blame.
ParityPair baseline_pair(const BothWays& comparison, const Key& key, double margin) {
  ParityPair pair = pair_of(comparison, key, margin);
  if (!compares(pair.status)) pair.status = ParityStatus::kNotComparable;
  return pair;
}

std::optional<bool> VacuityOfFiles(const ParityColumn& column) {
  if (column.outcome != ParityStatus::kMatch) return std::nullopt;
  if (column.human_baseline.status == ParityStatus::kMatch) return true;
  const bool has_effect = column.human_baseline.status == ParityStatus::kWin ||
                          column.human_baseline.status == ParityStatus::kSuspected;
  return has_effect ? std::optional(false) : std::nullopt;
}

struct Comparisons {
  BothWays agent_human;
  BothWays human_baseline;
  BothWays agent_baseline;
};

ParityColumn column_of(const Comparisons& all, const Key& key) {
  const ColumnVerdict& decides = all.agent_human.slower.at(key);
  const ColumnVerdict* reverse = find(all.agent_human.faster, key);
  ParityColumn column;
  column.case_name = decides.case_name;
  column.metric = decides.metric;
  column.gated = decides.gated;
  column.margin = decides.tolerance;
  column.human = decides.baseline;
  column.agent = decides.candidate;
  column.agent_human = pair_of(all.agent_human, key, column.margin);
  column.human_baseline = baseline_pair(all.human_baseline, key, column.margin);
  column.agent_baseline = baseline_pair(all.agent_baseline, key, column.margin);
  if (const ColumnVerdict* human = find(all.human_baseline.slower, key);
      human != nullptr && column.human_baseline.status != ParityStatus::kNotComparable) {
    column.baseline = human->baseline;
  }
  column.outcome = column.agent_human.status;
  column.vacuous = VacuityOfFiles(column);
  column.claim = decides.claim;
  column.reason = decides.reason;
  if (column.outcome == ParityStatus::kMatch &&
      column.human_baseline.status == ParityStatus::kNotComparable) {
    column.reason = "baseline: " + column.human_baseline.reason;
  }
  if (column.claim != Claim::kInsufficient) {
    column.p_loss = decides.p_adjusted;
    if (reverse != nullptr) column.p_win = reverse->p_adjusted;
  }
  if (compares(column.outcome)) apply_point_rule(column);
  return column;
}

void choose_primaries(std::vector<ParityColumn>& columns, const std::string& named) {
  std::map<std::string, std::vector<std::size_t>> by_case;
  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    metrics.push_back(columns[i].metric);
    if (columns[i].gated) by_case[columns[i].case_name].push_back(i);
  }
  for (const auto& [name, reported] : by_case) {
    const PrimaryChoice choice = choose_primary(metrics, reported, named);
    columns[choice.metric].primary = true;
    columns[choice.metric].primary_why = choice.why;
  }
}

// Arms that are one executable or one file can be told apart by noise alone.
void refuse_same(const Sessions& sessions, std::vector<ParityColumn>& columns) {
  for (const auto& [a, b] :
       {std::pair(kHuman, kAgent), std::pair(kBaseline, kAgent), std::pair(kBaseline, kHuman)}) {
    const ArmInfo& one = sessions[a].arms.front();
    const ArmInfo& other = sessions[b].arms.front();
    if (one.digest.empty() || one.digest != other.digest) continue;
    const std::string what = sessions[a].origins.empty() ? "same_executable: " : "same_file: ";
    for (ParityColumn& column : columns) {
      column.outcome = ParityStatus::kInvalid;
      column.claim = Claim::kInvalid;
      column.vacuous.reset();
      column.reason = what + one.label + " and " + other.label + " are one";
    }
    return;
  }
}

ParityVerdict FrameOfFiles(const Sessions& sessions, const Policy& policy) {
  const Session& agent = sessions[kAgent];
  ParityVerdict verdict;
  verdict.session_id = agent.id;
  verdict.suite = agent.suite;
  verdict.tool = agent.tool;
  verdict.started = agent.started;
  verdict.complete = true;
  verdict.grade = grade_of_files({&sessions[kBaseline], &sessions[kHuman], &sessions[kAgent]});
  verdict.rounds = static_cast<int>(agent.rounds.size());
  verdict.policy = policy;
  verdict.schedule.seed = std::string(16, '0');
  verdict.machine = agent.machine;
  for (const Session& session : sessions) {
    verdict.complete = verdict.complete && session.complete;
    verdict.arms.push_back(session.arms.front());
  }
  return verdict;
}

}  // namespace

ParityVerdict decide_parity_files(const std::array<Session, kParityArms.size()>& given,
                                  const Policy& policy, const std::string& primary_metric,
                                  const std::vector<std::string>& allowed,
                                  const std::string& agent_label) {
  Sessions sessions = given;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    if (sessions[i].arms.size() != 1) {
      throw Error(Exit::kData, "the " + std::string(kParityArms[i]) + "'s session has " +
                                   std::to_string(sessions[i].arms.size()) +
                                   " arms; a session of all three is judged with --from");
    }
    sessions[i].arms.front().label = i == kAgent ? agent_label : std::string(kParityArms[i]);
  }
  const auto compared = [&](std::size_t first, std::size_t second) {
    return compare(sessions[first], sessions[second], policy, allowed);
  };
  const Comparisons all{compared(kHuman, kAgent), compared(kBaseline, kHuman),
                        compared(kBaseline, kAgent)};
  ParityVerdict verdict = FrameOfFiles(sessions, policy);
  for (const auto& [key, column] : all.agent_human.slower) {
    verdict.columns.push_back(column_of(all, key));
  }
  choose_primaries(verdict.columns, primary_metric);
  refuse_same(sessions, verdict.columns);
  verdict.warnings = all.agent_human.warnings;
  conclude(verdict);
  return verdict;
}

}  // namespace perfgate::inline verdict
