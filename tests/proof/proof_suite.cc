// SPDX-License-Identifier: Apache-2.0
// proof_suite.cc: 24 ordinary Google Benchmark cases whose slowdown is known.
//
// extra_units[] (one entry per case, in the order of proof_cases.inc) lives in a source file of its
// own: a build that is slower in one case by 5 % differs from this one in a single constant, so
// code placement is the same and the extra time is extra work. No link-time optimisation, or the
// compiler would see the constant.
#include <benchmark/benchmark.h>

#include "proof_cases.h"

extern const int extra_units[];

namespace {

void run(benchmark::State& state, std::size_t index) {
  const proof::Case& which = proof::kCases[index];
  const int units = which.units + extra_units[index];
  for (auto _ : state) benchmark::DoNotOptimize(which.work(units));
}

enum Index : std::size_t {
#define PROOF_CASE(id, name, units) index_##id,
#include "proof_cases.inc"
#undef PROOF_CASE
};

#define PROOF_CASE(id, name, units)                            \
  void id(benchmark::State& state) { run(state, index_##id); } \
  BENCHMARK(id)->Name(name);
#include "proof_cases.inc"
#undef PROOF_CASE

}  // namespace
