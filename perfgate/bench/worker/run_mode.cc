// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/run_mode.h"

namespace perfgate::bench {
namespace {

// Google Benchmark hands a case its State and nothing else, so what main() was told must lie here.
RunMode& TheMode() {
  static RunMode mode = RunMode::kMeasure;
  return mode;
}

}  // namespace

void SetRunMode(RunMode mode) { TheMode() = mode; }

RunMode CurrentRunMode() { return TheMode(); }

}  // namespace perfgate::bench
