// SPDX-License-Identifier: Apache-2.0
// parity.h: what perfgate concluded of an agent's version against a human's, per case and metric,
// from one session of three arms, or of several agents' versions in one session.
//
// Effects are signed so that positive is worse for the second of a pair: in agent_human a positive
// effect is an agent that is slower than the human.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::inline evidence {

// Arms of a parity session, in this order. Further agents follow, under labels of their own.
inline constexpr std::array<std::string_view, 3> kParityArms = {"baseline", "human", "agent"};

// Worst first, in the order in which exits apply.
enum class ParityStatus {
  kInvalid,        // exit 14
  kFailed,         // the agent's fault: exit 11
  kLoss,           // slower than the human by more than the margin: exit 10
  kNotComparable,  // exit 13
  kMissing,        // the agent lacks the case: exit 13
  kSuspected,      // slower by more than the margin, in numbers that were recorded apart: exit 15
  kUnresolved,     // exit 12
  kMatch,          // within the margin; exit 12 while it is vacuous or that is not known
  kWin,
  kSkipped,  // every arm skips the case for one reason
  kNew,      // only the agent has the case
};

// What the 5 % point rule says of the medians; a convention, not evidence.
enum class PointRule { kWin, kMatch, kLoss, kNone };

inline constexpr std::array<std::string_view, 11> kParityStatusWords = {
    "invalid",    "failed", "loss", "not_comparable", "missing", "suspected",
    "unresolved", "match",  "win",  "skipped",        "new"};
inline constexpr std::array<std::string_view, 4> kPointRuleWords = {"win", "match", "loss", "none"};

constexpr EnumWords<kParityStatusWords.size()> enum_words(ParityStatus) {
  return {"outcome", kParityStatusWords};
}

constexpr EnumWords<kPointRuleWords.size()> enum_words(PointRule) {
  return {"label", kPointRuleWords};
}

// One arm against another.
struct ParityPair {
  ParityStatus status = ParityStatus::kUnresolved;
  int rounds = 0;      // that it rests on
  Effect effect;       // the printed interval decides
  std::string reason;  // why it does not compare; empty where it does
};

struct ParityColumn {
  std::string case_name;
  Metric metric;
  bool primary = false;     // decides the case; others are shown
  std::string primary_why;  // why this metric, or empty
  bool gated = true;        // false: shown, does not count
  double margin = 0;        // fraction for times and rates, the metric's unit for others
  ParityStatus outcome = ParityStatus::kUnresolved;
  std::optional<bool> vacuous;  // of a match: the human is within the margin of the baseline too
  Claim claim = Claim::kInsufficient;
  std::string reason;
  PointRule point_rule = PointRule::kNone;
  double point_delta = std::numeric_limits<double>::quiet_NaN();  // medians, fraction, + is better
  ParityPair agent_human;                                         // decides
  ParityPair human_baseline;
  ParityPair agent_baseline;
  std::optional<double> p_win;  // primary metrics: adjusted for looks and cases
  std::optional<double> p_loss;
  double baseline = std::numeric_limits<double>::quiet_NaN();  // medians over rounds, in the unit
  double human = std::numeric_limits<double>::quiet_NaN();
  double agent = std::numeric_limits<double>::quiet_NaN();
};

struct ParityVerdict {
  std::string session_id;
  std::string suite;
  std::string tool;
  std::string started;
  bool complete = false;
  std::string grade = "paired";  // evidence grade
  Exit exit = Exit::kInternal;
  std::string summary;  // one sentence
  int rounds = 0;
  double wall_s = 0;
  double timed_s = 0;
  Policy policy;  // its tolerance is the margin
  Schedule schedule;
  Machine machine;
  std::vector<ArmInfo> arms;
  std::vector<ParityColumn> columns;   // worst first, primary metrics before the others
  std::vector<std::string> conflicts;  // "sort: real_time says match, allocs says loss"
  std::vector<std::string> warnings;
  RoundConditions conditions;
  std::vector<int> cpus;
  TrustRecord trust{};  // who may have written the arms
};

// One agent's verdict in numbers: cases of which a gated, primary metric decides.
struct AgentSummary {
  std::string label;
  Exit exit = Exit::kInternal;
  std::size_t cases = 0;
  std::size_t wins = 0;
  std::size_t matches = 0;
  std::size_t vacuous = 0;  // of the matches
  std::size_t losses = 0;
  std::size_t failed = 0;
  std::size_t unresolved = 0;
  std::size_t others = 0;  // every other outcome
  // Wins and losses whose p, adjusted over all agents and cases, is at most 5 %.
  std::size_t claimed_wins = 0;
  std::size_t claimed_losses = 0;
};

// The evidence for a win and for a loss of one agent in one case, among all agents and cases.
struct AgentClaim {
  std::string agent;
  std::string case_name;
  double p_win = 1;  // adjusted for looks, agents and cases
  double p_loss = 1;
};

// What the verdicts on several agents come to together.
struct ParityTogether {
  Exit exit = Exit::kInternal;  // of the worst
  std::string summary;          // one sentence
  std::vector<AgentSummary> agents;
  std::vector<AgentClaim> claims;  // cases that carry a claim, by agent
};

struct ParityAgents {
  ParityTogether together;
  std::vector<ParityVerdict> verdicts;  // one per agent, as of a session of three arms
};

}  // namespace perfgate::inline evidence
