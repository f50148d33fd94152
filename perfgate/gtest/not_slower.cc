// SPDX-License-Identifier: Apache-2.0
#include "perfgate/gtest/not_slower.h"

#include <string>

namespace perfgate::testing {

::testing::AssertionResult judge(const char* baseline_text, const char* candidate_text,
                                 const Alternated& result) {
  ::testing::Test::RecordProperty("perfgate_verdict", std::string(to_string(result.verdict)));
  ::testing::Test::RecordProperty("perfgate_effect", std::to_string(result.estimate));
  const auto outcome = result.verdict == Verdict::kRegression ? ::testing::AssertionFailure()
                                                              : ::testing::AssertionSuccess();
  return ::testing::AssertionResult(outcome)
         << candidate_text << " (candidate) against " << baseline_text
         << " (baseline): " << describe(result);
}

}  // namespace perfgate::testing
