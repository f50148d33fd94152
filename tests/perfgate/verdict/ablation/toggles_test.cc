// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/ablation/toggles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perfgate/base/error.h"

namespace perfgate {
namespace {

const std::vector<std::string> kNames = {"run/model:a", "run/model:a/gemv:own",
                                         "run/model:a/gemv:reference/ffn:batched",
                                         "run/model:a/ffn:batched", "run/model:b/gemv:own"};

TEST(Toggles, PairsACaseWithTheSameOneWithoutTheOption) {
  const auto toggles = find_toggles(kNames, std::vector<std::string>{"gemv"});
  ASSERT_EQ(toggles.size(), 2U);  // of model:b there is no case without
  EXPECT_EQ(toggles[0].option, "gemv:own");
  EXPECT_EQ(toggles[0].where, "run/model:a");
  EXPECT_EQ(toggles[0].name, kNames[1]);
  EXPECT_EQ(toggles[0].before, 0U);
  EXPECT_EQ(toggles[0].after, 1U);
  EXPECT_EQ(toggles[1].before, 3U);
  EXPECT_EQ(toggles[1].after, 2U);
}

TEST(Toggles, ACaseOfTwoOptionsIsTwoPairsWithTwoNames) {
  const std::vector<std::string> names = {"a/x:1", "a/y:1", "a/x:1/y:1"};
  const auto toggles = find_toggles(names, std::vector<std::string>{"x", "y"});
  ASSERT_EQ(toggles.size(), 2U);
  EXPECT_EQ(toggles[0].name, "a/x:1/y:1");
  EXPECT_EQ(toggles[0].before, 1U);
  EXPECT_EQ(toggles[1].name, "a/x:1/y:1 (y:1)");
  EXPECT_EQ(toggles[1].before, 0U);
}

TEST(Toggles, TheBaseMayBeAValue) {
  const std::vector<std::string> names = {"a/x:1", "a/x:2", "a/x:3", "b/x:2"};
  const auto toggles = find_toggles(names, std::vector<std::string>{"x=1"});
  ASSERT_EQ(toggles.size(), 2U);
  EXPECT_EQ(toggles[0].option, "x:2");
  EXPECT_EQ(toggles[0].where, "a");
  EXPECT_EQ(toggles[1].option, "x:3");
  EXPECT_EQ(toggles[1].before, 0U);
}

TEST(Toggles, AKeyIsAWholePart) {
  const std::vector<std::string> names = {"a", "a/max:1", "a/x:1"};
  EXPECT_EQ(find_toggles(names, std::vector<std::string>{"x"}).size(), 1U);
  EXPECT_THROW(find_toggles(names, std::vector<std::string>{"ax"}), Error);
  EXPECT_THROW(find_toggles(names, std::vector<std::string>{"x=2"}), Error);
}

}  // namespace
}  // namespace perfgate
