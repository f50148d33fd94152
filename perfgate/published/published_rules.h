// SPDX-License-Identifier: Apache-2.0
// published_parity.h: which published values of three arms compare, and the point rule's labels.
//
//   1. Measurements that a rerun replaced, without a metric, or of the time per output token where
//      there is one token, do not count.
//   2. The primary metric is a throughput (not of the input) where there is one, else the time per
//      output token, else the mean time to first token, else the average latency.
//   3. A pair compares in the primary measurement: both arms have a value, and they ran together or
//      name the same model and mode.
//   4. The label comes from agent against human alone: win above +5 %, loss below -5 %, match in
//      between, bounds included; failed where only the human has a value and the agent failed.
//
// Labels reproduce a published rule. A value without samples licenses no claim, whatever its label.
#pragma once

#include "perfgate/published/published_parity.h"

namespace perfgate::published {

inline constexpr double kPointThresholdPct = 5;

// The label of a difference in per cent: positive, better.
PointOutcome point_outcome(double delta_pct);

ItemAnswer answer_item(const PublishedItem& item);

AnswerSet answer_all(const PublishedSet& set);

}  // namespace perfgate::published
