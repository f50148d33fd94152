// SPDX-License-Identifier: Apache-2.0
// benchmark_json.h: Google Benchmark's result file as it really is.
//
// The library writes control characters and invalid UTF-8 raw into strings, and NaN and Infinity as
// bare words, and leaves a torso when the program ends early. Each row is cleaned on its own and
// then parsed strictly, so that a broken row spoils no other: control characters become escapes,
// bytes that are not UTF-8 the four characters \xNN, bare words null.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfgate::measure {

struct BenchmarkRow {
  std::string run_name;  // exact, canonical; "name" where the file has no run_name
  std::string name;
  int family_index = -1;    // -1: not given (library before 1.5.3)
  int instance_index = -1;  // per_family_instance_index
  int threads = 1;
  std::int64_t iterations = 0;
  double real_s = 0;  // seconds per iteration; NaN where the file says NaN or Infinity
  double cpu_s = 0;
  bool aggregate = false;
  bool error = false;
  bool skipped = false;    // SkipWithMessage, library 1.8 and newer
  std::string message;     // of an error or skip
  std::string unreadable;  // why the row's numbers cannot be used; empty: they can
  std::vector<std::pair<std::string, double>> counters;  // in seconds where a rate, as printed
};

struct BenchmarkFile {
  bool complete = false;        // the document is closed: the program got to its end
  std::string library_version;  // empty: not in the file
  std::vector<BenchmarkRow> rows;
};

// Never throws for content: what cannot be read is not in `rows`, or is marked unreadable.
BenchmarkFile read_benchmark_json(std::string_view text);

}  // namespace perfgate::measure
