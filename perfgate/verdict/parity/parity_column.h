// SPDX-License-Identifier: Apache-2.0
// parity_column.h: one case of a session of three arms: which metric decides it, and what each of
// its metrics says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"

namespace perfgate::inline verdict {

// The metric that decides a case, and the rule that chose it.
struct PrimaryChoice {
  std::size_t metric = 0;  // index into Session::metrics
  std::string why;
};

// Metrics that a case reports, by index; at least one. `named`: the one that the user asks for,
// empty for none. Otherwise a throughput (not of the input), then the time per output token, then
// the time to first token, then a latency, then the time of the case itself.
PrimaryChoice choose_primary(const std::vector<Metric>& metrics,
                             const std::vector<std::size_t>& reported, const std::string& named);

// Sets the label of the 5 % point rule from the medians, in per cent of the human's.
void apply_point_rule(ParityColumn& column);

// Why no case of a session may be compared.
struct ParityRefusal {
  ParityStatus status = ParityStatus::kNotComparable;
  std::string reason;
};

// One column per metric that some arm reports, or a single one where the case failed, was never
// measured or is refused. p-values are adjusted for looks, not yet for other cases.
std::vector<ParityColumn> judge_parity_case(const Session& session, std::size_t case_index,
                                            const std::string& primary_metric,
                                            const std::vector<ParityRefusal>& refusals);

}  // namespace perfgate::inline verdict
