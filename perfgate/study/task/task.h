// SPDX-License-Identifier: Apache-2.0
// task.h: a repository, three states of it or more, and how to build, test and measure each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfgate::study {

struct Limits {
  double build_s = 3600;
  double test_s = 1800;
  double bench_s = 600;       // of one trial run of the benchmark
  double memory_mib = 16384;  // of all processes of a step together

  double MemoryBytes() const { return memory_mib * 1024 * 1024; }
};

// Executables that are built already.
struct BuiltArms {
  std::string baseline{};
  std::string human{};
  std::vector<std::string> agents{};
};

struct Task {
  std::string id{};
  std::string repo{};
  std::string base{};
  std::string human{};
  std::vector<std::string> agents{};     // patch files, or commits
  std::string build{};                   // for /bin/sh
  std::string test{};                    // for /bin/sh; empty: nothing is tested
  std::string bench{};                   // executable, relative to the source tree
  std::string overlay{};                 // folder whose files are put over every source tree
  std::vector<std::string> arguments{};  // of the executable
  std::optional<BuiltArms> arms{};
  Limits limits{};
  double margin = 0.05;
  std::string policy{};  // file; empty: the defaults
  std::optional<int> rounds{};
  std::optional<double> budget_s{};
  std::optional<double> slice_s{};
  std::optional<int> pairs{};
  std::string primary{};                  // metric that decides; empty: by its name
  std::string filter{};                   // cases that are measured; empty: all
  std::string model{};                    // for the population file and the preflight
  std::optional<std::int64_t> context{};  // longest context that the model states, tokens
};

}  // namespace perfgate::study
