// SPDX-License-Identifier: Apache-2.0
// search_time.h: what Google Benchmark timed in a process besides the run that it reports.
//
// A process that is run by time makes 1, 10, 100, ... iterations until a run takes a tenth of that
// time, and then 1.4 times as many as would fill it. The library reports the last run alone. How
// many runs came before follows from its iterations.
#pragma once

#include <cstdint>
#include <string>

#include "perfgate/measure/driver/process/benchmark_json.h"

namespace perfgate::measure {

// Iterations of all earlier runs, where the reported run made `iterations`.
std::int64_t SearchIterations(std::int64_t iterations);

// Iterations that make up the wall time of the row together with its time per iteration. Before
// 1.9 the library divides the times of a threaded case by its threads, and since then it does not;
// library: the version that the file names, which no older one does.
double IterationsOfRow(const BenchmarkRow& row, const std::string& library);

// Seconds that the earlier runs took, by the time per iteration of the row. least_s: that a run was
// asked to take. The number of iterations is the program's own word, so it counts for no more than
// a search for a run of that time makes at most.
double SearchS(const BenchmarkRow& row, const std::string& library, double least_s);

// Whether the reported run is shorter than the library lets one be that was asked to take least_s,
// by half and more. A row of fewer iterations would have less time that is not explained.
bool IsTooShort(const BenchmarkRow& row, const std::string& library, double least_s);

}  // namespace perfgate::measure
