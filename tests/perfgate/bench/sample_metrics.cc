// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/metrics.h"
#include "perfgate/bench/work.h"

using perfgate::bench::Direction;
using perfgate::bench::Kind;

PERFGATE_METRIC("rate", "1/s", Direction::kHigher, Kind::kRate)
PERFGATE_METRIC("n", "", Direction::kLower, Kind::kCount)

static const bool declared = [] {
  perfgate::bench::DeclareWork("Args/rows:8/cols:16",
                               {.bytes = 128, .flops = 16, .ceiling = "MinTime"});
  return true;
}();
