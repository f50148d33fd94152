// SPDX-License-Identifier: Apache-2.0
// coverage_tables.h: the tables of the coverage program, one function each. Every one prints its
// table and adds its promises to the checks.
#pragma once

#include "tests/calibration/program.h"

namespace perfgate::calibration {

// coverage_default and coverage_overview: fixed n = 6 to 40.
void fixed_n_tables(const Options& options, Checks& checks);

// coverage_small_n: min..max of 2 to 5 rounds.
void small_n_table(const Options& options, Checks& checks);

// coverage_quantiles: median, p95 and p99 of 100 to 3,000 values.
void quantiles_table(const Options& options, Checks& checks);

// coverage_clusters: values that come in sessions.
void clusters_table(const Options& options, Checks& checks);

// Streams of one table never meet those of another.
enum : std::size_t {
  kFixedNCells = 0,
  kSmallNCells = 1 << 20,
  kQuantileCells = 2 << 20,
  kClusterCells = 3 << 20
};

}  // namespace perfgate::calibration
