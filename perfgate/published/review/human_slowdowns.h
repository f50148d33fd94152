// SPDX-License-Identifier: Apache-2.0
// human_slowdowns.h: changes whose human version is slower than the baseline, with what in the
// facts could be the cause.
//
// Nobody publishes a change to make code slower, so such a number asks for a second look. Causes
// are read from the facts of the item; they are candidates, not proofs.
#pragma once

#include <string>
#include <vector>

#include "perfgate/published/published_parity.h"

namespace perfgate::published {

struct HumanSlowdown {
  std::string id;
  std::string metric;
  double delta_pct = 0;             // baseline to human, below -5
  std::vector<std::string> causes;  // "rounding: ..."; at least one
};

// Items whose baseline and human compare and whose human is slower by more than the threshold.
// Causes begin with model_mismatch, mode_mismatch, model_unstated, mode_unstated, proxy_baseline,
// metric_conflict, target_metric, rounding, rerun_replaced, secondary_source, or
// none_in_the_facts.
std::vector<HumanSlowdown> HumanSlowdowns(const PublishedSet& set,
                                          const std::vector<ItemAnswer>& answers);

}  // namespace perfgate::published
