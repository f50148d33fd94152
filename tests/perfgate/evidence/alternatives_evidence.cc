// SPDX-License-Identifier: Apache-2.0
// Comparisons of alternatives: one small example with every field set, and random ones.
#include <algorithm>

#include "tests/perfgate/evidence/random_values.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {
namespace {

SpeedUp random_speed_up(Random& random) {
  SpeedUp speed_up;
  if (coin(random)) speed_up.estimate = real(random, 0.01, 100);
  if (coin(random)) {
    speed_up.lo = real(random, 0.01, 10);
    speed_up.hi = speed_up.lo + real(random, 0, 10);
  }
  return speed_up;
}

Standing random_standing(Random& random, int arms) {
  Standing standing;
  standing.status = static_cast<AlternativeStatus>(pick(random, 0, 5));
  standing.value = absent_or(random, random_double(random));
  standing.over_reference = random_speed_up(random);
  if (standing.status != AlternativeStatus::kCompared) {
    standing.reason = "why: " + random_text(random);
    return standing;
  }
  standing.rank_lo = pick(random, 1, arms);
  standing.rank_hi = pick(random, standing.rank_lo, arms);
  return standing;
}

AlternativesRow random_row(Random& random, std::size_t index, int arms) {
  AlternativesRow row;
  row.case_name = unique_text(random, index);
  row.series = random_text(random);
  row.size = absent_or(random, random_double(random));
  row.rounds = pick(random, 0, 40);
  for (int arm = 0; arm < arms; ++arm) row.standings.push_back(random_standing(random, arms));
  for (int second = 1; second < arms; ++second) {
    row.pairs.push_back({.first = pick(random, 0, second - 1),
                         .second = second,
                         .speed_up = random_speed_up(random),
                         .rounds = pick(random, 0, 40)});
  }
  return row;
}

AlternativesVerdict frame(const SuiteVerdict& verdict) {
  AlternativesVerdict alternatives;
  alternatives.session_id = verdict.session_id;
  alternatives.suite = verdict.suite;
  alternatives.tool = verdict.tool;
  alternatives.started = verdict.started;
  alternatives.rounds = verdict.rounds;
  alternatives.wall_s = verdict.wall_s;
  alternatives.timed_s = verdict.timed_s;
  alternatives.policy = verdict.policy;
  alternatives.schedule = verdict.schedule;
  alternatives.machine = verdict.machine;
  alternatives.warnings = verdict.warnings;
  alternatives.conditions = verdict.conditions;
  alternatives.cpus = verdict.cpus;
  return alternatives;
}

}  // namespace

// Three sorts of 64 numbers; the last one crashes.
AlternativesVerdict full_alternatives() {
  const SuiteVerdict verdict = full_verdict();
  AlternativesVerdict full = frame(verdict);
  full.complete = true;
  full.grade = "paired_serial";
  full.exit = Exit::kFailed;
  full.summary = "radix is the fastest by the geometric mean of 2 cases";
  full.rounds = 10;
  full.wall_s = 1.5;
  full.timed_s = 0.75;
  full.by = "impl";
  full.reference = 1;
  full.only_reference = true;
  full.family = Family::kCase;
  full.confidence = 0.96;
  full.holds = true;
  full.rounds_needed = 7;
  full.series_key = "count";
  for (const char* label : {"radix", "std", "heap"}) {
    full.arms.push_back(verdict.arms[0]);
    full.arms.back().label = label;
  }
  AlternativesRow row;
  row.case_name = "sort/count:64";
  row.series = "sort";
  row.size = 64;
  row.rounds = 10;
  row.standings = {{.status = AlternativeStatus::kCompared,
                    .reason = "",
                    .value = 1.25e-6,
                    .over_reference = {.estimate = 1.6, .lo = 1.5, .hi = 1.75},
                    .rank_lo = 1,
                    .rank_hi = 1},
                   {.status = AlternativeStatus::kCompared,
                    .reason = "",
                    .value = 2e-6,
                    .over_reference = {.estimate = 1, .lo = 0.99, .hi = 1.01},
                    .rank_lo = 2,
                    .rank_hi = 2},
                   {.status = AlternativeStatus::kFailed,
                    .reason = "crashed: killed by signal 11",
                    .value = 3e-6,
                    .over_reference = {.estimate = 0.5, .lo = 0.4, .hi = 0.6}}};
  row.pairs = {{.first = 0,
                .second = 1,
                .speed_up = {.estimate = 0.625, .lo = 0.5, .hi = 0.7},
                .rounds = 10}};
  full.rows = {row};
  row.case_name = "";
  row.series = "all";
  full.overall = {row};
  full.overall_cases = 2;
  return full;
}

AlternativesVerdict random_alternatives(Random& random) {
  AlternativesVerdict alternatives = frame(random_verdict(random));
  alternatives.complete = coin(random);
  alternatives.exit = Exit::kInconclusive;
  alternatives.summary = random_text(random, 100);
  alternatives.metric = random_metric(random, 0);
  alternatives.by = random_text(random);
  alternatives.only_reference = coin(random);
  alternatives.family = coin(random) ? Family::kCase : Family::kSuite;
  alternatives.confidence = real(random, 0, 1);
  alternatives.holds = coin(random);
  alternatives.rounds_needed = pick(random, 0, 40);
  alternatives.series_key = random_text(random);
  const int arms = pick(random, 2, static_cast<int>(kMostAlternatives));
  for (int i = 0; i < arms; ++i) alternatives.arms.push_back(random_arm(random));
  alternatives.reference = pick(random, 0, arms - 1);
  const auto rows = pick<std::size_t>(random, 0, 4);
  for (std::size_t i = 0; i < rows; ++i) {
    alternatives.rows.push_back(random_row(random, i, arms));
  }
  if (coin(random)) {
    alternatives.overall = {random_row(random, 0, arms)};
    alternatives.overall_cases = pick(random, 2, 9);
  }
  return alternatives;
}

}  // namespace perfgate::sample
