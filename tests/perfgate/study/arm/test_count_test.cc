// SPDX-License-Identifier: Apache-2.0
#include "perfgate/study/arm/test_count.h"

#include <gtest/gtest.h>

namespace perfgate::study {
namespace {

TEST(TestCount, ClosingLinesOfTestPrograms) {
  EXPECT_EQ(TestsThatRan("100% tests passed, 0 tests failed out of 12\n"), 12);
  EXPECT_EQ(TestsThatRan("92% tests passed, 1 tests failed out of 13\n"), 13);
  EXPECT_EQ(TestsThatRan("[==========] 5 tests from 2 test suites ran. (3 ms total)\n"), 5);
  EXPECT_EQ(TestsThatRan("==== 3 passed, 2 failed, 1 skipped in 0.12s ====\n"), 5);
  EXPECT_EQ(TestsThatRan("Ran 7 tests in 0.001s\n\nOK\n"), 7);
  EXPECT_EQ(TestsThatRan("test result: ok. 4 passed; 0 failed; 0 ignored\n"
                         "test result: ok. 2 passed; 1 failed; 0 ignored\n"),
            7);
  EXPECT_EQ(TestsThatRan("ok  \texample.com/a\t0.01s\nok  \texample.com/b\t0.02s\n"), 2);
}

TEST(TestCount, NothingRan) {
  EXPECT_EQ(TestsThatRan("No tests were found!!!\n"), 0);
  EXPECT_EQ(TestsThatRan("[==========] 0 tests from 0 test suites ran. (0 ms total)\r\n"), 0);
  EXPECT_EQ(TestsThatRan("==== no tests ran in 0.01s ====\n"), 0);
  EXPECT_EQ(TestsThatRan("==== 4 skipped in 0.01s ====\n"), 0);
  EXPECT_EQ(TestsThatRan("==== 9 deselected in 0.01s ====\n"), 0);
  EXPECT_EQ(TestsThatRan("Ran 0 tests in 0.000s\n"), 0);
  EXPECT_EQ(TestsThatRan("test result: ok. 0 passed; 0 failed; 3 ignored\n"), 0);
  EXPECT_EQ(TestsThatRan("?   \texample.com/a\t[no test files]\n"), 0);
  EXPECT_EQ(TestsThatRan("ok  \texample.com/a\t0.01s [no tests to run]\n"), 0);
}

TEST(TestCount, NobodySays) {
  EXPECT_EQ(TestsThatRan("all good\n"), std::nullopt);
  EXPECT_EQ(TestsThatRan(""), std::nullopt);
}

TEST(TestCount, AnEmptyProgramBelowCTestIsNoTest) {
  EXPECT_EQ(TestsThatRan("1: [==========] Running 0 tests from 0 test suites.\n"
                         "[==========] 0 tests from 0 test suites ran. (0 ms total)\n"
                         "100% tests passed, 0 tests failed out of 1\n"),
            0);
}

}  // namespace
}  // namespace perfgate::study
