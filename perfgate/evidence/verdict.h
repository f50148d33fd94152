// SPDX-License-Identifier: Apache-2.0
// verdict.h: what perfgate concluded, per case and metric and for the whole suite.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/error.h"
#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/session.h"

namespace perfgate::inline evidence {

enum class Verdict {
  kInvalid,
  kFailed,
  kRegression,
  kNotComparable,
  kMissing,
  kSuspected,
  kInconclusive,
  kNoRegression,
  kImprovement,
  kSkipped,
  kNew,
};

enum class Claim { kInvalid, kInsufficient, kStrong, kDirectional, kParity, kNoiseDominated };

constexpr EnumWords<11> enum_words(Verdict) {
  return {"verdict",
          {{"invalid", "failed", "regression", "not_comparable", "missing", "suspected",
            "inconclusive", "no_regression", "improvement", "skipped", "new"}}};
}

constexpr EnumWords<6> enum_words(Claim) {
  return {"claim",
          {{"invalid", "insufficient", "strong", "directional", "parity", "noise_dominated"}}};
}

// Effects are signed so that positive is worse. For times and rates they are fractions (0.05: five
// per cent slower: time ratio 1.05); for counts and scores they are differences in the unit.
struct Effect {
  double estimate = std::numeric_limits<double>::quiet_NaN();
  double lo = std::numeric_limits<double>::quiet_NaN();  // NaN where there is no interval
  double hi = std::numeric_limits<double>::quiet_NaN();
  double range_lo = std::numeric_limits<double>::quiet_NaN();  // min and max below 6 rounds
  double range_hi = std::numeric_limits<double>::quiet_NaN();
  double range_confidence = 0;
};

struct ColumnVerdict {
  std::string case_name;
  Metric metric;
  Verdict verdict = Verdict::kInconclusive;
  Claim claim = Claim::kInsufficient;
  std::string reason;  // a named reason and its detail; empty for ordinary verdicts
  bool gated = true;   // false: shown, does not count
  double tolerance = 0;
  int rounds = 0;
  Effect effect;
  std::optional<double> p_adjusted;  // at the last FAIL look that the column took part in
  double noise_sd = std::numeric_limits<double>::quiet_NaN();  // between rounds, log ratio
  // Of inconclusive times and rates from 6 rounds: how much wider the candidate's own rounds spread
  // than the baseline's, and from twice as wide the p of that by chance
  // (stats/inference/scale_ratio.h).
  double noise_ratio = std::numeric_limits<double>::quiet_NaN();
  double noise_ratio_p = std::numeric_limits<double>::quiet_NaN();
  std::optional<int> rounds_to_pass;  // more rounds, about; absent where it would not pass
  std::optional<int> rounds_to_fail;
  // Of the nearer of the two: the range that holds the true number in about 80 % of cases.
  std::optional<int> rounds_range_lo;
  std::optional<int> rounds_range_hi;  // absent: no number need be enough
  bool noise_unstable = false;         // two estimates of the noise differ by more than 2x
  std::optional<double> detectable;    // smallest slowdown found with 80 % power at this n
  double baseline = std::numeric_limits<double>::quiet_NaN();  // medians over rounds, in the unit
  double candidate = std::numeric_limits<double>::quiet_NaN();
  double setup_share = 0;
  // Of a case that was decided over layouts: what one link showed, and the spread of rounds there
  // and over layouts beyond it, both as log ratios.
  Effect link_effect;
  double link_sd = std::numeric_limits<double>::quiet_NaN();
  double layout_sd = std::numeric_limits<double>::quiet_NaN();
  // "code unchanged", "code changed: f, g" or "code not checked: why"; empty: not asked.
  std::string hot_code;
};

struct SuiteVerdict {
  std::string session_id;
  std::string suite;
  std::string tool;
  std::string started;
  bool complete = false;
  std::string grade = "paired";  // evidence grade
  // Of stored evidence: sessions on either side, and the head of the baseline's chain.
  int baseline_sessions = 0;
  int candidate_sessions = 0;
  std::string baseline_head;
  std::string ledger_head;  // of the ledger of attempts, with this one; empty: no ledger
  bool identical = false;   // both arms are the same executable and nothing was measured
  bool aa = false;          // declared A/A run
  Exit exit = Exit::kInternal;
  std::string summary;  // one sentence
  int rounds = 0;
  int layout_rounds = 0;  // of them over layouts; 0: one link of each arm
  int jobs = 0;           // of a fleet that measured it (fleet/fleet.h); 0: one run
  double wall_s = 0;
  double timed_s = 0;
  Policy policy;
  Schedule schedule;
  Machine machine;
  std::vector<ArmInfo> arms;
  std::vector<ColumnVerdict> columns;  // worst first
  std::vector<std::string> warnings;
  // Where the machine stood in the rounds: medians over rounds.
  RoundConditions conditions;
  std::vector<int> cpus;
  TrustRecord trust{};    // who may have written the arms
  int gated_cases = 0;    // cases with a gated comparison; 0: not counted
  int checked_cases = 0;  // of them, those whose results somebody checks
  // What was judged, so that the verdict on one change cannot stand for another; empty: not named.
  std::string repository{};
  std::string change{};
  std::string trusted_commit{};  // that store and policy were read from; empty: as they lay here
  std::string session_digest{};  // "sha256:<hex>" of the session file; empty: none was written
};

}  // namespace perfgate::inline evidence
