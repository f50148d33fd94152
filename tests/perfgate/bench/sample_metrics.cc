// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/metrics.h"

using perfgate::bench::Direction;
using perfgate::bench::Kind;

PERFGATE_METRIC("rate", "1/s", Direction::kHigher, Kind::kRate)
PERFGATE_METRIC("n", "", Direction::kLower, Kind::kCount)
