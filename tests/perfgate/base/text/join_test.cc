// SPDX-License-Identifier: Apache-2.0
#include "perfgate/base/text/join.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace perfgate {
namespace {

TEST(Join, PutsTheSeparatorBetweenItemsOnly) {
  EXPECT_EQ(Join(std::vector<std::string>{}), "");
  EXPECT_EQ(Join(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(Join(std::set<std::string_view>{"b", "a"}), "a, b");
  EXPECT_EQ(Join(std::vector<int>{3, -1, 20}, ","), "3,-1,20");
}

TEST(Join, KeepsEmptyItems) { EXPECT_EQ(Join(std::vector<std::string>{"", "a", ""}, "/"), "/a/"); }

TEST(AppendItem, SeparatesFromWhatIsThere) {
  std::string list;
  AppendItem(list, "a");
  EXPECT_EQ(list, "a");
  AppendItem(list, "b");
  AppendItem(list, "c", "; ");
  EXPECT_EQ(list, "a, b; c");
}

}  // namespace
}  // namespace perfgate
