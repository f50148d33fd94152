// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/shared_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

namespace perfgate::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Names = std::vector<std::string>;

TEST(SharedParts, AreToldOnce) {
  const ShownNames shown = WithoutSharedParts({"softmax/device:cpu/rows:64/dtype:f32",
                                               "softmax/device:cpu/rows:512/dtype:f32",
                                               "rope/device:cpu/heads:32/dtype:f32"});
  EXPECT_THAT(shown.names,
              ElementsAre("softmax/.*/rows:64", "softmax/.*/rows:512", "rope/.*/heads:32"));
  EXPECT_EQ(SharedPartsText(shown), "In every name: device:cpu, dtype:f32");
}

TEST(SharedParts, LeaveNoTraceAtAnEnd) {
  EXPECT_THAT(WithoutSharedParts({"sort/n:1/t:2", "sort/n:3/t:2"}).names,
              ElementsAre("n:1", "n:3"));
}

// A bare number at another place means something else.
TEST(SharedParts, KnowNumbersByTheirPlace) {
  EXPECT_THAT(WithoutSharedParts({"a/64/8", "b/8/64"}).shared, IsEmpty());
  EXPECT_THAT(WithoutSharedParts({"a/64/8", "b/64/16"}).names, ElementsAre("a/.*/8", "b/.*/16"));
  EXPECT_THAT(WithoutSharedParts({"a/8/8", "b/8/8"}).shared, IsEmpty());
}

TEST(SharedParts, StayWhereNamesWouldBeLost) {
  for (const Names& names : {Names{}, Names{"a/b"}, Names{"a/b", "a/b"}, Names{"a", "a/b"},
                             Names{"x/p:1/q:2", "x/q:2/p:1"}, Names{"", "a"}}) {
    const ShownNames shown = WithoutSharedParts(names);
    EXPECT_EQ(shown.names, names);
    EXPECT_EQ(SharedPartsText(shown), "");
  }
}

// What is left finds the name it came from, and none of the others.
TEST(SharedParts, RestIsAPattern) {
  const Names names = {"f/device:cpu/x:1/y:2/z:3", "f/device:cpu/x:2/y:2/z:4", "g/device:cpu/y:2"};
  const ShownNames shown = WithoutSharedParts(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      EXPECT_EQ(std::regex_search(names[j], std::regex(shown.names[i])), i == j)
          << shown.names[i] << " in " << names[j];
    }
  }
}

}  // namespace
}  // namespace perfgate::report
