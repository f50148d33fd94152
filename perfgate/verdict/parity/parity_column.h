// SPDX-License-Identifier: Apache-2.0
// parity_column.h: one case of a session of three arms: which metric decides it, and what each of
// its metrics says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "perfgate/evidence/parity.h"

namespace perfgate::inline verdict {

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
