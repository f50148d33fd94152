// SPDX-License-Identifier: Apache-2.0
// matchers.h: GoogleTest matchers on what a gate concluded.
//
// They take a SuiteVerdict, usually read from the file that `perfgate gate --json` wrote. A
// mismatch prints the gate's own summary and the columns that did not match, with their effect and
// interval.
#pragma once

#include <gmock/gmock.h>

#include <iosfwd>
#include <string>
#include <string_view>

#include "perfgate/base/error.h"
#include "perfgate/evidence/verdict.h"

namespace perfgate {

// How GoogleTest prints them in its messages.
void PrintTo(Exit exit, std::ostream* out);
void PrintTo(Verdict verdict, std::ostream* out);
void PrintTo(const ColumnVerdict& column, std::ostream* out);
void PrintTo(const SuiteVerdict& suite, std::ostream* out);

namespace testing {

// The gate ended with exit code 0. Note that the policy lets inconclusive cases exit 0 while they
// can hide little (Policy::hide_limit); NoRegressionIn("*") is the stricter question.
::testing::Matcher<const SuiteVerdict&> Passes();

// The gate ended with this exit code: HasExit(perfgate::Exit::kRegression).
::testing::Matcher<const SuiteVerdict&> HasExit(Exit exit);

// The case has this verdict in its metric (`real_time` unless named). A case or metric that the
// verdict does not have is a mismatch that lists those it has.
::testing::Matcher<const SuiteVerdict&> HasVerdict(std::string_view case_name, Verdict verdict,
                                                   std::string_view metric = "real_time");

// Every gated column of the cases that match the glob (`*` any run of characters, `?` one) is
// no_regression or improvement: a slowdown beyond its tolerance is excluded. Inconclusive is
// therefore a mismatch, and so is a glob that matches no gated column at all.
::testing::Matcher<const SuiteVerdict&> NoRegressionIn(std::string_view glob);

}  // namespace testing
}  // namespace perfgate
