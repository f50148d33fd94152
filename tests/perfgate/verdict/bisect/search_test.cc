// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/bisect/search.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

namespace perfgate {
namespace {

using Answers = std::vector<BisectAnswer>;
constexpr BisectAnswer kOpen = BisectAnswer::kOpen;
constexpr BisectAnswer kGood = BisectAnswer::kGood;
constexpr BisectAnswer kBad = BisectAnswer::kBad;
constexpr BisectAnswer kSkipped = BisectAnswer::kSkipped;

Answers Between(std::size_t commits) {
  Answers answers(commits, kOpen);
  answers.front() = kGood;
  answers.back() = kBad;
  return answers;
}

struct Searched {
  BisectRange range;
  int looks = 0;
};

Searched Search(std::size_t commits, std::size_t culprit, const std::vector<bool>& unjudged) {
  Answers answers = Between(commits);
  Searched searched;
  while (const auto next = NextCommit(answers)) {
    ++searched.looks;
    answers[*next] = unjudged[*next] ? kSkipped : *next >= culprit ? kBad : kGood;
  }
  searched.range = RangeOf(answers);
  return searched;
}

TEST(Bisect, FindsEveryCommitInLogTwoLooks) {
  for (std::size_t commits = 2; commits < 70; ++commits) {
    for (std::size_t culprit = 1; culprit < commits; ++culprit) {
      const Searched searched = Search(commits, culprit, std::vector<bool>(commits, false));
      ASSERT_EQ(searched.range.first_bad, culprit);
      ASSERT_EQ(searched.range.last_good, culprit - 1);
      ASSERT_LE(searched.looks, LooksLeft(Between(commits)));
    }
  }
  EXPECT_EQ(LooksLeft(Between(2)), 0);
  EXPECT_EQ(LooksLeft(Between(3)), 1);
  EXPECT_EQ(LooksLeft(Between(1025)), 10);
}

// What is left holds the culprit, and beside it only commits that nobody could judge.
TEST(Bisect, StepsAroundWhatCannotBeJudged) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t commits = 2 + random() % 40;
    const std::size_t culprit = 1 + random() % (commits - 1);
    std::vector<bool> unjudged(commits, false);
    for (std::size_t i = 1; i + 1 < commits; ++i) unjudged[i] = random() % 3 == 0;
    const Searched searched = Search(commits, culprit, unjudged);
    ASSERT_LT(searched.range.last_good, culprit);
    ASSERT_GE(searched.range.first_bad, culprit);
    for (std::size_t i = searched.range.last_good + 1; i < searched.range.first_bad; ++i) {
      ASSERT_TRUE(unjudged[i]);
    }
    ASSERT_LE(searched.looks, static_cast<int>(commits));
  }
}

TEST(Bisect, TheFirstBadCommitCounts) {
  const Answers answers = {kGood, kOpen, kBad, kGood, kBad};
  EXPECT_EQ(RangeOf(answers).first_bad, 2U);
  EXPECT_EQ(RangeOf(answers).last_good, 0U);
  EXPECT_EQ(NextCommit(answers), 1U);
}

TEST(Bisect, RefusesEndsThatAreNone) {
  for (const Answers& answers : {Answers{}, Answers{kGood}, Answers{kOpen, kBad},
                                 Answers{kGood, kSkipped}, Answers{kBad, kGood}}) {
    EXPECT_THROW(RangeOf(answers), std::invalid_argument);
    EXPECT_THROW(NextCommit(answers), std::invalid_argument);
  }
}

}  // namespace
}  // namespace perfgate
