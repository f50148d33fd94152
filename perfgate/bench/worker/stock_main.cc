// SPDX-License-Identifier: Apache-2.0
#include "perfgate/bench/worker/stock_main.h"

#include <benchmark/benchmark.h>

// The macro's own text under another name, so that a later version of the library (1.9.5 restarts
// the process without address randomisation) behaves as its authors meant.
// NOLINTBEGIN
#define main StockMain
namespace perfgate::bench {
BENCHMARK_MAIN();
}  // namespace perfgate::bench
#undef main
// NOLINTEND
