// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "tests/perfgate/evidence/random_values.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {
namespace {

ColumnVerdict random_column(Random& random, std::size_t index) {
  ColumnVerdict column;
  column.case_name = unique_text(random, index);
  column.metric = random_metric(random, 0);
  column.verdict = static_cast<Verdict>(pick(random, 0, 10));
  column.claim = static_cast<Claim>(pick(random, 0, 5));
  column.reason = coin(random) ? random_text(random, 200) : "";
  column.gated = coin(random);
  column.tolerance = real(random, 0, 1);
  column.rounds = pick(random, 0, 40);
  column.effect = random_effect(random);
  if (coin(random)) column.p_adjusted = real(random, 0, 1);
  column.noise_sd = absent_or(random, real(random, 0, 1));
  if (coin(random)) column.link_effect = random_effect(random);
  column.link_sd = absent_or(random, real(random, 0, 1));
  column.layout_sd = absent_or(random, real(random, 0, 1));
  if (coin(random)) column.hot_code = random_text(random, 80);
  column.noise_ratio = absent_or(random, real(random, 0, 9));
  column.noise_ratio_p = absent_or(random, real(random, 0, 1));
  if (coin(random)) column.rounds_to_pass = pick(random, 0, 2000);
  if (coin(random)) column.rounds_to_fail = pick(random, 0, 2000);
  if (coin(random)) column.rounds_range_lo = pick(random, 0, 100);
  if (coin(random)) column.rounds_range_hi = pick(random, 100, 5000);
  column.noise_unstable = coin(random);
  if (coin(random)) column.detectable = real(random, 0, 1);
  column.baseline = absent_or(random, random_double(random));
  column.candidate = absent_or(random, random_double(random));
  column.setup_share = real(random, 0, 1);
  return column;
}

CalibratedColumn random_calibrated(Random& random, std::size_t index, int rounds) {
  CalibratedColumn column;
  column.case_name = unique_text(random, index);
  column.metric = random_metric(random, 0);
  column.iterations = pick<std::int64_t>(random, 0, 1'000'000'000);
  column.slice_s = real(random, 0, 1);
  column.setup_share = real(random, 0, 1);
  column.pair_s = real(random, 0, 1);
  column.value = absent_or(random, real(random, 0.001, 5));
  column.round_sd = real(random, 0, 1);
  column.sample_sd = real(random, 0, 1);
  column.pair_sd = absent_or(random, real(random, 0, 1));
  column.between_sd = absent_or(random, real(random, 0, 1));
  for (int r = 0; r < rounds; ++r) column.d.push_back(random_double(random));
  return column;
}

PlannedColumn random_planned(Random& random, std::size_t index) {
  PlannedColumn column;
  column.case_name = unique_text(random, index);
  column.metric = random_metric(random, 0);
  column.value = absent_or(random, random_double(random));
  column.tolerance = real(random, 0, 1);
  column.round_sd = real(random, 0, 1);
  column.resolved = coin(random);
  if (coin(random)) column.rounds_to_pass = pick(random, 0, 2000);
  if (coin(random)) column.rounds_to_fail = pick(random, 0, 2000);
  column.pass_share = real(random, 0, 1);
  column.pass_rounds = real(random, 0, 40);
  if (coin(random)) column.fail_share = real(random, 0, 1);
  if (coin(random)) column.fail_rounds = real(random, 0, 40);
  if (coin(random)) column.detectable = real(random, 0, 1);
  if (coin(random)) column.supported_tolerance = real(random, 0, 1);
  column.reason = random_text(random, 200);
  return column;
}

}  // namespace

SuiteVerdict random_verdict(Random& random) {
  SuiteVerdict verdict;
  verdict.session_id = random_text(random);
  verdict.suite = random_text(random);
  verdict.tool = random_text(random);
  verdict.started = random_text(random);
  verdict.complete = coin(random);
  verdict.grade = random_text(random);
  verdict.identical = pick(random, 0, 9) == 0;
  verdict.aa = coin(random);
  constexpr std::array kExits = {Exit::kRegression,    Exit::kFailed,    Exit::kInconclusive,
                                 Exit::kNotComparable, Exit::kSuspected, Exit::kSkipped};
  verdict.exit = kExits[pick<std::size_t>(random, 0, kExits.size() - 1)];
  verdict.summary = random_text(random, 300);
  verdict.rounds = pick(random, 0, 40);
  verdict.wall_s = real(random, 0, 1000);
  verdict.timed_s = real(random, 0, 1000);
  verdict.policy = random_policy(random);
  verdict.schedule = random_schedule(random);
  verdict.machine = random_machine(random);
  verdict.arms = {random_arm(random), random_arm(random)};
  const auto columns = pick<std::size_t>(random, 0, 8);
  for (std::size_t i = 0; i < columns; ++i) verdict.columns.push_back(random_column(random, i));
  verdict.warnings = random_texts(random);
  verdict.conditions = random_conditions(random);
  verdict.cpus = random_cpus(random);
  verdict.repository = random_text(random);
  verdict.change = random_text(random);
  verdict.trusted_commit = random_text(random);
  verdict.session_digest = random_text(random);
  return verdict;
}

Calibration random_calibration(Random& random) {
  Calibration calibration;
  calibration.session_id = hex(random, 32);
  calibration.tool = random_text(random);
  calibration.started = random_text(random);
  calibration.suite = random_text(random);
  calibration.executable = random_arm(random);
  calibration.machine = random_machine(random);
  calibration.cpus = random_cpus(random);
  calibration.conditions = random_conditions(random);
  calibration.seed = hex(random, 16);
  calibration.policy = random_policy(random);
  calibration.rounds = pick(random, 1, 9);
  calibration.wall_s = real(random, 0, 100);
  calibration.start_s = real(random, 0, 100);
  calibration.launch_s = real(random, 0, 1);
  calibration.round_s = calibration.launch_s + real(random, 0, 1);
  const auto columns = pick<std::size_t>(random, 0, 5);
  for (std::size_t i = 0; i < columns; ++i) {
    calibration.columns.push_back(random_calibrated(random, i, calibration.rounds));
  }
  for (int i = pick(random, 0, 2); i > 0; --i) {
    calibration.left_out.push_back({random_text(random), random_text(random, 100)});
  }
  calibration.warnings = random_texts(random);
  return calibration;
}

SuitePlan random_plan(Random& random) {
  SuitePlan plan;
  plan.session_id = hex(random, 32);
  plan.tool = random_text(random);
  plan.started = random_text(random);
  plan.suite = random_text(random);
  plan.recorded_rounds = pick(random, 1, 100);
  plan.policy = random_policy(random);
  plan.power = real(random, 0.5, 1);
  plan.slowdown = real(random, 0.001, 1);
  const Schedule schedule = random_schedule(random);
  plan.looks = schedule.looks;
  plan.look_alpha = schedule.look_alpha;
  plan.gates = pick(random, 0, 1000);
  plan.pass_share = real(random, 0, 1);
  plan.false_fail_share = real(random, 0, 1);
  plan.rounds = real(random, 0, 40);
  plan.wall_s = real(random, 0, 100);
  plan.wall_long_s = real(random, 0, 100);
  plan.exit = Exit::kInconclusive;
  plan.summary = random_text(random, 100);
  const auto columns = pick<std::size_t>(random, 0, 5);
  for (std::size_t i = 0; i < columns; ++i) plan.columns.push_back(random_planned(random, i));
  plan.rules = random_policy(random).cases;
  plan.warnings = random_texts(random);
  return plan;
}

}  // namespace perfgate::sample
