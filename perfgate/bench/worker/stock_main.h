// SPDX-License-Identifier: Apache-2.0
// stock_main.h: the main() that benchmark::benchmark_main would have given the executable.
#pragma once

namespace perfgate::bench {

// Does what BENCHMARK_MAIN() does in the Google Benchmark that perfgate was built with; returns the
// exit code.
int StockMain(int argc, char** argv);

}  // namespace perfgate::bench
