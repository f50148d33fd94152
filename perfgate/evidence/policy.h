// SPDX-License-Identifier: Apache-2.0
// policy.h: how a suite is measured and judged. Values of a policy file; the command line
// overrides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfgate/base/text/enum_words.h"
#include "perfgate/evidence/metrics/metric.h"

namespace perfgate::inline evidence {

// Overrides for the cases whose name matches a glob (`*` any run of characters, `?` one, others
// themselves). The last matching rule that sets a field wins.
struct CaseRule {
  std::string match = "*";
  std::optional<std::string> metric;  // limits the rule to one metric; otherwise all of the case
  std::optional<double> tolerance;    // fraction for times and rates, the metric's unit for others
  std::optional<bool> gate;           // false: measured and shown, never decides
};

// What a gate does with executables that are linked in several layouts.
//   off      one link of each arm
//   confirm  one link first; what that would name, or leaves open, is decided over layouts
//   always   every round over layouts
enum class LayoutUse { kOff, kConfirm, kAlways };

constexpr EnumWords<3> enum_words(LayoutUse) { return {"layouts", {{"off", "confirm", "always"}}}; }

// What a gate says of a case that it would name although the code that the case runs is the same in
// both executables, which were linked once: only its place changed.
//   inconclusive  the link is no change: exit 12, reason `layout`
//   judge         names it like any other
enum class UnchangedCode { kInconclusive, kJudge };

constexpr EnumWords<2> enum_words(UnchangedCode) {
  return {"unchanged code", {{"inconclusive", "judge"}}};
}

// What a gate does with what the gate's own clock says of a candidate (docs/second_clock.md).
//   off     nothing
//   report  a warning
//   judge   a case whose report its wall time contradicts is invalid, and one that looks so never
//           passes
enum class SecondClock { kOff, kReport, kJudge };

constexpr EnumWords<3> enum_words(SecondClock) {
  return {"second clock", {{"off", "report", "judge"}}};
}

// Whether times that no honest benchmark has are invalid (docs/second_clock.md).
enum class Plausibility { kOff, kJudge };

constexpr EnumWords<2> enum_words(Plausibility) { return {"plausibility", {{"off", "judge"}}}; }

struct Policy {
  double tolerance = 0.02;   // accepted slowdown, as a fraction
  double alpha = 0.01;       // false regressions per gate run, whole suite
  double budget_s = 0;       // wall seconds of measuring, calibration included; 0: what it needs
  double slice_s = 0.01;     // timed seconds of one slice
  int pairs = 4;             // slice pairs per case and round
  int warmup_slices = 1;     // discarded slices per arm, case and round
  bool fit = true;           // a gate may cut pairs, slices and warm-up to reach 16 rounds
  int rounds = 0;            // > 0: end at exactly this many rounds instead of by budget
  double hide_limit = 0.10;  // inconclusive cases exit 0 while they can hide no more than this
  bool claim_improvements = false;  // keep measuring passed cases until an improvement is claimed
  bool allow_oversubscription = false;  // threaded cases with more threads than cores
  LayoutUse layouts = LayoutUse::kConfirm;
  UnchangedCode unchanged_code = UnchangedCode::kInconclusive;
  bool reuse_layouts = false;  // rounds may run a layout again: no claim is then strong
  std::string filter;          // regular expression on case names, empty: all
  std::vector<CaseRule> cases;
  std::vector<std::string> expected;  // cases that must exist besides the baseline's own
  std::vector<Metric> metrics;        // counters gated although the code does not declare them
  // Names of metrics/counted_metrics.h: counted beside the time, where the machine permits.
  std::vector<std::string> count{};
  std::vector<std::string> overrides;  // "tolerance 2 % -> 5 % (command line)": recorded, shown
  SecondClock second_clock = SecondClock::kJudge;
  // Wall time that a candidate's report may leave unexplained beyond the baseline's, as a fraction
  // of the baseline's timed work.
  double second_clock_margin = 0.03;
  Plausibility plausibility = Plausibility::kJudge;
  double unchecked_speedup = 5;  // a case without output check may be so much faster; 0: any
};

struct ColumnPolicy {
  double tolerance = 0.02;
  bool gate = true;
};

// The pattern covers the whole text; `?` is one UTF-8 character. Time at most pattern x text.
bool glob_match(std::string_view pattern, std::string_view text);

// What the policy says of one case and metric. Policy::tolerance and the tolerance of a rule that
// names no metric are fractions, so they hold for times and rates only: a count or a score has
// tolerance 0 until a rule names it. What is counted (Policy::count) has the tolerance of
// metrics/counted_metrics.h until a rule names it.
ColumnPolicy column_policy(const Policy& policy, std::string_view case_name, const Metric& metric);

}  // namespace perfgate::inline evidence
