// SPDX-License-Identifier: Apache-2.0
#include "perfgate/report/text/function_names.h"

#include <gtest/gtest.h>

namespace perfgate::report {
namespace {

TEST(WithoutSignatures, KeepsTheQualifiedNames) {
  EXPECT_EQ(without_signatures("main"), "main");
  EXPECT_EQ(without_signatures("sort(int*), merge(int*, long)"), "sort, merge");
  EXPECT_EQ(without_signatures("void a::Row<a::(anonymous namespace)::V>(float const*, long)"),
            "a::Row");
  EXPECT_EQ(without_signatures("std::vector<int>::size() const"), "std::vector::size");
}

TEST(WithoutSignatures, NamesNothingTwice) {
  EXPECT_EQ(without_signatures("void f<int>(int), void f<long>(long), g()"), "f, g");
}

TEST(WithoutSignatures, KeepsOperators) {
  EXPECT_EQ(without_signatures("bool a::T::operator()(int) const"), "a::T::operator");
  EXPECT_EQ(without_signatures("void* operator new(unsigned long)"), "operator new");
  EXPECT_EQ(without_signatures("bool operator<(T const&, T const&)"),
            "bool operator<(T const&, T const&)");
}

TEST(WithoutSignatures, LeavesWhatIsNoListOfFunctions) {
  EXPECT_EQ(without_signatures(""), "");
  EXPECT_EQ(without_signatures("f(int"), "f(int");
  EXPECT_EQ(without_signatures("f)int("), "f)int(");
}

}  // namespace
}  // namespace perfgate::report
