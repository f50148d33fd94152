// SPDX-License-Identifier: Apache-2.0
#include "perfgate/verdict/alternatives/case_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfgate {
namespace {

using testing::ElementsAre;

std::string keyed(const std::string& name, const std::string& key) {
  const auto found = SplitByKey(name, key);
  return found ? found->name + " | " + found->value : "none";
}

std::string sized(const std::string& name, const std::string& key) {
  const auto found = SplitBySize(name, key);
  return found ? found->series + " | " + std::to_string(found->size) : "none";
}

TEST(CaseKeys, ValuesOfKeysAndTemplateArguments) {
  EXPECT_EQ(keyed("sort/impl:std/count:64", "impl"), "sort/count:64 | std");
  EXPECT_EQ(keyed("impl:std/count:64", "impl"), "count:64 | std");
  EXPECT_EQ(keyed("impl:std", "impl"), "impl | std");
  EXPECT_EQ(keyed("sort/impl:a:b", "impl"), "sort | a:b");
  EXPECT_EQ(keyed("BM_Sort<std>/64", "BM_Sort"), "BM_Sort/64 | std");
  EXPECT_EQ(keyed("BM_Sort<std::less<int>>/64", "BM_Sort"), "BM_Sort/64 | std::less<int>");
  EXPECT_EQ(keyed("BM_Sort<std>", "BM_Sort"), "BM_Sort | std");
}

TEST(CaseKeys, WhatHasNotTheKey) {
  for (const char* name : {"sort/count:64", "sort/simpl:std", "sort/impl", "sort/impl:", "impl",
                           "sort/implicit:std", "", "/", "BM_Sort<>/64"}) {
    EXPECT_EQ(keyed(name, "impl"), "none") << name;
    EXPECT_EQ(keyed(name, "BM_Sort"), "none") << name;
  }
  EXPECT_EQ(keyed("BM_Sorted<std>/64", "BM_Sort"), "none");
}

TEST(CaseKeys, ValuesEachOnceInTheirOrder) {
  const std::vector<std::string> names = {"s/i:b/1", "s/i:a/1", "other", "s/i:b/2", "s/i:c/1"};
  EXPECT_THAT(ValuesOfKey(names, "i"), ElementsAre("b", "a", "c"));
  EXPECT_THAT(ValuesOfKey(names, "k"), ElementsAre());
}

TEST(CaseKeys, Sizes) {
  EXPECT_EQ(sized("sort/count:4096", "count"), "sort | 4096.000000");
  EXPECT_EQ(sized("sort/count:4096/real_time", "count"), "sort/real_time | 4096.000000");
  EXPECT_EQ(sized("sort/count:0.5", "count"), "sort | 0.500000");
  EXPECT_EQ(sized("sort/count:4k", "count"), "none");
  EXPECT_EQ(sized("sort/count:inf", "count"), "none");
  EXPECT_EQ(sized("sort/4096", "count"), "none");
  EXPECT_EQ(sized("BM_Sort/8/4096/manual_time", "/"), "BM_Sort/8/manual_time | 4096.000000");
  EXPECT_EQ(sized("BM_Sort/count:4096", "/"), "none");
  EXPECT_EQ(sized("4096", "/"), "/ | 4096.000000");
}

}  // namespace
}  // namespace perfgate
