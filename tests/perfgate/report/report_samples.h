// SPDX-License-Identifier: Apache-2.0
// report_samples.h: one verdict with every kind of line, for golden files.
#pragma once

#include "perfgate/evidence/verdict.h"
#include "tests/perfgate/evidence/sample_evidence.h"

namespace perfgate::sample {

inline ColumnVerdict measured_column(const char* name, Verdict verdict, Claim claim,
                                     double estimate, double half_width, int rounds) {
  ColumnVerdict column;
  column.case_name = name;
  column.verdict = verdict;
  column.claim = claim;
  column.tolerance = 0.02;
  column.rounds = rounds;
  column.effect.estimate = estimate;
  // Longer names, longer times: 12 us and more.
  column.baseline = 1e-6 * static_cast<double>(column.case_name.size());
  column.candidate = column.baseline * (1 + estimate);
  if (rounds >= 6) {
    column.effect.lo = estimate - half_width;
    column.effect.hi = estimate + half_width;
  } else {
    column.effect.range_lo = estimate - half_width;
    column.effect.range_hi = estimate + half_width;
    column.effect.range_confidence = 0.875;
  }
  return column;
}

inline ColumnVerdict faulty_column(const char* name, Verdict verdict, const char* reason) {
  ColumnVerdict column;
  column.case_name = name;
  column.verdict = verdict;
  column.claim = Claim::kInvalid;
  column.reason = reason;
  column.tolerance = 0.02;
  return column;
}

inline SuiteVerdict verdict_without_columns() {
  SuiteVerdict verdict = full_verdict();
  verdict.policy = Policy{};
  verdict.policy.overrides = {"budget_s 60 -> 90 (command line)"};
  verdict.schedule.looks = {6, 10, 16, 24, 40};
  verdict.schedule.look_alpha = {0, 0.003, 0.002, 0.002, 0.003};
  verdict.schedule.replayed = false;
  verdict.aa = false;
  verdict.jobs = 0;
  verdict.rounds = 40;
  verdict.wall_s = 61.23;
  verdict.timed_s = 30.5;
  for (ArmInfo& arm : verdict.arms) {
    arm.build.sanitizer.clear();
    arm.build.assertions = false;
  }
  verdict.columns.clear();
  verdict.warnings = {"the frequency governor is not pinned",
                      "the frequency governor is not pinned"};
  return verdict;
}

inline SuiteVerdict mixed_verdict() {
  SuiteVerdict verdict = verdict_without_columns();
  verdict.exit = Exit::kFailed;
  verdict.summary =
      "1 failed, 1 regression, 1 missing, 3 inconclusive, 1 no_regression, 1 improvement";
  auto& columns = verdict.columns;
  columns.push_back(faulty_column(
      "attention/impl:flash/heads:32/head_dim:128/seq:2048/dtype:bf16", Verdict::kFailed,
      "crashed: candidate: signal 11 (segmentation fault) after 3 slices; it printed: \x1b[31m"
      "assertion failed\x1b[0m: stride % 16 == 0 in attention.cc line 214"));
  columns.push_back(measured_column("rmsnorm/impl:vector/rows:4096/cols:4096/dtype:bf16",
                                    Verdict::kRegression, Claim::kStrong, 0.0502, 0.0021, 10));
  columns.back().p_adjusted = 0.001953125;
  columns.push_back(faulty_column("gone/n:1", Verdict::kMissing, "absent: candidate"));
  columns.push_back(measured_column("memcpy/bytes:1048576", Verdict::kInconclusive,
                                    Claim::kNoiseDominated, 0.011, 0.02, 40));
  columns.back().rounds_to_pass = 12;
  columns.back().rounds_range_lo = 3;
  columns.back().rounds_range_hi = 45;
  columns.back().noise_unstable = true;
  columns.push_back(measured_column("rmsnorm/impl:vector/rows:64/cols:4096/dtype:bf16",
                                    Verdict::kInconclusive, Claim::kDirectional, 0.021, 0.004, 40));
  columns.back().rounds_to_fail = 5000;
  columns.push_back(
      measured_column("sort/n:16384", Verdict::kInconclusive, Claim::kInsufficient, 0.01, 0.03, 4));
  columns.push_back(measured_column("gemm/n:64", Verdict::kNoRegression, Claim::kNoiseDominated,
                                    0.0004, 0.003, 6));
  columns.push_back(measured_column("hash/caf\xC3\xA9/n:1", Verdict::kImprovement, Claim::kStrong,
                                    -0.21, 0.01, 6));
  columns.back().tolerance = 0.06;
  columns.push_back(
      measured_column("sort/n:16384", Verdict::kNoRegression, Claim::kParity, 0, 0, 6));
  columns.back().metric = {
      .name = "allocs", .unit = "1", .direction = Direction::kLower, .kind = Kind::kCount};
  columns.back().baseline = columns.back().candidate = 3;
  columns.back().tolerance = 0;
  columns.push_back(
      measured_column("sort/n:16384", Verdict::kRegression, Claim::kStrong, 4096, 64, 6));
  columns.back().metric = {
      .name = "peak_bytes", .unit = "B", .direction = Direction::kLower, .kind = Kind::kCount};
  columns.back().baseline = 8192;
  columns.back().candidate = 8192 + 4096;
  columns.back().gated = false;
  return verdict;
}

inline SuiteVerdict identical_verdict() {
  SuiteVerdict verdict = verdict_without_columns();
  verdict.identical = true;
  verdict.exit = Exit::kPass;
  verdict.summary = "2 no_regression";
  verdict.rounds = 0;
  verdict.warnings.clear();
  verdict.policy.overrides.clear();
  for (const char* name : {"sort/n:16384", "gemm/n:64"}) {
    verdict.columns.push_back(faulty_column(name, Verdict::kNoRegression, "identical executable"));
  }
  return verdict;
}

inline SuiteVerdict empty_verdict() {
  SuiteVerdict verdict = verdict_without_columns();
  verdict.exit = Exit::kNotComparable;
  verdict.summary = "no gated case";
  verdict.rounds = 0;
  return verdict;
}

inline SuiteVerdict skipped_verdict() {
  SuiteVerdict verdict = verdict_without_columns();
  verdict.exit = Exit::kSkipped;
  verdict.summary = "2 skipped";
  verdict.rounds = 0;
  for (const char* name : {"scale/device:gpu", "copy/device:gpu"}) {
    verdict.columns.push_back(faulty_column(name, Verdict::kSkipped, "no GPU here"));
  }
  return verdict;
}

}  // namespace perfgate::sample
