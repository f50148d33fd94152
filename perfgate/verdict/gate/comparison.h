// SPDX-License-Identifier: Apache-2.0
// comparison.h: the verdict on one metric of one case, by the first rule that applies.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"
#include "perfgate/stats/design/sequential_gate.h"
#include "perfgate/verdict/case_rounds.h"
#include "perfgate/verdict/gate/column_verdict.h"
#include "perfgate/verdict/gate/gate.h"
#include "perfgate/verdict/one_sided.h"
#include "perfgate/verdict/second_clock.h"

namespace perfgate::inline verdict {

// Case and metric by index.
using ComparisonKey = std::pair<std::size_t, std::size_t>;

// What a session says, sorted by comparison. It points into the session.
struct SuiteEvidence {
  explicit SuiteEvidence(const Session& measured);

  const Session& session;
  std::map<std::size_t, std::vector<Fault>> case_faults;
  std::map<ComparisonKey, std::vector<Fault>> metric_faults;
  std::map<ComparisonKey, OneSided> one_sided;
  std::vector<Column> columns;                    // what both arms have values of
  std::vector<BothSides> sides;                   // of the columns, after all looks
  std::map<ComparisonKey, std::size_t> measured;  // index into columns
  ColumnContext context;
  std::vector<RoundsOfCase> rounds;  // by case
  std::vector<WallExcess> wall;      // by case, of the candidate against the baseline
};

// The rules in their order of precedence. What is said of a case as a whole stands at its first
// metric.
enum class ComparisonRule {
  kCaseFault,    // an arm failed, skipped or lacks the case
  kMetricFault,  // a value of the metric was rejected
  kRounds,       // both arms have values: the sequential test decides
  kOneSided,     // only one arm reports the metric, or the arms report it in different rounds
  kUnmeasured,   // no round of the case was finished
};

struct Comparison {
  ComparisonRule rule = ComparisonRule::kUnmeasured;
  ColumnVerdict verdict;
};

// None where the session has nothing to say of that metric of that case.
std::optional<Comparison> JudgeComparison(const SuiteEvidence& evidence, const ComparisonKey& key);

// A verdict that says nothing yet: names, policy and share of set-up of the case.
ColumnVerdict BareVerdict(const Session& session, const ComparisonKey& key);

// The verdict that a case's faults ask for.
ColumnVerdict FaultyVerdict(const Session& session, const ComparisonKey& key,
                            const std::vector<Fault>& faults);

}  // namespace perfgate::inline verdict
