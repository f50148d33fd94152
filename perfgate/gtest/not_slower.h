// SPDX-License-Identifier: Apache-2.0
// not_slower.h: asserts in a unit test that one callable is not slower than another.
//
//   PERFGATE_EXPECT_NOT_SLOWER(baseline, candidate, tolerance);
//   PERFGATE_ASSERT_NOT_SLOWER(baseline, candidate, tolerance, options);
//
// baseline, candidate: callables without arguments; what they return is kept from the optimiser.
// tolerance: accepted slowdown as a fraction, 0.10 for 10 %. options: AlternatingOptions.
// Name lambdas before the macro: the preprocessor splits their captures at commas.
//
// Both run in alternated slices of about 2 ms, about 0.2 s in all. The assertion fails only where a
// slowdown beyond the tolerance is shown at level alpha (1 %); its message has the estimate, CI95,
// p and rounds. Otherwise it succeeds, also where the evidence settles nothing; which of the two it
// was is recorded as the test property perfgate_verdict (no_regression, improvement or
// inconclusive), with perfgate_effect beside it.
//
// What it cannot see. Everything happens in one launch of one process, so the placement of code and
// data is the same in every round and is not averaged: two callables with identical source can
// differ by some per cent for that reason alone, reproducibly, and the interval does not know. Both
// share caches, allocator and branch predictors. The tolerance should therefore be generous (10 %
// and up), and the question one for a unit test: "the vector path is not slower than the plain
// one". Smaller changes between two versions of a program are the business of `perfgate gate`,
// which relaunches both executables every round.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <type_traits>
#include <utility>

#include "perfgate/gtest/alternating.h"

namespace perfgate::testing {

// Seconds of a clock that only goes forward.
struct SteadySeconds {
  double operator()() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

// Runs `call` that many times; the empty asm makes each result, and all memory, count as used.
template <typename Call>
void run_times(Call& call, std::int64_t iterations) {
  for (std::int64_t i = 0; i < iterations; ++i) {
    if constexpr (std::is_void_v<std::invoke_result_t<Call&>>) {
      call();
      asm volatile("" ::: "memory");
    } else {
      auto&& result = call();
      asm volatile("" : : "g"(&result) : "memory");
    }
  }
}

// clock: a callable that returns seconds; tests hand in one that they advance themselves.
template <typename Baseline, typename Candidate, typename Clock = SteadySeconds>
Alternated alternate_callables(Baseline&& baseline, Candidate&& candidate, double tolerance,
                               const AlternatingOptions& options = {}, Clock clock = {}) {
  return alternate(
      [&](Arm arm, std::int64_t iterations) {
        const double start = clock();
        if (arm == Arm::kBaseline) {
          run_times(baseline, iterations);
        } else {
          run_times(candidate, iterations);
        }
        return clock() - start;
      },
      tolerance, options);
}

// Fails for kRegression with describe() in its message, and records the test properties.
::testing::AssertionResult judge(const char* baseline_text, const char* candidate_text,
                                 const Alternated& result);

// What the macros hand to EXPECT_PRED_FORMAT2.
template <typename Clock = SteadySeconds>
class NotSlower {
 public:
  explicit NotSlower(double tolerance, AlternatingOptions options = {}, Clock clock = {})
      : tolerance_(tolerance), options_(options), clock_(std::move(clock)) {}

  template <typename Baseline, typename Candidate>
  ::testing::AssertionResult operator()(const char* baseline_text, const char* candidate_text,
                                        Baseline&& baseline, Candidate&& candidate) const {
    return judge(baseline_text, candidate_text,
                 alternate_callables(baseline, candidate, tolerance_, options_, clock_));
  }

 private:
  double tolerance_;
  AlternatingOptions options_;
  Clock clock_;
};

}  // namespace perfgate::testing

#define PERFGATE_EXPECT_NOT_SLOWER(baseline, candidate, ...) \
  EXPECT_PRED_FORMAT2(::perfgate::testing::NotSlower(__VA_ARGS__), baseline, candidate)
#define PERFGATE_ASSERT_NOT_SLOWER(baseline, candidate, ...) \
  ASSERT_PRED_FORMAT2(::perfgate::testing::NotSlower(__VA_ARGS__), baseline, candidate)
