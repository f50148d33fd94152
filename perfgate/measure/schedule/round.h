// SPDX-License-Identifier: Apache-2.0
// round.h: the slices of one case, or of a whole suite of processes, in one round.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "perfgate/evidence/session.h"
#include "perfgate/measure/schedule/calibrate.h"
#include "perfgate/measure/schedule/stage.h"

namespace perfgate::measure {

struct CaseOutcome {
  std::optional<CaseRound> measured;  // none: the case failed in some arm and is dropped
  std::set<int> lost;                 // optional arms that failed; the others' values stand
  std::vector<Fault> faults;
  double timed_s = 0;  // timed seconds of the counted slices
  // Calls of the counted slices, pooled, by recorder and arm.
  std::map<std::pair<std::string, int>, stats::CallHistogram> calls{};
  std::set<int> checked{};  // arms that held their results against others
  // Iterations really made per one that was asked for, as the first slice of any arm says.
  std::optional<double> made{};
};

// To 5 significant digits, so that the file stays small and says what was judged.
double RoundedSeconds(double seconds);

// Warm-up slices in every arm, then as many slices per arm as the case has pairs. order: the arms,
// first slot first; slot_orders.h has the orders of later pairs (A B B A ...).
CaseOutcome measure_case(Stage& stage, const Context& context, const CaseInfo& info,
                         std::size_t case_index, const Calibrated& calibrated,
                         std::span<const int> order, int round);

// The same for process-per-suite arms: every slice is one process run over all the cases that the
// arm has by `ids`.
std::vector<CaseOutcome> measure_suite(Stage& stage, const Context& context,
                                       std::span<const CaseInfo> cases,
                                       std::span<const std::size_t> case_indices,
                                       const CaseIds& ids, std::span<const Calibrated> calibrated,
                                       std::span<const int> order, int round);

}  // namespace perfgate::measure
