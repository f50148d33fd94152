// SPDX-License-Identifier: Apache-2.0
// context_lines.h: where and how something was measured, as labelled facts for any report.
#pragma once

#include <string>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate::report {

// "Machine", "Example 9000, avx2, 4 CPUs, ...". Labels repeat where there are several facts of a
// kind. Values are not escaped.
struct Fact {
  std::string label;
  std::string value;
};

std::vector<Fact> arm_facts(const std::vector<ArmInfo>& arms);
Fact machine_fact(const Machine& machine);

// The cores and what the machine did; negative conditions, which are not known, are left out.
Fact core_fact(const std::vector<int>& cpus, const RoundConditions& conditions);

// "10 rounds in 61.2 s, 50 % of it timed"
std::string measured_text(int rounds, double wall_s, double timed_s);

Fact policy_fact(const Policy& policy);

// Seed of the schedule, as an option that replays it.
Fact replay_fact(const Schedule& schedule);

// That the suite was measured by so many jobs of a fleet.
Fact jobs_fact(int jobs);

// "6, 10 (alpha 0, 0.003)"; "none" without looks.
std::string looks_text(const Schedule& schedule);

// The level of trust, by name, and what it rests on.
Fact trust_fact(const TrustRecord& trust);

// What a reader of any verdict should know: how it was measured in a line, warnings, what to do
// next.
std::vector<Fact> brief_verdict_facts(const SuiteVerdict& verdict);

// Everything that a verdict rests on, warnings and overrides included, each once.
std::vector<Fact> verdict_facts(const SuiteVerdict& verdict);

}  // namespace perfgate::report
